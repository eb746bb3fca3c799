"""The figures from which it follows whether the answer is to be trusted; the sentences are in ``session/answer_words``."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...acquisition.initial_design import scarce
from ...acquisition.probes import SMALL
from ...answer import words as answer_words
from ...answer.digits import percent, rough, rough_beside, with_error
from ...answer.failures import far_off
from ...answer.suggested_ranges import misplaced
from ...answer.where_known import FAILING_LIMIT, checkable, confirmed_state
from ...loop_interface import LoopSettings
from ...problem.method_options import DefaultOptions
from ...problem.numbers.shown_digits import spoken
from ...sampling.walkers import MOST_MISSED
from ...surrogate.evaluations import counted, outcome_of
from . import bordering, certification, hunting, stopping
from .memory import Memory
from .outputs_memory import BELIEVED, MOST_HIDDEN, MOST_OPEN, MOST_UNSURE, MOST_UNSURE_WIDTH, ROOT_TWO

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Shares:
    """Of the posterior: at the edge of the region explored, where most runs failed, and where most were impossible."""

    edge: float = 0.0
    failing: float = 0.0
    walled: float = 0.0
    interval: tuple[float, float] | None = None  # of ``failing``, 90 %
    evidence: float | None = None  # log evidence of all of it
    reasons: tuple[tuple[str, float], ...] = ()  # why runs fail there, of ``failing``
    border: float = 0.0  # what the border of a zero density leaves open, as ``bordering.left_open``


def in_part(confirmed: bool, shares: Shares) -> bool:
    """Whether an answer that its checks ``confirmed`` is so where runs succeed, and too much of it lies where they fail to be
    called converged: of every loop."""
    lost, most = shares.failing > FAILING_LIMIT, shares.interval[1] if shares.interval else shares.failing
    return confirmed and lost and checkable(shares.failing, most, shares.edge)


def activity(memory: Memory, in_part: bool = False) -> str:
    if hunting.further_left(memory) > 0 and memory.looked_further:
        return "Looking further for other modes"
    if memory.doubts.open:
        return "Running again beside a value far off its neighbours"
    if memory.converged:
        return confirmed_state(in_part)
    if memory.certification is not None:
        return "Checking the answer with fresh runs"
    if not memory.thetas and memory.outputs.theta is None:
        return _first_points(memory)
    if memory.ascent is not None or memory.design is not None:
        return "Following up a run that came out higher than all others imply"
    if memory.hunted and exploring(memory):
        wanted = memory.hunted + max(0, hunting.looks_left(memory))
        return f"Looking for another mode: place {memory.hunted} of at most {wanted}"
    if exploring(memory):
        return "Looking where more of the posterior may lie"
    if memory.history and memory.history[-1].temperature < 1.0:
        return "Looking for the bulk of the posterior"
    return "Refining the posterior"


def _first_points(memory: Memory) -> str:
    told = memory.log.told
    if not scarce(told, memory.dimension) or len(told) <= memory.dimension + 2:
        return "Evaluating the first points"
    if any(outcome_of(t) == "ok" for t in told):
        return "Few runs gave a value: looking for more, outwards from those that did"
    return "No run gave a value yet: looking for one, outwards from the start values if there are some"


def exploring(memory: Memory) -> bool:
    return memory.lookout is not None or any(i in memory.log.pending for i in memory.explored[-8:])


def figures(
    settings: LoopSettings, options: DefaultOptions, memory: Memory, mean: Array, covariance: Array, shares: Shares
) -> answer_words.Figures:
    """mean (D,), covariance (D, D) of the posterior in the box frame, where the plausible box is [-2, 2]^D."""
    m, d = memory, memory.dimension
    found = counted(m.log.told)
    explored = set(m.explored)
    outside, narrow = (_costing_runs(settings, m, some) for some in misplaced(mean, np.sqrt(np.diag(covariance))))
    return answer_words.Figures(
        evaluations=len(m.log.told),
        budget=m.log.budget,
        good=found.ok,
        failed=found.failed,
        impossible=found.impossible,
        far_below=found.far_below,
        converged=m.converged and shares.failing <= FAILING_LIMIT,
        confirmed=confirmed(m) if m.converged else "",
        in_part=in_part(m.converged, shares),
        against=()
        if m.certification is not None or found.ok < 2
        else (
            *stopping.unmet(m.history, found.ok, d, *stopping.limits(options, found.impossible > 0)), *outputs_unknown(m),
            *bordering.open_words(shares.border),
            *answer_words.draws_miss(m.missed, MOST_MISSED),
        ),
        stage=stage(m),
        room=m.log.budget - len(m.log.told) >= certification.fewest_wanted(d, found.impossible > 0),
        looks=sum(t.index in explored for t in m.log.told),
        failing=shares.failing,
        failing_interval=shares.interval,
        failing_reasons=shares.reasons,
        evidence=shares.evidence,
        walled=shares.walled,
        edge=shares.edge,
        outside=tuple(name_of(settings, i) for i in outside),
        narrow=tuple(name_of(settings, i) for i in narrow),
        flat=_flat(m),
        notes=(*about_outputs(settings, m), *far_off.notes(m.doubts.shown, len(m.log.told))),
    )


def _costing_runs(settings: LoopSettings, memory: Memory, parameters: list[int]) -> list[int]:
    """Those whose range costs runs: not of the noise alone where outputs are learnt."""
    if settings.cells is None or memory.outputs.theta is None or not memory.outputs.used:
        return parameters
    return [i for i in parameters if i in settings.cells.inputs]


def runs_to_end(found: answer_words.Figures, memory: Memory) -> dict[str, float]:
    """As a diagnostic, the fewest runs after which it may end, by whether the stop rule's figures are met; none where it has."""
    m = memory
    if m.converged:
        return {}
    fewest = certification.fewest_wanted(m.dimension, found.impossible > 0)
    told = 0 if m.certification is None else m.certification.told
    met = found.good >= 2 and not found.against
    return {answer_words.ENDS_AFTER if met else answer_words.FEWEST_LEFT: float(max(fewest - told, 1))}


