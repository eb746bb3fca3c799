"""Short names made of labels and headings: without units, numbers of lines and fillers, unique among each other. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...data.units.unit_names import known_unit, name_and_unit
from .number_label import LOOSE_ENDS, without_average, words_and_unit

SHORT = 28  # characters of a name that is read at a glance
LONG = 40  # ... of one that has to differ from others
FEW_WORDS = 4
_ENDS = frozenset("for at in on by from with per versus vs over during within after about around between until along".split())
_FILLERS = frozenset("the a an is was are were be has have been its".split())
_STATISTICS = frozenset("average averages avg ave aver mean means median value values val estimate result".split())
_COUNTS = re.compile(r"^(?:total )?(?:number|no\.?|nb\.?|num\.?|#) (?:of )?(?=\w)", re.IGNORECASE)
_SPACED = re.compile(r"(?:\b\w ){3,}\w\b")
_INDEXED = re.compile(r"[(\[](\w{1,3})[)\]]")
_SIGNED = re.compile(r"\s?[(\[]([-+\u2212])(?:(?<=\+)|(?=\w))(\w{0,8})[)\]]")  # EPS(-y), flux (+); but C [-] has no unit
_POSITIVE = re.compile(r"(?<=[^\W\d_])(\+)(?!/-)(?=[\s/(\[]|$)")  # Na+
_SIGN = re.compile(r"[-+\u2212]")
_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|<[^<>]*>|\{[^{}]*\}")
_WORD = re.compile(r"[^\W_]+(?:_[^\W_]+)*")


def short_name(label: str) -> str:
    """A name of a few words from a label; '' if it holds none. The words keep their case, but for shouted sentences."""
    words = _words(label)
    name = _joined(words)
    if len(name) <= SHORT and len(words) <= FEW_WORDS:
        return name
    first = words[: next((i for i, w in enumerate(words) if i and w.casefold() in _ENDS), len(words))]
    kept = first[:-1] if len(first) > 1 and known_unit(first[-1]) else first
    while len(kept) > 1 and (len(_joined(kept)) > SHORT or len(kept) > FEW_WORDS or kept[0].casefold() in LOOSE_ENDS):
        kept = kept[1:]  # what a thing is stands last in its name
    return _joined(kept)[:SHORT].rstrip("_")


def long_name(label: str) -> str:
    """The same of as many words as there is room for."""
    words = _words(label)
    while len(words) > 1 and len(_joined(words)) > LONG:
        words = words[1:]
    return _joined(words)[:LONG].rstrip("_")


_FUNCTION = re.compile(r"(a?(?:sin|cos|tan|cot)|log|ln|log10|exp|sqrt)\s*[(\[]\s*(\w+)\s*[)\]]", re.IGNORECASE)
_NODE = re.compile(r"([vi])\((in)\)", re.IGNORECASE)  # a voltage or a current is in no inches: of a node
_ALONE = re.compile(r"\s*\[\s*(\w{1,8})\s*\]\s*(?:[(\[]\s*([^()\[\]]+?)\s*[)\]]\s*)?")


def signs_told(label: str) -> str:
    """``label`` with the signs in it as words where they are no decoration: EPS plus y of EPS(+y), Na plus of Na+."""
    told = _SIGNED.sub(lambda m: f" {_sign(m[1])} {m[2]}".rstrip(), label)
    return _POSITIVE.sub(" plus", told)


def _sign(sign: str) -> str:
    return "plus" if sign == "+" else "minus"


def heading_names(headings: Sequence[str]) -> list[str]:
    """The name of each, as ``heading_name``; of those that differ in nothing but signs, T+ and T-, with every sign as a word."""
    bare = [_SIGN.sub("", heading) for heading in headings]
    alike = [bare.count(one) > headings.count(heading) for one, heading in zip(bare, headings, strict=True)]
    return [
        heading_name(_SIGN.sub(lambda m: f" {_sign(m[0])} ", signs_told(heading)) if signed else heading)[0]
        for heading, signed in zip(headings, alike, strict=True)
    ]


def heading_name(heading: str) -> tuple[str, str]:
    """A name from the heading of a column, and the unit that stands in it: Surface temp. [K]. A few words stay as they are."""
    if (alone := _ALONE.fullmatch(heading)) is not None:
        return alone[1], alone[2] or ""  # [A] is a concentration: nothing stands before it that could have a unit
    if (of := _FUNCTION.fullmatch(heading.strip()) or _NODE.fullmatch(heading.strip())) is not None:
        return f"{of[1]}_{of[2]}", ""  # the Greek letter of tan(psi) is no unit
    heading = signs_told(heading)
    words, unit = words_and_unit(without_average(heading))
    return (words if 0 < len(words) <= SHORT else short_name(heading)), unit


def says_statistic(heading: str) -> bool:
    """Whether the heading of a column says how its numbers were found rather than of what they are: Average, Mean, Value."""
    return heading.strip(" .:").casefold() in _STATISTICS


def distinct_names(labels: Sequence[str], fallback: str = "output") -> list[str]:
    """A name for each of the labels: the short one, or the long one where the short one comes again; the rest are counted."""
    short = [short_name(label) for label in labels]
    long = [long_name(label) for label in labels]
    wished = [b if b and short.count(a) > 1 and long.count(b) < short.count(a) else a for a, b in zip(short, long, strict=True)]
    found: list[str] = []
    for wish in wished:
        name, k = wish or fallback, 1
        stem = name
        while name in found:
            k += 1
            name = f"{stem}_{k}"
        found.append(name)
    return found


def _words(label: str) -> list[str]:
    text = _SPACED.sub(lambda m: m[0].replace(" ", ""), without_average(label))
    text = _INDEXED.sub(r" \1", signs_told(text))  # v(4) is no v
    bare = _BRACKETS.sub(" ", text)
    text = bare if any(c.isalpha() for c in bare) else text
    text = _COUNTS.sub("", text.strip().lstrip("#*%!:|-> ")).replace("'", "")
    slashed = name_and_unit(text)
    text = text if slashed is None else slashed[0]
    every = _WORD.findall(text)
    words = [w for w in every if w.casefold() not in _FILLERS] or every
    while words and (words[0].isdigit() or words[0].casefold() in LOOSE_ENDS) and len(words) > 1:
        words.pop(0)
    while len(words) > 1 and words[-1].casefold() in LOOSE_ENDS:
        words.pop()
    letters = [len(w) for w in words if not w.isdigit()]
    if len(words) > 1 and all(w.isupper() or w.isdigit() for w in words) and max(letters, default=0) > 3:
        words = [w.lower() for w in words]
    return words


def _joined(words: Sequence[str]) -> str:
    name = "_".join(words)
    return f"n_{name}" if name[:1].isdigit() else name
