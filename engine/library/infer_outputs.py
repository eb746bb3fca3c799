"""The Python door where a program's outputs are compared with data: the outputs are learnt, not only how well they fit.

    from bayescope.engine import infer_outputs
    r = infer_outputs(lambda v: v["a"] * np.exp(-v["k"] * t), data, noise=0.05, priors={"a": (0, 5), "k": (0, 3)})
    r.sample(1000); r.again(noise=StudentTNoise(dof=4, scale=0.05)).log_evidence       # the second answer takes no run
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

import msgspec
import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..again.answer import answer_again
from ..answer.failures.far_off import FarOff
from ..likelihood.evaluate import LikelihoodError, log_likelihood
from ..methods.loops import loop_settings
from ..problem.checks.check_simulator import noise_parameters
from ..problem.checks.without_runs import needs_runs
from ..problem.data.rows.censored import cells_shown, has_value
from ..problem.data.rows.comparison import ComparisonError
from ..problem.definition import DataTable, Predictions, Problem, Settings
from ..problem.placeholders import normal
from ..problem.transforms import ParameterSpace
from ..run.one_evaluation import tell_of, told_cells
from ..session.errors import SessionError
from ..session.records import EvaluationRecord
from . import arguments
from .answer import Answer, Result, answer_of
from .earlier_outputs import Earlier, earlier_runs
from .infer import Inference
from .outputs_problem import Noise, Priors, problem_of, vectors
from .value import RandomDensity, WrongValue

Array = NDArray[np.float64]
Outputs = ArrayLike | Mapping[str, ArrayLike]
Simulate = Callable[[dict[str, float]], Outputs]


@dataclass(frozen=True)
class OutputsResult(Result):
    """``problem``: as it was declared; ``records``: all runs with their outputs."""

    problem: Problem | None = None
    records: tuple[EvaluationRecord, ...] = ()

    def again(
        self, data: Outputs | None = None, noise: Noise | None = None, priors: Priors | None = None,
        plausible: Mapping[str, tuple[float, float]] | None = None,
    ) -> Answer:
        """The answer with other data, noise or priors, from the runs there are: none is made. What is left out stays as it was.

        Converged only if these runs confirm it; else ``reasons`` say about how many more would. Raises ValueError for what
        cannot be answered without new runs.
        """
        assert self.problem is not None
        changed = _changed(self.problem, data, noise, priors, plausible)
        against = needs_runs(self.problem, changed)
        if against:
            raise ValueError(f"This cannot be answered from the runs there are. {' '.join(against)}")
        try:
            lies = FarOff.of(self.snapshot.far_off).not_counted
            runs = [r for r in self.records if r.index not in lies]
            found = answer_again(changed, runs, self.problem, self.converged)
        except SessionError as error:
            raise ValueError(str(error)) from error
        return answer_of(found.snapshot, 0.0, ParameterSpace(found.problem.parameters))


class OutputInference(Inference):
    """Ask / tell, as ``Inference``, where runs are told by their outputs. See ``infer_outputs`` for the arguments."""

    def __init__(
        self,
        data: Outputs,
        noise: Noise,
        priors: Priors,
        max_evaluations: int = 200,
        seed: int = 0,
        *,
        plausible: Mapping[str, tuple[float, float]] | None = None,
        options: dict[str, float | int | str | bool] | None = None,
        archive: Earlier | None = None,
        device: str = "auto",
        random: bool = False,
    ) -> None:
        problem = problem_of(data, noise, priors, plausible or {}, arguments.flag(random, "random"))
        none = archive is not None and max_evaluations == 0  # an answer from the archive alone
        budget = 0 if none else arguments.budget(max_evaluations, "default")
        settings = Settings(
            seed=arguments.whole(seed, "seed", 0),
            max_evaluations=budget,
            options=arguments.options_of(options),
            device=arguments.device_name(device),
        )
        self.problem = msgspec.structs.replace(problem, settings=settings)
        space = ParameterSpace(self.problem.parameters)
        self._alone = noise_parameters(self.problem)
        self._records: list[EvaluationRecord] = []
        self._begin(space, loop_settings(self.problem, space, max(budget, 1), 1), "default")
        if archive is not None:
            self._take_earlier(archive, budget)

    def _take_earlier(self, archive: Earlier, budget: int) -> None:
        """Runs made before are the first of this one, and what they say is its first answer; ``budget`` new ones may follow."""
        runs, notes = earlier_runs(self.problem, archive)
        settings = msgspec.structs.replace(self.problem.settings, max_evaluations=len(runs) + budget)
        self.problem = msgspec.structs.replace(self.problem, settings=settings)
        try:
            with self._computing():
                found = answer_again(self.problem, runs, budget=len(runs) + budget)
                self.loop.restore(found.state)
                self.loop.extend(len(runs) + budget)
        except SessionError as error:
            raise ValueError(f"archive: {error}") from error
        self._records = list(found.records)
        self._tells = [tell_of(record, self._settings.cells) for record in found.records]
        first = replace(found.snapshot, reasons=(*found.snapshot.reasons, *notes))
        self._history.append(answer_of(first, self._cpu, self.space, self._tells))

    def values(self, theta: Array) -> dict[str, float]:
        """What the function is to be given at theta (D,): all but the noise's own parameters."""
        named = zip(self.space.names, theta, strict=True)
        return {name: float(value) for name, value in named if normal(name) not in self._alone}

    def tell_outputs(self, index: int, outputs: Outputs | None, reason: str = "") -> None:
        """The outputs at the point asked as ``index``; None: the run failed, for ``reason``. Raises ValueError, or WrongValue for
        what is no vector; the point can then be told again."""
        asked = self._waits(index)
        u = asked.u
        found = None if outputs is None else _returned(outputs, self.problem)
        theta, values = self.space.to_user(u), self.space.values(u)
        log_prior, value, cells = float(self.space.log_prior(theta)), None, None
        if found is not None:
            try:
                value = log_likelihood(self.problem, found, values)[0] + log_prior
                cells = None if self._settings.cells is None else self._settings.cells.cells(found)
            except LikelihoodError as error:
                value, reason = -np.inf if error.impossible else None, str(error)
            except ComparisonError as error:
                value, reason = None, str(error)
        usable = value is not None and np.isfinite(value)
        if not usable and outputs is not None and found is not None:
            found = _as_long(outputs, found, self.problem)
            cells = None if self._settings.cells is None else told_cells(self._settings.cells, found, good=False)
        self._records.append(
            EvaluationRecord(
                index, len(self._records), u, values, "ok" if usable else "failed", None, log_prior, None, reason=reason,
                outputs=found or {}, purpose=asked.purpose,
            )
        )  # fmt: skip
        self._tell(index, value, 0.0, reason, cells)

    def _last(self) -> OutputsResult:
        shared = super()._last()
        held = {f.name: getattr(shared, f.name) for f in fields(Result)}
        return OutputsResult(**held, problem=self.problem, records=tuple(self._records))


