"""Names that an input file gives its numbers elsewhere than right before them: in a tag, by a verb, behind the number. Pure."""

from __future__ import annotations

import re

from bayescope.engine.problem import placeholders
from bayescope.engine.problem.marks.labels.label_names import short_name
from bayescope.engine.problem.marks.labels.words_behind import words_behind
from bayescope.engine.problem.numbers.numbers_in_text import line_bounds
from bayescope.gui.models.simulator.numbers.remarks import parted

SEEN = 600  # characters before a number in which the name of what it is the value of may stand
_WORD = r"[^\W\d]\w*"
_VERB = re.compile(rf"(?P<name>{_WORD})\s+(?:equals?|index|internal|is|to|be|becomes|as)\s*[=:]?\s*$", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"([\w:.-]+)\s*=\s*(\"[^\"]*\"|'[^']*')")
_ELEMENT = re.compile(r"<([A-Za-z_][\w:.-]*)([^<>]*)(?<!/)>\s*$")
_SIBLING = re.compile(r"<(?:name|id|key|symbol|label)>\s*([^<>]+?)\s*</", re.IGNORECASE)
_NAMES = ("name", "id", "key", "parameter", "param", "symbol", "variable", "var", "ref", "label")
_VALUES = frozenset("value val v default init initial start guess nominal number data mean".split())
_KINDS = _VALUES | frozenset(
    "param parameter var variable float double real int integer scalar entry item property constant field quantity string".split()
)
_HOLDER = re.compile(rf"[\"']?({_WORD})[\"']?\s*[:=]\s*\{{[^{{}}]*$")
_CALLED = re.compile(rf"\b(?:name|id|key|symbol)[\"']?\s*(?:[:=]>?|=>)\s*[\"']?({_WORD})", re.IGNORECASE)
_SECTION = re.compile(rf"^[ \t]*\[+({_WORD})\]+[ \t]*$", re.MULTILINE)
_SYMBOL = re.compile(rf"({_WORD})(?:\s*[=:,(]|\s+[-\u2013\u2014]\s|$)")
_CODE = re.compile(r"[^\W\d]{1,2}(?=\s)|\w*(?:_|\d|[a-z][A-Z])\w*(?=\s|$)")


def tagged_name(text: str, position: int) -> str:
    """The name of the number at ``position`` in a tag: k1 of ``<param name="k1" value="3"/>`` and ``<value name="k1">3</value>``;
    '' in none, or where the word before the number says it."""
    before = text[max(0, position - SEEN) : position]
    opened = before.rfind("<")
    if opened > before.rfind(">"):
        end = text.find(">", position, position + SEEN)
        tag = before[opened:] + text[position : end if end >= 0 else position]
        holding = next((m[1] for m in _ATTRIBUTE.finditer(tag) if m.start(2) < len(before) - opened < m.end(2)), "")
        return _named_in(tag) if holding.lower() in _VALUES else ""
    element = _ELEMENT.search(before)
    if element is None:
        return ""
    if (name := _named_in(element[2])) or element[1].lower() not in _KINDS:
        return name or _plain(element[1])
    beside = list(_SIBLING.finditer(before))
    return _plain(beside[-1][1]) if beside else ""


def spoken_name(before: str) -> str:
    """The name in the words ``before`` a number that say what is done: k of ``variable k equal``, ``set k to``; '' for none."""
    found = _VERB.search(before)
    return "" if found is None else found["name"]


def holder_name(text: str, position: int, word: str) -> str:
    """What the number is a value of, where the ``word`` before it only says that it is one: k of ``"k": {"value": 3}``, of
    ``name: k`` above it, of the section ``[k]``; '' for none, or where the word says more."""
    if word.lower() not in _VALUES or len(word) < 2:
        return ""
    before = text[max(0, position - SEEN) : position].rpartition("\n\n")[2]
    apart = re.search(rf"({_WORD})[ \t.]+{re.escape(word)}[ \t\"']*[:=]?[ \t]*$", before)
    if apart is not None:
        return apart[1]
    called = list(_CALLED.finditer(before))
    held, section = _HOLDER.search(before), list(_SECTION.finditer(before))
    return held[1] if held is not None else called[-1][1] if called else section[-1][1] if section else ""


def named_behind(text: str, start: int, end: int) -> tuple[str, str, str]:
    """Name, label and unit of the number [start, end) by what stands behind the numbers of its line, of which others may be
    parameters already; '' for none."""
    low, high = line_bounds(text, start)
    line = text[low:high]
    for _, first, last in placeholders.find(line):
        line = f"{line[:first]}{'1' * (last - first)}{line[last:]}"
    words = words_behind(line, start - low, end - low)
    if not words:
        return "", "", ""
    label, unit = parted(words)
    symbol = _SYMBOL.match(words) or _CODE.match(words)
    name = symbol[1] if symbol is not None and symbol.re is _SYMBOL else symbol[0] if symbol is not None else short_name(label)
    if symbol is not None and label == name:
        label = ""
    return ("" if name == unit else name), label, unit


def _named_in(attributes: str) -> str:
    given = {m[1].lower().rpartition(":")[2]: m[2][1:-1] for m in _ATTRIBUTE.finditer(attributes)}
    return next((_plain(given[key]) for key in _NAMES if given.get(key, "")[:1].isalpha()), "")


def _plain(name: str) -> str:
    return re.sub(r"\W+", "_", name.strip()).strip("_")
