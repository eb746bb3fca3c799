"""A first name for what was marked in a text: the word before a number, the word marked in a heading."""

from __future__ import annotations

import re

from bayescope.engine.problem.data.units.unit_names import is_unit
from bayescope.engine.problem.numbers.numbers_in_text import line_bounds

# words of a heading before which the name of the table ends, and those that are no name of what stands in it
_ENDS = frozenset("for at in on by from with per versus vs over during".split())
_NO_NAME = frozenset(
    "time step increment iteration set and or the a an of all total no number node nodes element elements values value results "
    "result table output outputs list".split()
)

_BRACKETED = re.compile(r"[(\[]([^()\[\]]+)[)\]]")
_JOINED = re.compile(r"(?:[^\W\d]\w*-)+$")  # eps- before shell: words are joined so in Lisp, Scheme and options
_KINDS = frozenset("uniform nonuniform constant const fixed fixedvalue dimensioned scalar vector real float double int".split())


def heading_word(heading: str) -> str:
    """A name from the words above a table: displacements of “displacements (vx,vy,vz) for set GAUGES and time”; '' for none."""
    words: list[str] = re.findall(r"\w+", re.sub(r"\([^()]*\)|\[[^\[\]]*\]|<[^<>]*>", " ", heading))
    named = [w for w in words if w[0].isalpha()]
    ends = [i for i, w in enumerate(named) if w.lower() in _ENDS and i > 0]
    for part in (named[: ends[0]] if ends else named, named):
        if found := [w for w in part if w.lower() not in _NO_NAME and w.lower() not in _ENDS]:
            return found[-1]
    return word_before(heading, len(heading))


_HEADING_WORD = re.compile(r"[^\W\d][\w()\[\]/.%^*-]*")


def is_heading_word(text: str, start: int, end: int) -> bool:
    """Whether [start, end) is one whole word between spaces that begins with a letter and gives nothing a value: vdb(3)."""
    whole = (start == 0 or text[start - 1].isspace() or text[start - 1] in "#%") and (end == len(text) or text[end].isspace())
    return start < end and whole and _HEADING_WORD.fullmatch(text, start, end) is not None


def word_before(text: str, position: int) -> str:
    """The last word before a number on its line: a good first name for it (``--width=``, ``rho   ``, ``"k":``, ``eps-shell``)."""
    start, _ = line_bounds(text, position)
    word, rest = "", text[start:position]
    while rest and (not word or rest[-1].isalnum() or rest[-1] == "_"):
        if rest[-1].isalnum() or rest[-1] == "_":
            word = rest[-1] + word
        rest = rest[:-1]
    if not word or word.isdigit():
        return ""
    joined = _JOINED.search(rest) if word[0].isalpha() else None
    return joined[0] + word if joined else word


def key_before(text: str, position: int) -> str:
    """The name in front of a number of a dictionary, past the words that say what kind of value follows and past units:
    value of ``value uniform 400``, DT of ``DT  DT [0 2 -1 0 0 0 0] 1e-5``, width of ``width (mm) = 5``."""
    start, _ = line_bounds(text, position)
    before = _BRACKETED.sub(lambda m: " " if _is_aside(m[1]) else m[0], text[start:position])
    word = word_before(before, len(before))
    kept = re.findall(r"[A-Za-z_]\w*", before)
    while kept and word.casefold() in _KINDS:
        word = kept.pop()
    return "" if word.casefold() in _KINDS else word


def _is_aside(inside: str) -> bool:
    """Whether it is a unit, or the exponents of one."""
    return is_unit(inside.strip()) or all(re.fullmatch(r"[-+]?\d+", part) for part in inside.split())


def word_around(text: str, position: int) -> str:
    """The whole word at ``position``, else the last before it on its line."""
    end = position
    while end < len(text) and (text[end].isalnum() or text[end] == "_"):
        end += 1
    return word_before(text, end)
