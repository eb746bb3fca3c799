"""Lines of two texts of one program that belong together, though one text has more lines than the other."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher
from functools import partial
from itertools import takewhile

from ...extract.reading import Line

MOST_COMPARED = 1_000_000  # pairs of lines that are tried one by one, a second of work; the rest is left out but for its head
_NUMBER = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eEdD][-+]?[0-9]+)?")
_SPACES = re.compile(r"\s+")
_INDEX = re.compile(r"\W*(?:[^\W\d]\S*\s+)?\W*([0-9]+)(?![\w.])")  # behind one word at most: step 3, but no "after 3 iterations"
_OFTEN = (1, 8, 1_000_000)  # lines of one kind: the rarer a kind, the surer which of them belong together

Pair = tuple[int, int]


def beside_each_other(mine: Sequence[Line], theirs: Sequence[Line]) -> list[tuple[Line, Line]]:
    """Lines that correspond, from above to below: of one shape, their numbers aside, and in the same order.

    If a shape comes as often in both texts, its k-th line belongs to the k-th there, rare shapes first; before that by the whole
    number that such lines begin with, their index. Between lines so found others of one shape are compared in order.
    """
    a, b = [shape_of(line.text) for line in mine], [shape_of(line.text) for line in theirs]
    if a == b:
        return list(zip(mine, theirs, strict=True))
    indexed = [_indexed(line.text, shape) for line, shape in zip(mine, a, strict=True)]
    indexed_too = [_indexed(line.text, shape) for line, shape in zip(theirs, b, strict=True)]
    pairs: list[Pair] = []
    for here, there in ((indexed, indexed_too), (a, b)):
        for most in _OFTEN:
            pairs = _between(pairs, len(a), len(b), partial(_by_count, here, there, most))
    pairs = _between(pairs, len(a), len(b), _InOrder(a, b))
    return [(mine[i], theirs[j]) for i, j in pairs]


def shape_of(text: str) -> str:
    """``text`` without its numbers and the width of its spaces, which follow from them."""
    return _SPACES.sub(" ", _NUMBER.sub("#", text)).strip()


def _indexed(text: str, shape: str) -> str:
    found = _INDEX.match(text)
    return f"{shape}\n{found[1]}" if found is not None else shape


def _by_count(a: Sequence[str], b: Sequence[str], most: int, x: Pair, y: Pair) -> list[Pair]:
    """The k-th of all lines a[x] of one kind with the k-th of b[y], where there are as many, at most ``most``; without those that
    cross others."""
    here, there = _places(a, x), _places(b, y)
    pairs = [
        pair for kind, places in here.items() if len(places) == len(there.get(kind, ())) <= most
        for pair in zip(places, there[kind], strict=True)
    ]  # fmt: skip
    return _rising(sorted(pairs))


def _places(kinds: Sequence[str], within: Pair) -> dict[str, list[int]]:
    found: dict[str, list[int]] = defaultdict(list)
    for i in range(*within):
        if kinds[i]:
            found[kinds[i]].append(i)
    return found


def _rising(pairs: Sequence[Pair]) -> list[Pair]:
    """The most of these pairs, sorted by the first, of which the second rise too."""
    tails: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for k, (_, j) in enumerate(pairs):
        at = bisect_left(tails, j)
        before.append(ends[at - 1] if at else -1)
        tails[at : at + 1] = [j]
        ends[at : at + 1] = [k]
    found: list[Pair] = []
    k = ends[-1] if ends else -1
    while k >= 0:
        found.append(pairs[k])
        k = before[k]
    return found[::-1]


def _between(
    pairs: Sequence[Pair], n: int, m: int, find: Callable[[Pair, Pair], list[Pair]]
) -> list[Pair]:
    """``pairs`` of n and m lines, and those that ``find`` sees between them."""
    return list(_woven(pairs, n, m, find))


def _woven(pairs: Sequence[Pair], n: int, m: int, find: Callable[[Pair, Pair], list[Pair]]) -> Iterator[Pair]:
    i = j = 0
    for pair in (*pairs, (n, m)):
        if pair[0] > i and pair[1] > j:
            yield from find((i, pair[0]), (j, pair[1]))
        if pair != (n, m):
            yield pair
        i, j = pair[0] + 1, pair[1] + 1


class _InOrder:
    """All as they stand where they are as many: a number may be a word in one of the texts; else those of one shape."""

    def __init__(self, a: Sequence[str], b: Sequence[str]) -> None:
        self.a, self.b = a, b
        self.left = MOST_COMPARED

    def __call__(self, x: Pair, y: Pair) -> list[Pair]:
        size, other = x[1] - x[0], y[1] - y[0]
        mine, theirs = self.a[slice(*x)], self.b[slice(*y)]
        if size == other:
            return list(zip(range(*x), range(*y), strict=True))
        self.left -= size * other
        if self.left < 0 or len({*mine, *theirs}) == 1:
            head = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(mine, theirs, strict=False)))
            return [(x[0] + k, y[0] + k) for k in range(head)]
        blocks = SequenceMatcher(None, mine, theirs, autojunk=False).get_matching_blocks()
        return [(x[0] + one.a + k, y[0] + one.b + k) for one in blocks for k in range(one.size) if mine[one.a + k]]
