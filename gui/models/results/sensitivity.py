"""Sensitivities as rows of tables, and what can be chosen among them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bayescope.engine.answer.sensitivity import DataPart, Indices, NextMeasurement, Over, Range, Sensitivity
from bayescope.engine.answer.sensitivity_words import Titles, index_words, part_words
from bayescope.gui.models.plain import one_line
from bayescope.gui.models.records import Column

NAME_WORDS, PLACE_WORDS = 60, 80
MOST_NEXT = 10  # measurements listed
OVER = (("posterior", "Over the posterior"), ("prior", "Over the prior"))


@dataclass(frozen=True)
class IndexRow:
    """One parameter's indices of the quantity shown."""

    title: str
    first: Range
    total: Range


@dataclass(frozen=True)
class PartRow:
    part: DataPart
    words: str
    share: float  # of the part that adds most


@dataclass(frozen=True)
class NextRow:
    next: NextMeasurement
    words: str
    share: float


def quantities(found: Sensitivity) -> list[tuple[str, str]]:
    """(key, words) of every output and the log density, in order."""
    names = list(dict.fromkeys((i.kind, i.name) for i in found.indices))
    return [(f"{kind}:{name}", one_line(name if kind == "output" else "The log density", NAME_WORDS)) for kind, name in names]


def rows_of_quantity(found: Sensitivity, quantity: str, over: Over) -> list[tuple[str, str]]:
    """(key, words) of the rows of an output that have indices of their own; the first is all together."""
    here = _of(found, quantity, over)
    return [(str(i.row), one_line(f"Only {i.place}", PLACE_WORDS) if i.row else "All its rows together") for i in here]


def shown_indices(found: Sensitivity, quantity: str, over: Over, row: str) -> Indices | None:
    here = _of(found, quantity, over)
    return next((i for i in here if str(i.row) == row), here[0] if here else None)


def index_rows(found: Sensitivity, indices: Indices | None, titles: Titles) -> tuple[IndexRow, ...]:
    """The most important parameter first."""
    if indices is None:
        return ()
    rows = [
        IndexRow(titles.get(name, name), first, total)
        for name, first, total in zip(found.parameters, indices.first, indices.total, strict=True)
    ]
    return tuple(sorted(rows, key=lambda r: -r.total[0]))


def part_rows(found: Sensitivity, titles: Titles) -> tuple[PartRow, ...]:
    """In the order of the data."""
    most = max((p.bits for p in found.parts), default=1.0) or 1.0
    return tuple(PartRow(p, part_words(p, found.parameters, titles), p.bits / most) for p in found.parts)


def next_rows(found: Sensitivity, titles: Titles) -> tuple[NextRow, ...]:
    """The most informative first."""
    shown = found.next[:MOST_NEXT]
    most = max((n.bits for n in shown), default=1.0) or 1.0
    return tuple(NextRow(n, _gains(n, found.parameters, titles), n.bits / most) for n in shown)


def index_columns() -> tuple[Column[IndexRow], ...]:
    return (
        Column("parameter", "Parameter", "", lambda r: one_line(r.title, NAME_WORDS)),
        Column("first", "First order", "Share of the variance that goes if this parameter alone is known.",
               lambda r: index_words(r.first[0]), numeric=True),
        Column("first_90", "90 %", "Of the first order: what surrogate and sampling leave open.", lambda r: _range(r.first),
               numeric=True),
        Column("total", "Total", "Share of the variance that stays if all other parameters are known.",
               lambda r: index_words(r.total[0]), numeric=True),
        Column("total_90", "90 %", "Of the total: what surrogate and sampling leave open.", lambda r: _range(r.total),
               numeric=True),
        Column("bar", "Total, 0 to 1", "The total index as a bar, with its 90 % interval.", lambda r: f"{r.total[0]:.3f}"),
    )  # fmt: skip


def part_columns() -> tuple[Column[PartRow], ...]:
    return (
        Column("part", "Data", "", lambda r: one_line(r.part.title, PLACE_WORDS)),
        Column("bits", "Bits", "What this part adds to the other data (Kullback-Leibler divergence of the posterior from that "
               "without it).", lambda r: "–" if r.part.how == "failed" else f"{r.part.bits:.2f}", numeric=True),
        Column("bar", "Bits, as a bar", "Of the part that adds most.", lambda r: f"{r.share:.3f}"),
        Column("words", "In words", "", lambda r: r.words),
        Column("how", "By", "How it was taken out: by weighting the draws where that can be relied on, else by drawing anew. "
               "Weights with k̂ up to 0.7 are usable; for widths, which are told here, up to 0.5.", _how),
    )  # fmt: skip


def next_columns() -> tuple[Column[NextRow], ...]:
    return (
        Column("what", "Measure", "", lambda r: one_line(r.next.title, PLACE_WORDS)),
        Column("bits", "Bits expected", "Information on the parameters that is expected of one more value.",
               lambda r: f"{r.next.bits:.2f}", numeric=True),
        Column("bar", "Bits, as a bar", "Of the most informative one.", lambda r: f"{r.share:.3f}"),
        Column("words", "In words", "", lambda r: r.words),
    )  # fmt: skip


def _of(found: Sensitivity, quantity: str, over: Over) -> list[Indices]:
    kind, _, name = quantity.partition(":")
    return [i for i in found.indices if i.kind == kind and i.name == name and i.over == over]


def _range(r: Range) -> str:
    low, high = (index_words(end) for end in r[1:])
    return low if low == high else f"{low} … {high}"


def _how(r: PartRow) -> str:
    k = "" if r.part.pareto_k is None else f" {r.part.pareto_k:.2f}"
    if r.part.how == "draws":
        return f"new draws (k̂{k}, for widths up to 0.5)" if k else "new draws"
    return {"weights": "weights", "failed": "not possible"}[r.part.how] + (f" (k̂{k})" if k else "")


def _gains(n: NextMeasurement, parameters: Sequence[str], titles: Titles) -> str:
    order = sorted(range(len(parameters)), key=lambda k: -n.times[k])
    named = [k for k in order if n.times[k] >= 1.01][:3]
    if not named:
        return "no parameter would be known 1.01 times better"
    listed = ", ".join(f"{titles.get(parameters[k], parameters[k])} {n.times[k]:.2f}" for k in named)
    return f"times better known: {listed}"


