"""The whole problem, and how its run goes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec

from ..method_options import METHODS
from .meanings import Meaning
from .noise_models import DataTable
from .outputs import Output
from .parameters import Parameter
from .program import Simulator
from .record import Record

FORMAT_VERSION = 4  # newest format of problem files; 2: gaps between cells (``Region.by``), 3: ``DataTable.limits``, 4: ``where``
METHOD_NAMES = tuple(METHODS)  # those that come with Bayescope
MAX_WORKERS = 256  # runs at the same time: a thread waits for each


MOST_STARTS = 20  # starting points: more are an archive of evaluations


class Settings(Record, frozen=True):
    """How the run goes. ``method``: 'default' is the recommended one. For comparison: 'bvbmc' (variational Bayesian Monte
    Carlo whose mixture of Gaussians grows by boosting), 'vbmc' (variational Bayesian Monte Carlo), 'svbmc' (the same with a
    sparse surrogate, started from an archive of earlier runs; ``max_evaluations`` 0 makes a posterior of the archive alone),
    'laplace' (one Gaussian around the best point) and 'slice' (Markov chains on the simulator itself, thousands of runs).

    A name that this version does not know can be read and looked at, not run. ``workers``: runs at the same time. ``seed``: of
    all random choices. ``goal``: 'posterior', or 'best_fit': runs are chosen to find the highest log density and end when it is
    found; it may be changed at any time, and nothing is run twice. ``starts``: values of all free parameters that are known
    to work; the first runs are made there.
    """

    # sources: default RECIPE, bvbmc seed 000, vbmc seed 001 A.5, svbmc seed 001
    method: Annotated[str, msgspec.Meta(extra_json_schema={"enum": list(METHOD_NAMES)})] = "default"
    max_evaluations: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] = 140
    workers: Annotated[int, msgspec.Meta(ge=1, le=MAX_WORKERS)] = 2
    seed: Annotated[int, msgspec.Meta(ge=0, le=2**32 - 1)] = 0
    max_hours: float | None = None
    device: Literal["auto", "cpu", "cuda"] = "auto"
    goal: Literal["posterior", "best_fit"] = "posterior"
    starts: tuple[dict[str, float], ...] = ()
    options: dict[str, float | int | str | bool] = {}  # of the method: ``problem.method_options``


class Problem(Record, frozen=True):
    """Everything the user declared. Immutable once a run has started, except ``settings``."""

    name: str
    parameters: tuple[Parameter, ...]
    simulator: Simulator
    outputs: tuple[Output, ...]
    meaning: Meaning
    data: DataTable | None = None
    settings: Settings = Settings()
    description: str = ""
    format_version: int = 1  # what it takes to read it is worked out when a file is written (``files.dumps``)


def free_parameters(problem: Problem) -> tuple[Parameter, ...]:
    """The parameters that are inferred (not fixed), in order; their number is D."""
    return tuple(p for p in problem.parameters if p.fixed is None)


def label_with_name(label: str, name: str) -> str:
    """A label that is shown alone, with the name by which files and inputs know the parameter: conductivity (k1)."""
    said = not label or re.search(rf"(?<!\w){re.escape(name)}(?!\w)", label) is not None
    return (label or name) if said else f"{label} ({name})"


def with_names(parameters: Sequence[Parameter]) -> tuple[Parameter, ...]:
    """The parameters with their names in labels, as ``label_with_name`` has them."""
    return tuple(msgspec.structs.replace(p, label=p.label and label_with_name(p.label, p.name)) for p in parameters)


def told_apart(parameters: Sequence[Parameter]) -> tuple[Parameter, ...]:
    """The parameters, those whose label another one is called by too with their names in it: conductivity (k1)."""
    called = Counter(p.label or p.name for p in parameters)
    return tuple(
        msgspec.structs.replace(p, label=f"{p.label} ({p.name})") if p.label and called[p.label] > 1 else p for p in parameters
    )
