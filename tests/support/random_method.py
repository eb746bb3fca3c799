"""A method put together from parts: exact Gaussian process, plain sampling, points at random. See test_own_method.py."""

from bayescope.engine.feasibility.classifier import Feasibility
from bayescope.engine.methods.ask_tell import EvaluationLog, go_on
from bayescope.engine.methods.box_answer import AnswerState, BoxAnswer
from bayescope.engine.numerics.randomness import generator
from bayescope.engine.sampling.guarded_density import GuardedDensity, Hull
from bayescope.engine.sampling.population_monte_carlo import posterior_of
from bayescope.engine.sampling.proposal import base_points
from bayescope.engine.surrogate.evaluations import NOISE_VARIANCE, Evaluations
from bayescope.engine.surrogate.frames import BoxFrame
from bayescope.engine.surrogate.quadratic.hyperparameters import fitted_surrogate
from bayescope.engine.surrogate.shaping import compressed
from bayescope.engine.variational.fit_to_posterior import fit_mixture


class RandomMethod:
    satisfied = False  # it uses its whole budget

    def __init__(self, settings):
        self.settings, self.check = settings, go_on
        self.box = BoxFrame.of(settings.plausible_lower, settings.plausible_upper)
        self.base = base_points(settings.dimension, 4000, settings.seed)
        self.restore({"log": EvaluationLog(settings.max_evaluations).to_state()})

    def choose(self):
        rng = generator(self.settings.seed, "a point at random", self.log.next_index)
        return self.box.back(rng.uniform(-2, 2, self.settings.dimension)), "acquisition"

    def take_in(self, tell):
        """Nothing: every answer is made from the log alone."""

    def answer(self):
        known = Evaluations.of(self.log.told, self.settings.dimension, self.box.into)
        if len(known.y) < 2 * self.settings.dimension or len(self.log.told) == self.seen:
            return None
        self.seen, rng = len(self.log.told), generator(self.settings.seed, "answer", len(self.log.told))
        y, top = compressed(known.y, self.settings.dimension)
        surrogate = fitted_surrogate(known.points, y, NOISE_VARIANCE + known.sd**2)
        density = GuardedDensity(surrogate, Hull.of(known.points, -y), Feasibility.of(known))
        self.density = density.trusted(self.box, top)
        draws = posterior_of(density, known.points, y, self.base, rng)
        fit = fit_mixture(draws, None, 6, density, self.base, rng)
        found = BoxAnswer.of(self.box, top, density, draws, fit)
        return found.snapshot(AnswerState(self.seen, reasons=("Nothing was checked.",)), found.log_evidence, 0.1)

    def log_density(self):
        return self.density

    def state(self):
        return {"log": self.log.to_state()}

    def restore(self, state):
        self.log, self.seen, self.density = EvaluationLog.of_state(state["log"]), 0, None
