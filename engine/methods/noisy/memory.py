"""Everything the noisy loop remembers, and its exact round trip through plain dictionaries and arrays."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ...feasibility.hyperparameters import MapFit
from ...loop_interface import State
from ...sampling.proposal import Proposal, proposal_of, proposal_state
from ...surrogate.frames import Whitening
from ..ask_tell import EvaluationLog
from .stopping import Check

Array = NDArray[np.float64]


@dataclass
class NoisyMemory:
    """Arrays in inference space are called u, in the box frame b."""

    dimension: int
    log: EvaluationLog
    planned: list[Array] = field(default_factory=list)  # rest of the current batch, box frame
    plans: int = 0
    built_on: int = 0  # number of tells the surrogate knows of
    shown: bool = False  # whether there is an answer on show
    announced: int = 0  # built_on at the last snapshot
    theta_box: Array | None = None  # hyperparameters with the SE part in the box frame
    theta_white: Array | None = None  # ... in the whitened frame
    scales_box: Array | None = None  # (2,) log scales of the noise and of its shaping that go with theta_box
    scales_white: Array | None = None
    whitened: bool = False  # which of the two is in use
    frame_gap: float = float("inf")  # by how much its objective is better than the other's
    misfit: bool = False  # no smooth surface explains the values far below the top: they are compressed
    misfit_at: int = 0  # number of values when that was last asked; 0: it never was so
    whitening: Whitening | None = None
    lambdas: Array | None = None  # Student-t weights of the values, robust option
    levels: Array | None = None  # precision factors of a noise level that varies
    top: float | None = None  # largest surrogate mean at the data
    proposal: Proposal | None = None
    last_ess: float = 1.0
    mended: bool = False  # the proposal, by walkers
    missed: float = 0.0  # share of the posterior that walkers still find missed by its draws
    checks: list[Check] = field(default_factory=list)
    looked_around: bool = False  # at unexplored parts of the plausible box
    doubtful: bool = False  # whether there are places that the surrogate cannot exclude
    converged: bool = False
    climbing: bool = False  # summaries lead to the mode of a synthetic likelihood
    differs: float = 0.0  # the emulated posterior from the answer, at the last check: mean total variation of the marginals
    border: float = 0.0  # what the border of a zero density left open at the last check
    mixture: Proposal | None = None
    elbo_gap: float = float("nan")  # log evidence minus ELBO: the KL divergence of the mixture
    elbo_gap_sd: float = float("nan")
    feasibility: dict[str, MapFit] = field(default_factory=dict)  # hyperparameters of where runs fail and where it is impossible

    def to_state(self) -> State:
        w = self.whitening
        return {
            "loop": "noisy",
            "dimension": self.dimension,
            **self.log.to_state(),
            "planned": list(self.planned),
            "plans": self.plans,
            "built_on": self.built_on,
            "shown": self.shown,
            "announced": self.announced,
            "theta_box": self.theta_box,
            "theta_white": self.theta_white,
            "scales_box": self.scales_box,
            "scales_white": self.scales_white,
            "whitened": self.whitened,
            "frame_gap": self.frame_gap,
            "misfit": self.misfit,
            "misfit_at": self.misfit_at,
            "whitening": None if w is None else {"centre": w.centre, "matrix": w.matrix},
            "lambdas": self.lambdas,
            "levels": self.levels,
            "top": self.top,
            "proposal": proposal_state(self.proposal),
            "last_ess": self.last_ess,
            "mended": self.mended,
            "missed": self.missed,
            "checks": [[c.n, c.variation, c.log_z, c.log_z_sd, c.ess] for c in self.checks],
            "looked_around": self.looked_around,
            "doubtful": self.doubtful,
            "converged": self.converged,
            "climbing": self.climbing,
            "differs": self.differs,
            "border": self.border,
            "mixture": proposal_state(self.mixture),
            "elbo_gap": self.elbo_gap,
            "elbo_gap_sd": self.elbo_gap_sd,
            "feasibility": {k: fit.to_state() for k, fit in self.feasibility.items()},
        }

    @classmethod
    def of_state(cls, s: State) -> NoisyMemory:
        """Raises ValueError if the state is another loop's."""
        if s.get("loop") != "noisy":
            raise ValueError("This checkpoint was written by another method.")
        w = s["whitening"]
        return cls(
            dimension=int(s["dimension"]),
            log=EvaluationLog.of_state(s),
            planned=[np.array(b, dtype=float) for b in s["planned"]],
            plans=int(s["plans"]),
            built_on=int(s["built_on"]),
            shown=bool(s.get("shown", False)),
            announced=int(s["announced"]),
            theta_box=_array(s["theta_box"]),
            theta_white=_array(s["theta_white"]),
            scales_box=_array(s["scales_box"]),
            scales_white=_array(s["scales_white"]),
            whitened=bool(s["whitened"]),
            frame_gap=float(s["frame_gap"]),
            misfit=bool(s.get("misfit", False)),
            misfit_at=int(s.get("misfit_at", 0)),
            whitening=None
            if w is None
            else Whitening(np.array(w["centre"], dtype=float), np.array(w["matrix"], dtype=float)),
            lambdas=_array(s["lambdas"]),
            levels=_array(s["levels"]),
            top=None if s["top"] is None else float(s["top"]),
            proposal=proposal_of(s["proposal"]),
            last_ess=float(s["last_ess"]),
            mended=bool(s.get("mended", False)),
            missed=float(s.get("missed", 0.0)),
            checks=[Check(int(r[0]), *(float(v) for v in r[1:])) for r in s["checks"]],
            looked_around=bool(s.get("looked_around", False)),
            doubtful=bool(s.get("doubtful", False)),
            converged=bool(s["converged"]),
            climbing=bool(s.get("climbing", False)),
            differs=float(s.get("differs", 0.0)),
            border=float(s.get("border", 0.0)),
            mixture=proposal_of(s["mixture"]),
            elbo_gap=float(s["elbo_gap"]),
            elbo_gap_sd=float(s["elbo_gap_sd"]),
            feasibility={k: MapFit.of_state(v) for k, v in s.get("feasibility", {}).items()},
        )


def _array(a: Array | None) -> Array | None:
    return None if a is None else np.array(a, dtype=float)