def stage(memory: Memory) -> answer_words.Stage:
    if memory.certification is not None:
        return "checking"
    if exploring(memory):
        return "exploring"
    if memory.cut_short:
        return "cut short"
    return "refused" if memory.refusals else "unchecked"


def confirmed(memory: Memory) -> str:
    """What makes the answer a converged one."""
    assert memory.certified is not None
    correction, se = memory.certified
    return (
        "the last new runs were as the surrogate predicted, and fresh runs at draws from the "
        f"posterior confirmed it {without_them(correction, se)}."
        + (" With this many parameters a separate second solution can still hide." if memory.dimension > SMALL else "")
    )


def without_them(correction: float, se: float) -> str:
    """What the runs that confirmed an answer changed; log true minus log predicted evidence, and its standard error."""
    return f"(they moved the log evidence by {with_error(abs(correction), se)})"


def about_outputs(settings: LoopSettings, memory: Memory) -> tuple[str, ...]:
    """Whether outputs or their score are learnt, where there is a choice and it was made."""
    m = memory.outputs
    if settings.cells is None or m.theta is None:
        return ()
    if m.used:
        learnt = "The program's outputs are learnt, not only how well they fit: that takes fewer runs."
        return (learnt, *_about_scatter(memory), *_left_open(memory))
    if m.doubt < BELIEVED:  # by later runs, which have not been asked yet
        return (
            "When it was last judged, the program's outputs could not be predicted well enough from other runs; so how well they "
            "fit is learnt instead.",
        )
    return (
        "The program's outputs cannot be predicted well enough from other runs: the log-likelihood of a run left out is missed "
        f"by {rough_beside(m.doubt, BELIEVED)}, where less than {BELIEVED:g} is asked. So how well they fit is learnt instead.",
    )


def _left_open(memory: Memory) -> tuple[str, ...]:
    """Of an answer that is called converged, where more is left open than is asked."""
    share = memory.outputs.left_open
    if not memory.converged or share <= MOST_OPEN:
        return ()
    where = f"In {percent(share)} of the prior"
    return (f"{where} the runs do not exclude outputs like those measured: another solution may lie there.",)


def _about_scatter(memory: Memory) -> tuple[str, ...]:
    m = memory.outputs
    if not m.scatters:
        return ()
    where = "" if m.level is None else ", more in some places than in others"
    size = (
        f"by all runs a value scatters by {rough(m.scatter)} of the measurement's error"
        if m.scatter > 0.0
        else f"two runs right beside each other differed by {rough(ROOT_TWO * m.roughness)} of the errors of the data"
    )
    return (
        f"Its outputs scatter: {size}{where}. A smooth surface through them is learnt; the points can be coloured by the noise "
        "this makes.",
    )


def outputs_unknown(memory: Memory) -> tuple[str, ...]:
    m = memory.outputs
    if not memory.emulated or (m.settled and m.hidden <= MOST_HIDDEN):
        return ()
    if m.settled:
        return (
            "When it was last looked for, other solutions could not be excluded: by what the runs tell so far, posterior "
            f"{_beside(m.hidden)} may lie where the program's outputs cannot be predicted yet.",
        )
    if m.unsure > MOST_UNSURE:
        much, may = f"{rough(100 * m.unsure)} % of the posterior", MOST_UNSURE
    else:
        much, may = f"A tail of the posterior with {rough(100 * m.unsure_width)} % of a parameter's variance", MOST_UNSURE_WIDTH
    return (f"{much} lies where the program's outputs cannot be predicted well enough yet; {spoken(100 * may)} % may.",)


def _beside(mass: float) -> str:
    """How much it is beside 1 for what was found."""
    return f"with {spoken(100 * mass, 2)} % of the mass of the answer" if mass < 1.0 else "with more mass than the answer"


def _flat(memory: Memory) -> bool:
    values = [t.y for t in memory.log.told if outcome_of(t) == "ok" and t.y is not None]
    return len(values) >= 5 and max(values) - min(values) < 1e-6 * (1.0 + abs(max(values)))


def name_of(settings: LoopSettings, i: int) -> str:
    return settings.names[i] if i < len(settings.names) else f"parameter {i + 1}"
