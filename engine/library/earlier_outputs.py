"""Runs made earlier, as arrays, for ``infer_outputs``: every slip is a ValueError in words."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..archive.output_columns import MappedOutputs, outputs_offered, program_parameters
from ..archive.output_runs import interpret_outputs
from ..archive.table import ArchiveError, Table
from ..problem.definition import Problem
from ..session.records import EvaluationRecord
from .arguments import numeric
from .outputs_problem import ONE

Array = NDArray[np.float64]
Earlier = tuple[Mapping[str, ArrayLike], ArrayLike | Mapping[str, ArrayLike]]  # values by name (N,), outputs (N, L), or by name


def earlier_runs(problem: Problem, archive: Earlier) -> tuple[tuple[EvaluationRecord, ...], tuple[str, ...]]:
    """The usable ones as runs of ``problem``, and what is to be said of the others. Raises ValueError."""
    if not isinstance(archive, tuple | list) or len(archive) != 2 or not isinstance(archive[0], Mapping):
        raise ValueError("archive must be (values by name, outputs), e.g. ({\"a\": a, \"k\": k}, curves).")
    given, outputs = archive
    named = outputs if isinstance(outputs, Mapping) else {ONE: outputs}
    needed = program_parameters(problem)
    missing = [n for n in needed if n not in given]
    if missing:
        raise ValueError(f"archive: there are no values of {', '.join(missing)}.")
    unknown = [str(n) for n in named if n not in outputs_offered(problem)]
    if unknown:
        raise ValueError(f"archive: there is no output “{unknown[0]}” in the data.")
    values = {n: numeric(given[n], f"archive, {n}") for n in needed}
    blocks = {str(n): _rows(v, f"archive, output “{n}”") for n, v in named.items()}
    lengths = {n: len(v) for n, v in (values | blocks).items()}
    if any(v.ndim != 1 for v in values.values()) or len(set(lengths.values())) != 1:
        there = ", ".join(f"{k} of {n}" for n, k in lengths.items())
        raise ValueError(f"archive: all must have one row for each run; there are {there}.")
    assert problem.data is not None
    longest = max(len(column) for column in problem.data.columns.values())  # as what the function returns is filled up
    fill = {n: np.full((len(b), max(0, longest - b.shape[1])), np.nan) for n, b in blocks.items()}
    blocks = {n: np.column_stack([b, fill[n]]) for n, b in blocks.items()}
    names = {n: tuple(f"{n}[{k}]" for k in range(block.shape[1])) for n, block in blocks.items()}
    columns = (*(f"value of {n}" for n in needed), *(c for group in names.values() for c in group))
    table = Table(columns, np.column_stack([*values.values(), *blocks.values()]), "the archive")
    try:
        found = interpret_outputs(table, problem, MappedOutputs({n: f"value of {n}" for n in needed}, names))
    except ArchiveError as error:
        raise ValueError(f"archive: {error}") from error
    return found.runs, found.imported.notes


def _rows(value: ArrayLike, what: str) -> Array:
    array = numeric(value, what)
    array = array[:, None] if array.ndim == 1 else array
    if array.ndim != 2 or not array.size:
        raise ValueError(f"{what}: one row for each run is needed; its shape is {array.shape}.")
    return array
