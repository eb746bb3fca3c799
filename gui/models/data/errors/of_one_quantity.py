"""One size of the errors for all columns of one quantity, Latitude D31 and Latitude D32, once one of them has it. Pure."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.names.column_names import unit_in, without_unit
from bayescope.gui.models.data.errors.error_size import size_of, text_of_size
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
