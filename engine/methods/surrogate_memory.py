"""What the published loops (BVBMC, VBMC) remember, and its exact round trip through dictionaries and arrays."""

from __future__ import annotations

from dataclasses import dataclass, field, fields

import numpy as np
from numpy.typing import NDArray

from bayescope.engine.answer.fresh_runs import Row
from bayescope.engine.loop_interface import State
from bayescope.engine.methods.ask_tell import EvaluationLog
from bayescope.engine.methods.default.certification import Certification
from bayescope.engine.sampling.mixture import GaussianMixture
from bayescope.engine.variational.whitening import Frame

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Step:
    """The answer after one evaluation (BVBMC) or iteration (VBMC). nan: not known.

    residual: y - surrogate mean before the value was added; weight: min(1, exp(max(mean, y) - ymax + 2)), small where the density
    is. elbo and its sd in inference space; divergence: symmetrized KL from the step before.
    """

    evaluations: int
    elbo: float
    elbo_sd: float
    residual: float
    weight: float
    divergence: float

    @property
    def weighted_residual(self) -> float:
        return abs(self.residual) * self.weight


@dataclass
class Memory:
    """``mixture`` and ``theta`` (hyperparameters) are in the working coordinates of ``frame``."""

    log: EvaluationLog
    frame: Frame
    announced: int = 0
    theta: Array | None = None
    mixture: GaussianMixture | None = None
    steps: list[Step] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)  # the loop's own counters
    check: Certification | None = None  # under way; points in inference space
    check_asks: list[int] = field(default_factory=list)  # indices of its asks
    fresh: list[Row] = field(default_factory=list)  # outcomes of checks beside what was predicted, see ``session.fresh_runs``
    checked: tuple[float, float] | None = None  # correction of log Z and its se found by the last check

    def count(self, name: str) -> int:
        return self.counts.get(name, 0)

    def to_state(self) -> State:
        q = self.mixture
        return {
            **self.log.to_state(),
            "frame": {"center": self.frame.center.copy(), "matrix": self.frame.matrix.copy()},
            "announced": self.announced,
            "theta": None if self.theta is None else self.theta.copy(),
            "mixture": None
            if q is None
            else {"weights": q.weights.copy(), "means": q.means.copy(), "covariances": q.covariances.copy()},
            "steps": np.array([[getattr(s, f.name) for f in fields(Step)] for s in self.steps], dtype=float),
            "counts": dict(self.counts),
            "check": None if self.check is None else self.check.to_state(),
            "check_asks": list(self.check_asks),
            "fresh": [list(row) for row in self.fresh],
            "checked": None if self.checked is None else list(self.checked),
        }

    @staticmethod
    def of_state(state: State) -> Memory:
        q = state["mixture"]
        rows = np.asarray(state["steps"], dtype=float).reshape(-1, len(fields(Step)))
        return Memory(
            log=EvaluationLog.of_state(state),
            frame=Frame(_array(state["frame"]["center"]), _array(state["frame"]["matrix"])),
            announced=int(state["announced"]),
            theta=None if state["theta"] is None else _array(state["theta"]),
            mixture=None if q is None else GaussianMixture(_array(q["weights"]), _array(q["means"]), _array(q["covariances"])),
            steps=[Step(int(row[0]), *(float(v) for v in row[1:])) for row in rows],
            counts={str(k): int(v) for k, v in state["counts"].items()},
            check=None if state.get("check") is None else Certification.of_state(state["check"]),
            check_asks=[int(i) for i in state.get("check_asks", [])],
            fresh=[tuple(float(v) for v in row) for row in state.get("fresh", [])],
            checked=None if state.get("checked") is None else (float(state["checked"][0]), float(state["checked"][1])),
        )


def _array(value: object) -> Array:
    return np.array(value, dtype=np.float64)
