"""Of which quantities of its row a remark says that they are no good: "Na: contaminated vial, do not use" is of Na alone."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from ..names.column_names import VALUE_WORDS, without_unit
from .quality_words import GOOD, against_one, where_against

LONGEST = 300  # characters of a remark; more are a text about other things
_SENTENCE = re.compile(r"[;\n]|(?<=[^\W\d_]{3})\.(?=\s)")  # n.d. ends none
_WORDS = re.compile(r"[^\W_]+")
_FOOTNOTE = re.compile(r"\s*\(?[*†‡§¶#]")
_OTHERS = re.compile(r"\b(?:except|apart from|other than|all but|außer|ausser|bis auf|sauf|excepté|salvo)\b", re.IGNORECASE)
# symbols and letters that are words too: they count where a colon follows
ALSO_WORDS = frozenset("a i as at be he in no so us am an by do et go if is it la le me my of on or to un up we".split())
_NO_NAMES = frozenset(("from", "of", "the", "and", "for", "with", "per", "und", "von", "de"))  # words inside names
SURE = 3  # letters of a name, from which on it counts in any case


def remarked_quantities(remark: str, columns: Sequence[str]) -> tuple[str, ...] | None:
    """The ``columns`` whose values a remark speaks against; () where it speaks against none, None: against its whole row."""
    if len(remark) > LONGEST:
        return None if where_against(remark) is not None else ()
    found, whole = set[str](), False
    for sentence in _SENTENCE.split(remark):
        named, listed, colon = set[str](), set[str](), False
        for piece in sentence.split(","):
            own = _named(piece, columns)
            if own and not _words_left(piece, own):  # Na, K and Cl contaminated
                listed |= set(own)
                continue
            if own:
                named, listed, colon = {*own, *listed}, set(), any(mark == ":" for mark in own.values())
            at = where_against(piece) if not (own or colon) else against_one(piece)
            if at is None:
                continue
            goes_on = colon or not _WORDS.search(piece[:at])  # "do not use" is of what was named before it
            if named and (own or goes_on):
                found |= set(columns) - named if _OTHERS.search(piece) else named
            else:
                whole = True
    if whole:
        return None
    return tuple(c for c in columns if c in found)


def remarked_with_colon(remark: str, columns: Sequence[str]) -> tuple[str, ...]:
    """The ``columns`` whose names open a sentence of a remark, a colon and words behind them, whatever these say: "L4: hydrant
    flushed" is of L4; none where the words say that it is good."""
    found = set[str]()
    for sentence in _SENTENCE.split(remark) if len(remark) <= LONGEST else ():
        head, colon, said = sentence.partition(":")
        words = {word.casefold() for word in _WORDS.findall(said)}
        named = _named(f"{head}:", columns) if colon and words and not words & GOOD else {}
        if named and not _words_left(head, named):
            found |= set(named)
    return tuple(c for c in columns if c in found)


def marks_a_value(remark: str) -> bool:
    """Whether a remark begins with the mark of a footnote, which stands behind a value of its row."""
    return _FOOTNOTE.match(remark) is not None


def _named(piece: str, columns: Sequence[str]) -> dict[str, str]:
    """The columns that a piece of a remark names, by their names without units or a word that no other has; and the ':' behind
    the name, if it is there."""
    found: dict[str, str] = {}
    for column, names in names_of(columns).items():
        for name in names:
            apart, as_spelled = rf"(?<![^\W_]){re.escape(name)}(?![^\W_])\s*(?P<colon>:)?", spelled(name) and not piece.isupper()
            for match in re.finditer(apart, piece, re.IGNORECASE if len(name) >= SURE else 0):
                if match["colon"] or (as_spelled and match[0].startswith(name)) or name.casefold() not in ALSO_WORDS:
                    found[column] = match["colon"] or found.get(column, "")
    return found


def spelled(name: str) -> bool:
    """Whether a name is in capitals, as no word of a sentence is: LA, LOAD."""
    return len(name) > 1 and name.isupper()


def names_of(columns: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Of each column by what words may name it: its name without the unit, and the words of it that no other has."""
    whole = {column: without_unit(column) for column in columns}
    words = {column: dict.fromkeys(_WORDS.findall(name)) for column, name in whole.items()}
    count = Counter(word.casefold() for found in words.values() for word in found)
    return {c: tuple(dict.fromkeys((whole[c], *_telling(words[c], count)))) for c in columns}


def _telling(words: Iterable[str], count: Counter[str]) -> list[str]:
    return [w for w in words if count[w.casefold()] == 1 and not w.isdecimal() and w.casefold() not in (*VALUE_WORDS, *_NO_NAMES)]


def _words_left(piece: str, named: Iterable[str]) -> bool:
    """Whether a piece says more than names of columns."""
    words = {word.casefold() for column in named for word in _WORDS.findall(without_unit(column))} | {"and", "und", "et", "y"}
    return any(word.casefold() not in words for word in _WORDS.findall(piece))
