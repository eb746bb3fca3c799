"""Which places a quantity was measured at, as labels and remarks of a data file tell: U3; "UX measured at nodes 103 and 105"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .text_keys import plain

LONGEST = 300  # characters of a remark; more are a text about other things
MOST_IN_RANGE = 10_000  # places; more are no list of channels
_TAIL = re.compile(r"(?<![0-9.,])([0-9]{1,6})$")
_AND = r"(?:\s*(?:,|;|/|&|\+|\band\b|\bund\b|\bet\b|\by\b|\be\b|\ben\b)\s*)+"
_LIST = re.compile(rf"(?<![\w.,])[0-9]{{1,7}}(?:{_AND}[0-9]{{1,7}})*(?![\w]|[.,][0-9])")
_TO = r"\s*(?:\.\.\.?|…|-|–|\bto\b|\bbis\b)\s*"
_SPAN = rf"([0-9]{{1,6}}){_TO}([0-9]{{1,6}})"
_EQUAL = re.compile(rf"(?<![\w.]){_SPAN}\s*(?:=|->|→|:)\s*(?:[^\W\d_]+\.?\s*)?{_SPAN}(?![\w]|[.,][0-9])")
_CLAUSE = re.compile(r"[;\n]|(?<=[^0-9])\.\s")


def label_numbers(labels: Sequence[str | None]) -> tuple[int, ...]:
    """The whole number at the end of each label, W1 and W2; () where one has none, or two have the same."""
    found = [_TAIL.search(plain(label or "")) for label in labels]
    numbers = tuple(int(match[1]) for match in found if match is not None)
    return numbers if len(numbers) == len(found) == len(set(numbers)) else ()


def said_places(remarks: Sequence[str], names: Sequence[str], count: int) -> tuple[tuple[int, ...], str]:
    """The ``count`` whole numbers, all different, that a clause of a remark lists behind one of the ``names`` of a quantity, and
    the clause; ((), '') where none does, or clauses differ."""
    wanted = [re.compile(rf"(?<![\w]){re.escape(name)}(?![\w])", re.IGNORECASE) for name in names if name.strip()]
    found: dict[tuple[int, ...], str] = {}
    for remark in remarks:
        for clause in _CLAUSE.split(remark) if len(remark) <= LONGEST else ():
            for named in filter(None, (name.search(clause) for name in wanted)):
                lists = (re.findall(r"[0-9]+", one[0]) for one in _LIST.finditer(clause, named.end()))
                for numbers in lists:
                    if len(numbers) == len(set(numbers)) == count:
                        found.setdefault(tuple(map(int, numbers)), " ".join(clause.split()))
    return next(iter(found.items())) if len(found) == 1 else ((), "")


def said_ranges(remarks: Sequence[str]) -> tuple[dict[int, int], str]:
    """Which number a remark gives each place, 1..5 = node 101..105, and the remark; ({}, '') where none does."""
    for remark in remarks:
        found = _EQUAL.search(remark) if len(remark) <= LONGEST else None
        if found is None:
            continue
        a, b, c, d = map(int, found.groups())
        if 0 < b - a == d - c < MOST_IN_RANGE:
            return {a + k: c + k for k in range(b - a + 1)}, " ".join(remark.split())
    return {}, ""
