"""Lines of a data file that say what its columns are: "P: LVDT on the steel plate", "LA, LB: laser on pad A / pad B". Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from .column_names import without_unit
from .name_words import words_in

LONGEST = 200  # characters of a line; more are a text about other things
_SAYS = re.compile(r"\W*(?P<names>[^:=]{1,60}?)\s*[:=]\s*(?P<text>.*[^\W\d_].*)")
_COMMA = re.compile(r"\s*[,;&]\s*|\s+and\s+")
_WORD = re.compile(r"[^\W_]+")
_SLASH = re.compile(r"\s*/\s*")
SHORTEST = 3  # letters of a word that tells something; of alternatives, pad A / pad B, one is enough
_FILLERS = frozenset("the and for with from und der die das des von für les des pour sur".split())


def explained_columns(lines: Sequence[str], columns: Sequence[str]) -> dict[str, frozenset[str]]:
    """By column the words that say what it is, in small letters; of several columns in one line those of all, and of as many
    alternatives between slashes its own, A, as it is written. A column that two lines explain is none."""
    bare = {without_unit(c).strip(): c for c in columns}
    found: dict[str, list[frozenset[str]]] = {}
    for line in lines:
        said = _SAYS.fullmatch(line.strip()) if len(line) <= LONGEST else None
        names = _COMMA.split(said["names"].strip()) if said is not None else []
        if said is None or not all(name in bare for name in names):
            continue
        own = _alternatives(said["text"], len(names))
        every = {w.casefold() for w in _WORD.findall(said["text"]) if len(w) >= SHORTEST} - _FILLERS
        every -= {word.casefold() for word in own}
        for k, name in enumerate(names):
            found.setdefault(bare[name], []).append(frozenset({*every, *own[k : k + 1]}))
    return {column: told[0] for column, told in found.items() if len(told) == 1}


def _alternatives(text: str, count: int) -> list[str]:
    """The word that tells each of ``count`` alternatives from the others: A and B of "pad A / pad B" or "pad A / B"."""
    parts = _SLASH.split(text)
    for k in range(len(parts) - count + 1) if count > 1 else ():
        first, *others = (_WORD.findall(part) for part in parts[k : k + count])
        if not first or not all(others):
            continue
        lead = first[-2] if len(first) > 1 else ""
        own = [first[-1], *(o[1] if len(o) > 1 and o[0] == lead else o[0] for o in others)]
        if len(set(own)) == count:
            return [word if len(word) == 1 else word.casefold() for word in own]
    return []


def told_by_lines(outputs: Sequence[str], columns: Sequence[str], lines: Sequence[str]) -> dict[str, str]:
    """Each output with the column whose explanation has most words of its name; none where two have as many, or the column is
    that of two outputs."""
    explained = {c: words for c, words in explained_columns(lines, columns).items() if c in columns}
    found: dict[str, str] = {}
    for output in outputs:
        own = {w for w in words_in(output) if len(w) == 1 or len(w) >= SHORTEST}
        count = Counter({c: len(own & words) for c, words in explained.items() if own & words})
        best = count.most_common(2)
        if best and (len(best) == 1 or best[0][1] > best[1][1]):
            found[output] = best[0][0]
    taken = Counter(found.values())
    return {output: column for output, column in found.items() if taken[column] == 1}
