"""Rows and columns of the test run's tables: outputs read, files of the run folder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bayescope.engine.protocol import TrialFile, TrialOutput, TrialRunReport
from bayescope.gui.models.plain import one_line
from bayescope.gui.models.records import Column
from bayescope.gui.style import words


@dataclass(frozen=True)
class OutputRow:
    """One output of the test run and, if it was checked, of the run at other values."""

    name: str
    value: str
    other: str
    source: str
    ok: bool


def output_rows(report: TrialRunReport, other: TrialRunReport | None) -> tuple[OutputRow, ...]:
    checked = {o.name: o for o in other.outputs} if other else {}
    return tuple(
        OutputRow(
            o.name,
            values_words(o),
            values_words(checked[o.name]) if o.name in checked else "–",
            o.source,
            not o.problem,
        )
        for o in report.outputs
    )


def values_words(output: TrialOutput, most: int = 4) -> str:
    """``12.75``, ``5 numbers: 1, 2, 3, 4, …`` or why it could not be read."""
    if output.problem:
        return f"✕ {output.problem}"
    return labels_words(output.texts, most) if output.texts else numbers_words(output.values, most)


def labels_words(texts: tuple[str, ...], most: int = 4) -> str:
    """What an output of labels holds: ``3 labels: A1, A2, B7``."""
    shown = ", ".join(one_line(text, 20) for text in texts[:most]) + (", …" if len(texts) > most else "")
    return shown if len(texts) == 1 else f"{len(texts)} labels: {shown}"


def numbers_words(values: tuple[float | None, ...], most: int = 4) -> str:
    if not values:
        return "no number"
    first = first_values(values, most)
    return first if len(values) == 1 else f"{len(values)} numbers: {first}"


def first_values(values: Sequence[float | None], most: int) -> str:
    """The first of these numbers, and a sign that there are more."""
    texts = ["not a number" if v is None else words.number(v, 8) for v in values[:most]]
    return f"{', '.join(texts)}{', …' if len(values) > most else ''}"


def output_columns() -> tuple[Column[OutputRow], ...]:
    return (
        Column("name", "Output", "The output's name.", lambda r: r.name),
        Column("value", "Read", "What was read in the test run.", lambda r: r.value),
        Column("other", "At other values", "What was read in the check at other values.", lambda r: r.other),
        Column("source", "From", "Where it was read.", lambda r: r.source),
    )


ROLES = {"template": "filled in", "extra": "copied in", "produced": "output"}


def _role_words(file: TrialFile) -> str:
    return f"{ROLES[file.role]}, {file.binary.words}" if file.binary is not None else ROLES[file.role]


def file_columns() -> tuple[Column[TrialFile], ...]:
    return (
        Column("name", "File", "Name in the run's folder.", lambda f: f.name),
        Column("role", "What it is", "Who made it.", _role_words),
        Column("size", "Size", "On disk.", lambda f: size_words(f.size), None, True),
    )


def size_words(size: int) -> str:
    if size < 1000:
        return f"{size} B"
    return f"{size / 1000:.1f} kB" if size < 1_000_000 else f"{size / 1_000_000:.1f} MB"
