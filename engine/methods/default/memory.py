"""Everything the default loop remembers, and its exact round trip through plain dictionaries and arrays."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ...acquisition.ascents import Ascent
from ...acquisition.mode_design import AxialDesign
from ...answer.fresh_runs import Row
from ...feasibility.hyperparameters import MapFit
from ...loop_interface import State
from ...numerics.unseen_modes import WIDTH
from ...sampling.proposal import Proposal, proposal_of, proposal_state
from ...surrogate.frames import Whitening
from ..ask_tell import EvaluationLog
from .certification import Certification, Checked
from .doubts import Doubts
from .outputs_memory import OutputsMemory
from .stopping import Fresh

Array = NDArray[np.float64]


@dataclass
class Memory:
    """Arrays in inference space are called u, in the box frame b."""

    dimension: int
    log: EvaluationLog
    built_on: int = 0  # number of tells the surrogate knows of
    announced: int = 0  # number of tells at the last snapshot
    thetas: dict[str, Array] = field(default_factory=dict)  # hyperparameters of each variant of the surrogate
    variant: str = "box"  # the one in use
    whitening: Whitening | None = None
    fitted_at: int = 0  # number of values at the last hyperparameter fit
    framed_at: int = 0  # ... at the last choice of frame
    proposal: Proposal | None = None
    mended: bool = False  # the proposal, by walkers
    missed: float = 0.0  # share of the posterior that walkers still find missed by its draws
    last_ess: float = 1.0  # when the draws were made
    drawn_log_z: float = 0.0  # log Z then, without the box's volume
    draws_wanted: int = 8000
    drawn_at: int = 0  # number of tells the surrogate knew of when the draws were made
    weighed_at: list[int] = field(default_factory=list)  # ... each time they were weighted anew since
    unreached: list[int] = field(default_factory=list)  # rows of the values that the search of the draws did not reach
    history: list[Fresh] = field(default_factory=list)
    certification: Certification | None = None
    certification_points: list[int] = field(default_factory=list)  # indices of its asks
    fresh: list[Row] = field(default_factory=list)  # their outcomes beside what was predicted, see ``session.fresh_runs``
    checked_draws: list[int] = field(default_factory=list)  # indices of the draws among them that are told
    passed_draws: float = 0.0  # how many more would have been draws, were they asked where runs are known to fail
    refused_at: int = -1000  # number of tells at the last refusal
    refusals: int = 0
    cut_short: bool = False  # the budget ended before the last attempt was decided
    refused_by: float = 0.0  # how far off log Z seemed to be in the last refused attempt
    lookout: Array | None = None  # a place the surrogate cannot exclude (b), to be evaluated next
    explored: list[int] = field(default_factory=list)  # indices of such asks
    looked_around: int = 0  # how many of them were unexplored parts of the plausible box
    uninformative_looks: int = 0  # how many of them in a row told nothing
    ascent: Ascent | None = None  # the climb under way
    ascent_known: Proposal | None = None  # the mixture when it began: what it leads away from
    ascents: int = 0  # how many were begun
    ascent_ends: list[Array] = field(default_factory=list)  # where they began and ended (b)
    design: AxialDesign | None = None  # of the mode that the last one found
    designs: int = 0  # how many were begun
    designed: list[Array] = field(default_factory=list)  # their centres (b)
    hunting: float = WIDTH  # sd of the modes hunted, as a share of the plausible ranges; 0: none are in reach
    hunted: int = 0  # looks for another mode before the first certification
    settled_with: int = 0  # the budget when it was called converged; with another one since, what is left of that looks further
    settled_at: int = 0  # evaluations then
    looked_further: int = 0  # such looks
    further_wanted: int = 0  # such looks that are to be made in any case, as far as the budget goes
    certified: tuple[float, float] | None = None  # (l, se) of the accepted attempt
    checked: Checked | None = None  # what it said
    certified_log_z: float = float("nan")  # of the answer as it was then
    converged: bool = False
    mixture: Proposal | None = None
    elbo: tuple[float, float] = (
        float("nan"),
        float("nan"),
    )  # in units of log Z, with the quadrature's and surrogate's sd
    mixture_at: int = -1000
    bordered: int = 0  # looks at places where it is in question whether runs fail
    outputs: OutputsMemory = field(default_factory=OutputsMemory)
    doubts: Doubts = field(default_factory=Doubts)
    feasibility: dict[str, MapFit] = field(default_factory=dict)  # hyperparameters of where runs fail and where it is impossible

    @property
    def emulated(self) -> bool:
        """Whether the answer comes from outputs that are learnt."""
        return self.outputs.used and self.outputs.theta is not None

    def settle(self) -> None:
        """It is converged."""
        self.converged, self.looked_further, self.further_wanted, self.log.more = True, 0, 0, False
        self.settled_with, self.settled_at = self.log.budget, len(self.log.told)

    def to_state(self) -> State:
        c = self.certification
        return {
            "dimension": self.dimension,
            **self.log.to_state(),
            "built_on": self.built_on,
            "announced": self.announced,
            "thetas": dict(self.thetas),
            "variant": self.variant,
            "whitening": _whitening_state(self.whitening),
            "fitted_at": self.fitted_at,
            "framed_at": self.framed_at,
            "proposal": proposal_state(self.proposal),
            "mended": self.mended,
            "missed": self.missed,
            "last_ess": self.last_ess,
            "drawn_log_z": self.drawn_log_z,
            "draws_wanted": self.draws_wanted,
            "drawn_at": self.drawn_at,
            "weighed_at": list(self.weighed_at),
            "unreached": list(self.unreached),
            "history": [[f.residual, f.weight, f.log_z, f.log_z_sd, f.ess, f.temperature] for f in self.history],
            "certification": None if c is None else c.to_state(),
            "certification_points": list(self.certification_points),
            "fresh": [list(row) for row in self.fresh],
            "checked_draws": list(self.checked_draws), "passed_draws": self.passed_draws,
            "refused_at": self.refused_at,
            "refusals": self.refusals,
            "refused_by": self.refused_by,
            "cut_short": self.cut_short,
            "lookout": self.lookout,
            "explored": list(self.explored),
            "looked_around": self.looked_around,
            # the next seven under the names of sessions written so far
            "vain_looks": self.uninformative_looks,
            "trail": None if self.ascent is None else self.ascent.to_state(),
            "trail_known": proposal_state(self.ascent_known),
            "trails": self.ascents,
            "followed": [np.array(p) for p in self.ascent_ends],
            "chart": None if self.design is None else self.design.to_state(),
            "charts": self.designs,
            "designed": [np.array(p) for p in self.designed],
            "hunting": self.hunting,
            "hunted": self.hunted,
            "settled_with": self.settled_with,
            "settled_at": self.settled_at,
            "further_wanted": self.further_wanted,
            "looked_further": self.looked_further,
            "certified": None if self.certified is None else list(self.certified),
            "checked": None if self.checked is None else self.checked.to_state(),
            "certified_log_z": self.certified_log_z,
            "converged": self.converged,
            "mixture": proposal_state(self.mixture),
            "elbo": list(self.elbo),
            "mixture_at": self.mixture_at,
            "bordered": self.bordered,
            "outputs": self.outputs.to_state(),
            "doubts": self.doubts.to_state(),
            "feasibility": {k: fit.to_state() for k, fit in self.feasibility.items()},
        }

    @classmethod
    def of_state(cls, s: State) -> Memory:
        c = s["certification"]
        return cls(
            dimension=int(s["dimension"]),
            log=EvaluationLog.of_state(s),
            built_on=int(s["built_on"]),
            announced=int(s["announced"]),
            thetas={str(k): np.array(v, dtype=float) for k, v in s["thetas"].items()},
            variant=str(s["variant"]),
            whitening=_whitening_of(s["whitening"]),
            fitted_at=int(s["fitted_at"]),
            framed_at=int(s["framed_at"]),
            proposal=proposal_of(s["proposal"]),
            mended=bool(s.get("mended", False)),
            missed=float(s.get("missed", 0.0)),
            last_ess=float(s["last_ess"]),
            drawn_log_z=float(s.get("drawn_log_z", 0.0)),
            draws_wanted=int(s["draws_wanted"]),
            drawn_at=int(s["drawn_at"] if "drawn_at" in s else s["built_on"]),
            weighed_at=[int(i) for i in s.get("weighed_at", [])],
            unreached=[int(i) for i in s.get("unreached", [])],
            history=[Fresh(*(float(v) for v in row)) for row in s["history"]],
            certification=None if c is None else Certification.of_state(c),
            certification_points=[int(i) for i in s["certification_points"]],
            fresh=[tuple(float(v) for v in row) for row in s.get("fresh", [])],
            checked_draws=[int(i) for i in s.get("checked_draws", [])],
            passed_draws=float(s.get("passed_draws", 0.0)),
            refused_at=int(s["refused_at"]),
            refusals=int(s["refusals"]),
            refused_by=float(s.get("refused_by", 0.0)),
            cut_short=bool(s.get("cut_short", False)),
            lookout=None if s.get("lookout") is None else np.array(s["lookout"], dtype=float),
            explored=[int(i) for i in s.get("explored", [])],
            looked_around=int(s.get("looked_around", 0)),
            uninformative_looks=int(s.get("vain_looks", 0)),
            ascent=None if s.get("trail") is None else Ascent.of_state(s["trail"]),
            ascent_known=proposal_of(s.get("trail_known")),
            ascents=int(s.get("trails", 0)),
            ascent_ends=[np.array(p, dtype=float) for p in s.get("followed", [])],
            design=None if s.get("chart") is None else AxialDesign.of_state(s["chart"]),
            designs=int(s.get("charts", 0)),
            designed=[np.array(p, dtype=float) for p in s.get("designed", [])],
            hunting=float(s.get("hunting", WIDTH)),
            hunted=int(s.get("hunted", 0)),
            settled_with=int(s.get("settled_with") or s["budget"]),
            further_wanted=int(s.get("further_wanted", 0)),
            settled_at=int(s.get("settled_at") or s.get("settled_with") or s["budget"]),
            looked_further=int(s.get("looked_further", 0)),
            certified=None if s["certified"] is None else (float(s["certified"][0]), float(s["certified"][1])),
            checked=_checked(s),
            certified_log_z=float(s.get("certified_log_z", "nan")),
            converged=bool(s["converged"]),
            mixture=proposal_of(s["mixture"]),
            elbo=(float(s["elbo"][0]), float(s["elbo"][1])),
            mixture_at=int(s["mixture_at"]),
            outputs=OutputsMemory.of_state(s["outputs"]) if "outputs" in s else OutputsMemory(used=False),
            bordered=int(s.get("bordered", 0)),
            doubts=Doubts.of_state(s.get("doubts")),
            feasibility={k: MapFit.of_state(v) for k, v in s.get("feasibility", {}).items()},
        )


def _whitening_state(whitening: Whitening | None) -> State | None:
    return None if whitening is None else {"centre": whitening.centre, "matrix": whitening.matrix}


def _whitening_of(s: State | None) -> Whitening | None:
    return None if s is None else Whitening(np.array(s["centre"], dtype=float), np.array(s["matrix"], dtype=float))


def _checked(s: State) -> Checked | None:
    """Earlier versions kept by how much a check found log Z off, of an answer that did not know of it."""
    if s.get("checked") is not None:
        return Checked(*(float(v) for v in s["checked"]))
    if s["certified"] is None or "checked" in s:
        return None
    off = float(s.get("certified_error", s["certified"][1]))
    return Checked(float(s.get("certified_log_z", "nan")) + off, 0.0, 1.0, 0.0)