def infer_outputs(
    simulate: Simulate,
    data: Outputs,
    noise: Noise,
    priors: Priors,
    max_evaluations: int = 200,
    seed: int = 0,
    *,
    plausible: Mapping[str, tuple[float, float]] | None = None,
    options: dict[str, float | int | str | bool] | None = None,
    archive: Earlier | None = None,
    device: str = "auto",
    random: bool = False,
) -> OutputsResult:
    """Posterior and evidence of the parameters of an expensive function whose outputs were measured.

    ``simulate`` takes a dictionary of values by name and returns a vector, or vectors by name; ``data``: the same, measured, nan
    where nothing was, "<0.05" or ">200" where only a limit is known: that counts as the probability of a value there. ``noise``:
    a standard deviation, or a noise model of ``problem.definition`` (``StudentTNoise(dof=4, scale=.1)``,
    ``GaussianInferred(parameter="s")``...), one for all or by name. ``priors``: by name, a prior of
    ``problem.definition`` or (low, high); parameters of the noise alone are among them and are not given to ``simulate``.
    ``plausible``: where to begin, by name; options: of the default method. ``archive``: runs made earlier, (values, outputs): the
    values by name, (N,) each, and what ``simulate`` returned, (N, L), or that by name, nan where a run failed; they are learnt
    first, and ``max_evaluations`` new ones may follow, also none. ``device``: "auto", "cpu" or "cuda", where it computes.

    ``random``: the outputs have a statistical error of their own (Monte Carlo, molecular dynamics), and what was measured is what
    they are on average; its size is learnt from all runs.

    Where ``simulate`` raises, or returns nan where something was measured, the run has failed: kept in ``failures``, and it
    goes on; what it returned besides is learnt. Ctrl-C ends it and gives what there is. Raises ValueError, in words, for an
    argument that makes no sense, RandomDensity if the first point gives other outputs when it is run again, and WrongValue for
    what is no vector.
    """
    arguments.function(simulate)
    words: dict[str, Any] = {"plausible": plausible, "options": options, "archive": archive, "device": device, "random": random}
    run = OutputInference(data, noise, priors, max_evaluations, seed, **words)
    checked = bool(random)
    try:
        while not run.finished and (points := run.ask()):
            for point in points:
                outputs, reason = _run(simulate, run.values(point.theta))
                run.tell_outputs(point.index, outputs, reason)
                if not checked and outputs is not None:
                    checked = True
                    _refuse_random(outputs, _run(simulate, run.values(point.theta))[0], run.problem)
            run.update()
    except KeyboardInterrupt:
        run.interrupted("Interrupted by the user.")
        return run._last()
    run.update()
    return run._last()


