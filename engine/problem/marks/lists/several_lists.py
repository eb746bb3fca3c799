"""Several lists of numbers at once, each an output of its own: those under a drag, those picked one by one by their names."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...data.names.column_names import fresh
from ...definition import JsonPath
from ...json_spans import number_paths
from ...numbers.numbers_in_text import overlaps
from ...propose import propose
from ...propose_tables import Proposal
from ..found import Each
from ..found import Found as One
from ..labels.label_names import distinct_names
from ..mark import MOST_OUTPUTS, Mark
from .declared_units import declared_unit
from .found_list import Found
from .list_offers import label_of_list, ways


def lists_under(mark: Mark, taken: Sequence[str] = ()) -> Each:
    """The lists that a drag touches, if they are two or more; ``taken``: names of other outputs."""
    found = mark.lists.touched(mark.start, mark.end, MOST_OUTPUTS)
    if len(found) < 2:
        return Each(())
    return Each(tuple(found_lists(mark, found, taken)), apart=True)


def lists_in_lists(mark: Mark, taken: Sequence[str] = ()) -> Each:
    """The lists of a JSON text whose numbers a drag touches, if they are two or more, however deep in others."""
    if mark.start == mark.end or mark.text.lstrip()[:1] not in ("{", "["):
        return Each(())
    numbers: dict[tuple[str, ...], tuple[int, int]] = {}
    for one in number_paths(mark.text):
        if one.in_list and overlaps(one.start, one.end, mark.start, mark.end):
            numbers.setdefault(one.keys[:-1], (one.start, one.end))
    if not 2 <= len(numbers) <= MOST_OUTPUTS:
        return Each(())
    found: list[One] = []
    for keys, span in numbers.items():
        whole = [p for p in propose(mark.text, *span, mark.source) if isinstance(p.extractor, JsonPath) and p.is_vector]
        for proposal in whole[:1]:
            name = fresh(_called(keys), [*taken, *(f.name for f in found)])
            found.append(One(mark.source, name, "", ".".join(keys), proposal, proposal.words))
    return Each(tuple(found), apart=len(found) > 1)


def _called(keys: Sequence[str]) -> str:
    """layers_0 of run, layers, 0: from the last name on, with the list of which it is an item."""
    named = [k for k, key in enumerate(keys) if not key.isdigit()]
    first = next((k for k in reversed(named) if k == 0 or not keys[k - 1].isdigit()), 0)
    return re.sub(r"\W+", "_", "_".join(keys[first:])).strip("_") or "list"


def found_lists(mark: Mark, lists: Sequence[Found], taken: Sequence[str]) -> list[One]:
    """How each of these lists is read, under a name of its own."""
    labels = [label_of_list(one.whole.name) for one in lists]
    found: list[One] = []
    for one, label, name in zip(lists, labels, distinct_names(labels), strict=True):
        keyed = _by_keys(mark, one)
        if keyed:
            proposal, words = keyed[0], keyed[0].words
        else:
            _, words, proposal = next(ways(one, mark.text, ()))
        free = fresh(name, [*taken, *(f.name for f in found)])
        found.append(One(mark.source, free, declared_unit(proposal.extractor, mark.text), label, proposal, words))
    return found


def _by_keys(mark: Mark, one: Found) -> list[Proposal]:
    """The list of a JSON text by its keys; empty in any other text."""
    if mark.text.lstrip()[:1] not in ("{", "["):
        return []
    spans = one.body.spans
    some = propose(mark.text, spans[0][0], spans[1][1], mark.source)
    return [p for p in some if isinstance(p.extractor, JsonPath) and p.is_vector]
