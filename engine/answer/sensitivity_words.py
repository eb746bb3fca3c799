"""Sensitivities in sentences and in rows of a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from ..problem.definition import Parameter, with_names
from ..session import atomic
from ..session.errors import SessionError
from ..session.store import SessionStore
from .csv_cells import csv_bytes
from .digits import rough
from .sensitivity import DataPart, Indices, Range, Sensitivity, stored_sensitivity

HARDLY = 0.01  # total index below which a parameter hardly matters
MOSTLY = 0.5  # index from which a parameter decides most
SOME = 0.1  # total index from which a parameter is named beside the first
TOGETHER = 0.1  # by which the totals may exceed the first orders without interactions being spoken of
UNKNOWN = 0.7  # share of the variance that is not the surrogate's own doubt: below, indices are of the doubt too
WIDE = 0.4  # of the interval of an index, from which nothing is said of it
MOST_NAMED = 4  # parameters in a sentence
FELT = 1.2  # times as large a standard deviation, from which it is said that a part of the data holds most of what is known
MOST = 0.5  # of what is known of a parameter: from there a part holds most of it
MOVED = 0.25  # standard deviations by which a mean moves, from which it is said
NOTHING = 0.01  # bits that a part of the data adds, below which it could be left out
FEW = 3  # measurements suggested in words
HEADER = (
    "kind", "quantity", "row", "place", "over", "parameter", "value", "low", "high", "known_or_k_hat", "how", "in_words",
)  # fmt: skip
HINT = (
    "First order: the share of the variance that goes if the parameter alone is known. Total: the share that stays if all others "
    "are known."
)
OVER_POSTERIOR = (
    "Over the posterior, whose parameters depend on each other: the first order counts what a parameter says through the others "
    "too, and may then be above the total (Kucherenko et al. 2012)."
)
NO_SUM = (
    "Bits do not add up: each part is taken out alone, beside all others. Parts that say the same count little each; a part that "
    "pulls against the others may count more than all of its column."
)
Titles = Mapping[str, str]


def index_words(value: float) -> str:
    """``.82``; below HARDLY ``< .01``; never 1, which none is known to be."""
    if value < HARDLY:
        return "< .01"
    return f"{min(value, 0.99):.2f}".lstrip("0")


def range_words(r: Range) -> str:
    """``.79 to .85``."""
    low, high = (index_words(end) for end in r[1:])
    return low if low == high else f"{low} to {high}"


def where_words(i: Indices) -> str:
    """``prey, t = 20``."""
    return f"{i.name}, {i.place}" if i.place else i.name


def sentence(i: Indices, parameters: Sequence[str], titles: Titles) -> str:
    """What the quantity depends on: ``The end temperature depends mostly on k1 (.82); k7 hardly matters (< .01).``"""
    what = "The log density" if i.kind == "log density" else f"“{where_words(i)}”"
    names = [titles.get(p, p) for p in parameters]
    order = sorted(range(len(names)), key=lambda k: -i.total[k][0])
    if i.known < UNKNOWN or max((t[2] - t[1] for t in i.total), default=0.0) > WIDE:
        return f"{what}: not known well enough over the {i.over} to say what it depends on."
    main = [k for k in order if i.total[k][0] >= SOME][:MOST_NAMED]
    if not main:
        return _together(what, i, names) or f"{what} depends on no parameter much."
    each = [f"{names[k]} ({index_words(i.total[k][0])})" for k in main]
    only = len(main) == 1 or i.total[main[0]][0] >= MOSTLY > i.total[main[1]][0]
    less = f", less on {_joined(each[1:])}" if only and each[1:] else ""
    mostly = "mostly " if only and i.total[main[0]][0] >= MOSTLY else ""
    said = f"{what} depends {mostly}on {each[0] if only else _joined(each)}{less}"
    none = [k for k in order if i.total[k][2] < HARDLY]
    shared = sorted((k for k in order if i.total[k][0] < SOME <= i.first[k][0]), key=lambda k: -i.first[k][0])
    with_others = [f"{names[k]} ({index_words(i.first[k][0])})" for k in shared]
    if with_others:
        much = "" if set(shared) <= set(none) else " for the most part"  # the total, below SOME, is what they leave
        these = f"which the others tell{'' if len(with_others) == 1 else ' together'}{much}"
        said += f"; it goes with {_joined(_some(with_others))} too, {these}"
    idle = [names[k] for k in none if i.first[k][0] < HARDLY]
    if idle:
        said += f"; {_joined(_some(idle))} hardly matter{'s' if len(idle) == 1 else ''} (< .01)"
    extra = sum(t[0] for t in i.total) - sum(f[0] for f in i.first)
    if i.over == "prior" and extra > TOGETHER:
        said += f". Part of it ({index_words(1.0 - sum(f[0] for f in i.first))}) is what they do together"
    return said + "."


def _together(what: str, i: Indices, names: Sequence[str]) -> str:
    """Where each parameter says what it depends on through the others; '' where none does."""
    order = sorted(range(len(names)), key=lambda k: -i.first[k][0])
    main = [k for k in order if i.first[k][0] >= SOME][:MOST_NAMED]
    if not main:
        return ""
    each = _joined([f"{names[k]} ({index_words(i.first[k][0])})" for k in main])
    if len(main) == 1:
        return f"{what} goes with {each}, which the other parameters tell as well."
    return (
        f"{what} goes with {each}. These shares overlap, since the parameters are correlated: with all others known, none of "
        f"them tells more than {index_words(SOME)} of it."
    )


def over_words(found: Sensitivity, titles: Titles) -> str:
    """What stood for the prior."""
    if not found.plausible:
        return "Over the prior as declared."
    if len(found.plausible) == len(found.parameters):
        return "Over the plausible ranges: the priors are too wide or have none."
    listed = _joined([titles.get(p, p) for p in found.plausible])
    return f"Over the prior; of {listed} over the plausible range, since the prior is much wider or endless."


def part_sentences(found: Sensitivity, titles: Titles) -> tuple[str, ...]:
    """Which parts of the data hold most of what is known of which parameter, and which could be left out."""
    said = []
    pieces = [p for p in found.parts if not p.whole]
    for k, name in enumerate(found.parameters):
        holding = [(p.share[k] or 0.0, p) for p in pieces if p.how != "failed"]
        if not holding:
            continue
        share, best = max(holding, key=lambda h: h[0])
        if share >= MOST and best.widening[k] >= FELT:
            at_least, hold = "at least " if best.bounded else "", "hold" if ", rows " in best.title else "holds"
            said.append(
                f"{_upper(best.title)} {hold} most of what is known of {titles.get(name, name)}: without, its standard deviation "
                f"would be {at_least}{rough(best.widening[k])} times as large."
            )
    idle = [p.title for p in pieces if p.bits < NOTHING and p.how != "failed"]
    if idle and len(idle) < len(pieces):
        said.append(f"Hardly anything would change without {_joined(_some(idle))}.")
    failed = [p.title for p in pieces if p.how == "failed"]
    if failed:
        said.append(
            f"Of {_joined(_some(failed))} it cannot be said: weights and draws do not reach all of the posterior without. "
            "To know, leave the rows out (page Data) and ask again."
        )
    if pieces and not said:
        said.append("No part of the data alone holds most of what is known of any parameter.")
    if len(pieces) > 1:
        said.append(NO_SUM)
    return tuple(said)


def part_words(p: DataPart, parameters: Sequence[str], titles: Titles) -> str:
    """What it holds of which parameters: ``k2: sd 2.1 times as large without``."""
    if p.how == "failed":
        return "not known: weights and new draws do not reach all of the posterior without it; only asking again would tell"
    order = sorted(range(len(parameters)), key=lambda k: -p.widening[k])
    named = [k for k in order if p.widening[k] >= 1.05][:3]
    at_least = "at least " if p.bounded else ""
    wider = ", ".join(f"{titles.get(parameters[k], parameters[k])} {rough(p.widening[k])}" for k in named)
    said = [f"sd without it, {at_least}times as large: {wider}"] if named else []
    k = max(range(len(parameters)), key=lambda j: abs(p.shift[j]))
    if abs(p.shift[k]) >= MOVED:
        where = "higher" if p.shift[k] > 0.0 else "lower"
        said.append(f"{titles.get(parameters[k], parameters[k])} would be {rough(abs(p.shift[k]))} sd {where}")
    return "; ".join(said) or "hardly anything would change without it"


def next_sentences(found: Sensitivity, titles: Titles) -> tuple[str, ...]:
    """The measurements that would teach most."""
    said = []
    for n in found.next[:FEW]:
        k = max(range(len(n.times)), key=lambda j: n.times[j])
        name = titles.get(found.parameters[k], found.parameters[k])
        effect = f"; {name} would be known about {rough(n.times[k])} times better" if n.times[k] >= 1.05 else ""
        said.append(f"{_upper(n.title)}{' again' if n.row else ''}: {n.bits:.2f} bits expected{effect}.")
    if found.next and found.next[0].bits < NOTHING:
        return ("One more measurement of this kind, wherever, would teach hardly anything (< .01 bits).",)
    return tuple(said)


def csv_rows(found: Sensitivity, titles: Titles) -> list[list[object]]:
    """Columns as HEADER."""
    rows: list[list[object]] = []
    for i in found.indices:
        words = sentence(i, found.parameters, titles)
        for kind, each in (("first order", i.first), ("total", i.total)):
            rows += [
                [kind, i.name, i.row or None, i.place, i.over, p, *r, i.known, None, words]
                for p, r in zip(found.parameters, each, strict=True)
            ]
    for part in found.parts:
        words = part_words(part, found.parameters, titles)
        ends = [None, None, part.pareto_k, part.how, words]
        rows.append(["information of data", part.title, *[None] * 4, part.bits, *ends])
        rows += [
            ["widening without", part.title, *[None] * 3, p, times, *ends]
            for p, times in zip(found.parameters, part.widening, strict=True)
        ]
    for n in found.next:
        half = 1.645 * n.bits_sd
        row = n.row or None
        rows.append(["expected information", n.title, row, *[None] * 3, n.bits, n.bits - half, n.bits + half, *[None] * 3])
        rows += [
            ["expected gain", n.title, row, None, None, p, times, *[None] * 5]
            for p, times in zip(found.parameters, n.times, strict=True)
        ]
    return rows


def titles_of(parameters: Sequence[Parameter]) -> Titles:
    """Labels of declared parameters by name."""
    return {p.name: p.label or p.name for p in with_names(parameters)}


def export_sensitivity(store: SessionStore, path: Path | str, *, replace: bool = False) -> None:
    """A row for each figure. Raises SessionError."""
    found = stored_sensitivity(store)
    if found is None:
        raise SessionError(
            "Sensitivities were not worked out for this answer", str(store.path),
            "Results, What the data taught, Work out sensitivities; or: bayescope taught FILE --sensitivity.",
        )  # fmt: skip
    atomic.write(path, csv_bytes(list(HEADER), csv_rows(found, titles_of(store.problem.parameters))), replace=replace)


def _some(names: Sequence[str]) -> list[str]:
    """At most MOST_NAMED, the last of them then telling how many more there are."""
    more = len(names) - MOST_NAMED + 1
    return [*names] if more <= 1 else [*names[: MOST_NAMED - 1], f"{more} more"]


def _joined(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _upper(words: str) -> str:
    return words[:1].upper() + words[1:]
