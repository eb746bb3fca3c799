"""The label of a number in a line of a log, and its unit: what stands left of it, or right behind it. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ...data.dates.stated_day_zero import statements
from ...data.units.unit_names import known_unit, name_and_unit
from ...numbers.numbers_in_text import Number, line_bounds, numbers
from .words_behind import words_behind

SIGNS = "=:\u2248~"
LONGEST_BEHIND = 60  # characters: more is a sentence
LONGEST_UNIT = 14  # characters: kcal/mol/rad**2
_UNIT_BEHIND = re.compile(
    r"[ \t]{0,3}((?:square|cubic) [a-z]{2,12}|\[[^\[\]]{1,14}\]|\([^()]{1,14}\)|[^\s,;|()\[\]]{1,14})", re.IGNORECASE
)
_BRACKETED = re.compile(r"[(\[<{]\s*([^()\[\]<>{}]*?)\s*[)\]>}]")
_DECIMAL = re.compile(r"(?<![\w.])[-+]?\d+\.\d*\w*")  # 2.00D, which is no number of any program
_AVERAGE = re.compile(r"^(\W*)<([^<>\s]*[^\W\d_][^<>\s]*)>(?=\s*[/(\[])")
_DECORATION = re.compile(r"^[\s:|*#>\-=.~,;+!%\u2022\u2500-\u257f]+|[\s|*#<\-=.~,;:\u2248\u2026\u2500-\u257f]+$")
_LEADERS = re.compile(r"(?:\.\s?){3,}\s*$|\u2026+\s*$")
_LEVELS = frozenset("info warning warn note debug notice message result results output".split())
LOOSE_ENDS = frozenset(  # words after which what stands behind the number names it: converged after 7 iterations
    "after for with in by within of at on from to about over per than using has have is was are were be and or the a an".split()
)
_NOUN_BEHIND = re.compile(r" ([^\W\d_]{3,})\b")


@dataclass(frozen=True)
class Label:
    """``words``: as they stand in the line, without signs around them; ``unit``: of the number; ``signed``: an equals sign, a
    colon or dots lead from the words to the number."""

    words: str
    unit: str = ""
    signed: bool = False


def without_average(heading: str) -> str:
    """``heading`` with the sign of an average before its unit taken off: u/kJ of <u>/kJ."""
    return _AVERAGE.sub(r"\1\2", heading)


def label_of(text: str, start: int, end: int) -> Label | None:
    """The label of the number [start, end) of ``text``; None if its own words are not on its line.

    Words that are only the unit of the number before, as in 5.07 Eh = 138 eV, are none.
    """
    low, high = line_bounds(text, start)
    before = [n for n in numbers(text, low, start) if n.end <= start and not _is_within(text, n.start, n.end, start)]
    raw = _DECIMAL.split(text[before[-1].end if before else low : start])[-1]
    signed = raw.rstrip()[-1:] in tuple(SIGNS) or _LEADERS.search(raw) is not None
    behind, noun = _behind(text[end:high], signed or re.search(r"\s{2,}$", raw) is not None)
    words, unit = words_and_unit(raw, first=not before)
    if not signed and noun and (not words or _leads_on(words)):
        return Label(noun, "", False)
    a_unit = bool(before) and known_unit(words) and raw.lstrip().startswith(words)
    if not any(c.isalpha() for c in words) or a_unit or words.casefold() in LOOSE_ENDS - {"a"}:
        return _named_behind(text, start, end)
    if before and not signed and raw[:2].strip() and _names_the_one_before(text, before[-1], words):
        return Label(noun, "", False) if noun else None
    if words.casefold() in _LEVELS:
        return Label(noun, "", False) if noun else None
    return Label(_without_end(words), behind or unit, signed)


def _named_behind(text: str, start: int, end: int) -> Label | None:
    """By the words behind a sign, where its line begins with numbers: 3.5 ! Young's modulus; 0.3 = nu."""
    words, unit = words_and_unit(words_behind(text, start, end))
    a_name = not known_unit(words) or words == "E" or text[end : end + 9].lstrip(" \t").startswith("=")
    named = any(c.isalpha() for c in words) and a_name and len(words) <= LONGEST_BEHIND
    return Label(words, unit) if named else None


def _is_within(text: str, start: int, end: int, stop: int) -> bool:
    """Whether [start, end) stands in brackets that are closed before ``stop``: the (3) of probe (3)."""
    opened = text.rfind("(", max(0, start - 12), start)
    closed = text.find(")", end, min(stop, end + 12))
    return opened >= 0 and closed >= 0 and not any(c in "()=:" for c in text[opened + 1 : start] + text[end:closed])


def _names_the_one_before(text: str, number: Number, words: str) -> bool:
    """Whether these words are those by which the number before them is known: 19 nodes 39 elements."""
    label = label_of(text, number.start, number.end)
    return label is not None and not label.signed and words.split()[0] == label.words


def words_and_unit(raw: str, first: bool = True) -> tuple[str, str]:
    """The words of what stands left of a number, and the unit named there: in brackets, or behind a slash."""
    words, unit = _undecorated(raw), ""
    if not first and words:  # 5.07 Eh  HOMO-LUMO gap 14.6: the unit of the number before is none of its words
        head, _, rest = words.partition(" ")
        words = rest.strip() if rest.strip() and known_unit(head) and raw[:1] in " \t" else words
        words = _undecorated(words)
    parts = [p for p in re.split(r":\s", words) if any(c.isalpha() for c in p)]
    words = parts[-1].strip() if parts else words
    for found in reversed(list(_BRACKETED.finditer(words))):
        if known_unit(found[1]) or found[1] in ("%", "-") or statements(found[1]):
            unit = unit or found[1].strip("-")
            words = f"{words[: found.start()]} {words[found.end() :]}"
    if (slashed := name_and_unit(words)) is not None:
        words, unit = slashed[0], unit or slashed[1]
    return _undecorated(words), unit


def _undecorated(words: str) -> str:
    before = ""
    while before != words:
        before, words = words, _DECORATION.sub("", words)
    return " ".join(words.split())


def _behind(rest: str, settled: bool) -> tuple[str, str]:
    """The unit right behind a number, and the word there that may name it: 7 iterations."""
    noun = _NOUN_BEHIND.match(rest)
    word = noun[1] if noun is not None and not known_unit(noun[1]) and noun[1].casefold() not in LOOSE_ENDS else ""
    found = _UNIT_BEHIND.match(rest)
    if found is None:
        return "", word
    told = found[1].strip("()[]")
    if known_unit(told):
        return told, word
    alone = not rest[found.end() :].strip(" \t\r\n:|*#.")
    plain = any(c.isalpha() for c in told) and len(told) <= LONGEST_UNIT and not told[0].isdigit() and not told.endswith(":")
    return (told, word) if settled and alone and plain and found[1][0] not in "(=" else ("", word)


def _leads_on(words: str) -> bool:
    """Whether words before a number say what is done with it rather than what it is: Created, Solving for."""
    last = words.split()[-1].casefold().rstrip(".,")
    return last in LOOSE_ENDS or last in _LEVELS or (len(last) > 4 and last.endswith(("ed", "ing")))


def _without_end(words: str) -> str:
    kept = words.split()
    while len(kept) > 1 and kept[-1].casefold() in LOOSE_ENDS:
        kept.pop()
    return " ".join(kept)
