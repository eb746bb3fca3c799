"""What the data taught as a table for other programs."""

from __future__ import annotations

from pathlib import Path

from ..session import atomic
from ..session.errors import SessionError
from ..session.store import SessionStore
from .csv_cells import csv_bytes
from .taught import Taught, taught_of_store

HEADER = (
    "kind", "name", "unit", "prior_5", "prior_95", "posterior_5", "posterior_95", "scale", "contraction", "bits", "times_better",
    "in_words",
)  # fmt: skip


def export_taught(store: SessionStore, path: Path | str, *, replace: bool = False) -> None:
    """Rows of kind ``parameter`` and ``combination``. Raises SessionError."""
    found = taught_of_store(store)
    if found is None:
        raise SessionError("There is no posterior yet", str(store.path), "Run the analysis first.")
    atomic.write(path, csv_bytes(list(HEADER), csv_rows(found)), replace=replace)


def csv_rows(found: Taught) -> list[list[object]]:
    """Columns as HEADER."""
    rows: list[list[object]] = [
        ["parameter", r.parameter.name, r.parameter.unit, *r.prior, *r.posterior, r.scale, r.contraction, r.bits, r.times,
         r.words]
        for r in found.learnt
    ]  # fmt: skip
    titles, units = [r.title for r in found.learnt], [r.parameter.unit for r in found.learnt]
    for (_, c), words in zip(found.found, found.sentences, strict=True):
        scale = "logarithm" if c.fixed.logarithmic else "value"
        name = c.name(titles, units)
        rows.append(["combination", name, *[None] * 5, scale, 1.0 - c.fixed.times**-2, None, c.fixed.times, words])
    return rows