def _run(simulate: Simulate, values: dict[str, float]) -> tuple[Outputs | None, str]:
    """Whatever the user's function raises is an outcome, kept with its words."""
    try:
        found = simulate(dict(values))
    except Exception as error:
        return None, f"{type(error).__name__}: {error}"
    if found is None:
        raise WrongValue("simulate returned nothing (None); it must return a vector, or vectors by name. Is a “return” missing?")
    return found, ""


def _returned(outputs: Outputs, problem: Problem) -> dict[str, Array]:
    """What the function returned, by name, as long as the longest column of data. Raises WrongValue."""
    try:
        found = vectors(outputs, "what simulate returned")
    except ValueError as error:
        raise WrongValue(str(error)) from error
    missing = [o.name for o in problem.outputs if o.name not in found]
    if missing:
        names = ", ".join(found)
        raise WrongValue(f"simulate returned no “{missing[0]}”, which is in the data; it returned {names}.")
    assert problem.data is not None
    longest = max(len(column) for column in problem.data.columns.values())
    return {n: np.concatenate([v, np.full(max(0, longest - len(v)), np.nan)]) for n, v in found.items()}


def _as_long(outputs: Outputs, found: Mapping[str, Array], problem: Problem) -> dict[str, Array]:
    """Those of ``found`` that have a number, or nan, for every measured value: of a shorter one nobody knows which it lacks."""
    assert problem.data is not None
    columns, given = problem.data.columns, vectors(outputs, "what simulate returned")
    last = {n: max(k for k, has in enumerate(has_value(problem.data, n)) if has) for n in found if n in columns}
    return {n: found[n] for n in last if len(given[n]) > last[n]}


def _refuse_random(first: Outputs, second: Outputs | None, problem: Problem) -> None:
    """Raises RandomDensity if two runs at the same point differ."""
    if second is None:
        return
    one, two = _returned(first, problem), _returned(second, problem)
    if any(not np.array_equal(one[o.name], two[o.name], equal_nan=True) for o in problem.outputs):
        raise RandomDensity(
            "simulate is random: at the same point it returned other outputs the second time. Taken for exact, they would be "
            "believed to the last digit. Say random=True if what was measured is what they are on average; or fix its random "
            "seed, or give infer a log density with noisy=True."
        )


def _entries(data: DataTable, name: str) -> list[float | str]:
    """A column as it can be given as data."""
    return [np.nan if v is None else v for v in cells_shown(data)[name]]


def _changed(
    problem: Problem, data: Outputs | None, noise: Noise | None, priors: Priors | None,
    plausible: Mapping[str, tuple[float, float]] | None,
) -> Problem:
    """``problem`` with what is given in place of what was."""
    assert problem.data is not None
    assert isinstance(problem.meaning, Predictions)
    kept_data = {o.name: _entries(problem.data, o.name) for o in problem.outputs}
    kept_noise = {m.output: m.noise for m in problem.meaning.matches if m.noise is not None} or problem.meaning.noise
    kept_priors = {p.name: p.prior for p in problem.parameters}
    ranges = {p.name: p.plausible for p in problem.parameters if p.plausible is not None and priors is None}
    changed = problem_of(
        kept_data if data is None else data, kept_noise if noise is None else noise,
        kept_priors if priors is None else priors, ranges | dict(plausible or {}), problem.meaning.random,
    )  # fmt: skip
    return msgspec.structs.replace(changed, settings=problem.settings)
