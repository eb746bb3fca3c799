"""One size of the errors for all columns of one quantity, Latitude D31 and Latitude D32, once one of them has it; and for
columns of one output, measured again in another table. Pure."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.names.column_names import unit_in, without_unit
from bayescope.gui.models.data.errors.error_size import ErrorSize, size_of, text_of_size
from bayescope.gui.models.plain import one_line


@dataclass(frozen=True)
class OfOneQuantity:
    """``problem``: with the size for all ``count`` columns of the ``quantity``; ``words``: what is so far, a sentence."""

    quantity: str
    count: int
    words: str
    problem: d.Problem

    @property
    def button(self) -> str:
        name = one_line(self.quantity, 24).replace("&", "&&")
        return f"&So for all {self.count} of “{name}”"


def of_one_quantity(problem: d.Problem) -> OfOneQuantity | None:
    """The first quantity of which some columns have one size of their own and others have none; None: there is none."""
    meaning = problem.meaning
    if not isinstance(meaning, d.Predictions):
        return None
    groups: dict[tuple[str, str], list[int]] = {}
    for i, match in enumerate(meaning.matches):
        base, _, label = without_unit(match.column).rpartition(" ")
        if base and label:
            groups.setdefault((base, unit_in(match.column)), []).append(i)
    for (base, _), rows in groups.items():
        own = [i for i in rows if meaning.matches[i].noise is not None]
        rest = [i for i in rows if meaning.matches[i].noise is None and meaning.matches[i].sd_column is None]
        size = size_of(meaning.matches[own[0]].noise) if own else None
        if size is None or not rest or any(meaning.matches[i].noise != meaning.matches[own[0]].noise for i in own):
            continue
        matches = list(meaning.matches)
        for i in rest:
            matches[i] = msgspec.structs.replace(matches[i], noise=matches[own[0]].noise)
        first = one_line(meaning.matches[own[0]].column, 40)
        changed = msgspec.structs.replace(problem, meaning=msgspec.structs.replace(meaning, matches=tuple(matches)))
        words = f"“{first}” has errors of {text_of_size(size)}; {len(rest)} more of “{one_line(base, 24)}” have not."
        return OfOneQuantity(base, len(rows), words, changed)
    return None


@dataclass(frozen=True)
class SizedAlike:
    """``problem``: with errors of the ``size`` that those of ``column`` have, in place of those that are not said yet."""

    column: str
    size: ErrorSize
    problem: d.Problem


def sized_alike(problem: d.Problem) -> SizedAlike | None:
    """Where all comparisons whose errors are not said are of outputs measured elsewhere, in the same unit, with errors of one
    size; None: they are not."""
    meaning = problem.meaning
    if not isinstance(meaning, d.Predictions) or meaning.noise != d.GaussianKnown():
        return None
    like: d.Match | None = None
    matches = list(meaning.matches)
    for i, match in enumerate(meaning.matches):
        if not match.column or match.noise is not None or match.sd_column is not None:
            continue
        same = (m for m in meaning.matches if m.output == match.output and unit_in(m.column) == unit_in(match.column))
        twin = next((m for m in same if size_of(m.noise) is not None), None)
        if twin is None or (like is not None and like.noise != twin.noise):
            return None
        like, matches[i] = twin, msgspec.structs.replace(match, noise=twin.noise)
    size = None if like is None else size_of(like.noise)
    if like is None or size is None:
        return None
    changed = msgspec.structs.replace(problem, meaning=msgspec.structs.replace(meaning, matches=tuple(matches)))
    return SizedAlike(like.column, size, changed)
