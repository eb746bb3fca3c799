"""Errors that a column's heading states beside its name: Press [GPa] ±2 %, min 0.01; T (K, ±0.3); yield (error 5 %)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...numbers.shown_digits import spoken
from ..names.brackets import bracket_of
from ..names.column_names import SD_WORDS, says_sd, unit_in
from ..tables.table_text import Cells
from ..units.unit_names import is_unit
from .error_headings import factor_in
from .levels import factor_of_level
from .said_of import said_of
from .stated_level import without_level

_NUMBER = r"(?:[0-9]+(?:[.,][0-9]+)?|[.,][0-9]+)(?:[eE][-+]?[0-9]+)?"
_PART = rf"(?:±\s*)?{_NUMBER}\s*(?:[%％]|per ?cent\b|°?[^\W\d_][\w²³/^·]*)?"
_LEAST = r"(?:but\s+|and\s+)?(?:at\s+least|no(?:t)?\s+less\s+than|minimum(?:\s+of)?|min\b\.?|mindestens|wenigstens)\s*:?\s*"
_OF_TWO = rf"(?:the\s+)?(?:larger|greater)\s+of\s+{_PART}\s*(?:and|or|,)\s*{_PART}|max\s*\(\s*{_PART}\s*,\s*{_PART}\s*\)"
_SIZE = re.compile(
    rf"(?:{_OF_TWO}|{_PART}(?:\s*(?:[,;(]?\s*{_LEAST}|\+|⊕|,|;|\band\b|\bplus\b|\bor\b)\s*{_PART}\s*\)?)?"
    r"(?:\s*,?\s*(?:in\s+quadrature|which\s?ever\s+is\s+(?:the\s+)?(?:larger|greater)))?)",
    re.IGNORECASE,
)
_SIGN = re.compile(r"\s*(?:±|\+/[-\u2212]|\+-)\s*")
_ALSO_ELSE = ("accuracy", "precision", "tolerance")  # what is measured may be called so too: hit accuracy 95 %
_SIGMAS = re.compile(r"(?<![\d.])[1-3](?: ?(?:σ|sigmas?\b|sds?\b|sem?\b)|s\b)", re.IGNORECASE)
_LEVEL = re.compile(r"(?:90|95|99)\s*(?:%|per ?cent)", re.IGNORECASE)  # T ± 95 %: what such a column holds, no size
# the level of a size: of ±0.6 cm (1 sd), T error 12 % (2 sigma), ± 0.4, k = 2; not of ± T (2 sd), whose column holds errors
_AT_LEVEL = re.compile(
    rf"(?:[±]|\+/?-|\b(?:{'|'.join((*SD_WORDS, 'accuracy', 'precision'))})\b|\bfactor\b)[\s:=]*{_NUMBER}\s*"
    rf"(?:[%％]|°?[^\W\d_][\w²³/^·]*)?\s*[,;(\[]*\s*"
    r"(?P<level>(?:k\s*=\s*[123](?:\.[0-9]+)?|[123][ -]?(?:σ|sigmas?|sds?)|9[059](?:[.,][0-9]+)?\s*%))(?![\w.])",
    re.IGNORECASE,
)
_FACTOR = re.compile(rf"(?<=[,;(\[])\s*(?:(?:with)?in\s+)?(?:an?\s+)?factor\s+(?:of\s+)?(?P<size>{_NUMBER})", re.IGNORECASE)
_UNIT = re.compile(rf"{_NUMBER}\s*(°?[^\W\d_][\w²³/^·]*)")
_WORD = re.compile(
    rf"(?<![^\W_])(?:(?:standard|relative|absolute|measurement|typical|meas\.?|rel\.?|abs\.?)\s+)*"
    rf"(?P<word>{'|'.join((*SD_WORDS, *_ALSO_ELSE))}|σ)\b\s*(?P<sure>[:=]|of\b|is\b)?\s*",
    re.IGNORECASE,
)


def stated_in(heading: str) -> tuple[str, str] | None:
    """The name of a column and the errors that its heading states behind it, in its words; None: it states none.

    A word for errors in a heading such as ``T sd 1`` may belong to a name: it counts only in a bracket, behind a comma, before a
    sign such as ``=``, or where the number has a decimal or a unit.
    """
    text, factor = _without_level(" ".join(heading.split()))
    if len(_SIGN.findall(text)) > 1 or _SIGMAS.search(text):
        return None  # of two kinds, or as a number of standard deviations that a column holds
    k = f" (k = {spoken(factor)})" if factor != 1.0 else ""
    if (by := _FACTOR.search(text)) is not None:
        before, size = _without_brackets(text[: by.start()], by["size"] + text[by.end() :])
        if re.fullmatch(_NUMBER, size) and before.strip(" ,;:-_"):
            return before.strip(" ,;:-_"), f"factor {size}{k}"
    for found in (*_SIGN.finditer(text), *_WORD.finditer(text)):
        before, size = _without_brackets(text[: found.start()], text[found.end() :])
        name = before.strip(" ,;:-_")
        if not name or says_sd(name) or not _SIZE.fullmatch(size) or _LEVEL.fullmatch(size):
            continue
        sign = found.re is _SIGN
        apart = text[: found.start()].rstrip()[-1:] in ("(", "[", ",", ";")
        if sign or apart or found["sure"] or not (size.isdecimal() or found["word"].lower() in _ALSO_ELSE):
            return name, f"{'±' if sign else ''}{size}{k}"
    return None


def _without_level(text: str) -> tuple[str, float]:
    """A heading that states a size apart from the level of it, and the factor of the level: ±0.6 cm (1 sd); ±0.4 (95 %); as it is
    where the level is of what the column holds."""
    found = _AT_LEVEL.search(text)
    if found is None:
        return text, 1.0
    bare = (text[: found.start("level")].rstrip(" ,;([") + text[found.end("level") :].lstrip(" ")).strip()
    for opening, closing in ("()", "[]"):
        bare = bare.removesuffix(closing) if bare.count(opening) < bare.count(closing) else bare
    factor = factor_in(found["level"]) or factor_of_level(found["level"]) or 1.0
    return bare, factor


def stated_errors(headings: Sequence[str] | None, names: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Name and stated errors of each column whose heading says them."""
    found = ((name, stated_in(heading.strip().strip('"'))) for heading, name in zip(headings or (), names, strict=False))
    return tuple((name, told[1]) for name, told in found if told is not None)


def told_errors(cells: Cells, names: Sequence[str], text: str) -> tuple[tuple[str, str], ...]:
    """Name and errors of each column of which its heading, or else a line of words about the table in ``text``, states them."""
    stated = stated_errors(cells.header, names)
    rows = set(cells.lines)
    lines = [(i, line) for i, line in enumerate(text.splitlines(), 1) if i not in rows and not _is_header(line, cells.header)]
    # what is named below the rows is no title of theirs
    strange = {i for i, line in lines if i > max(rows, default=0) and said_of(line, names).other}
    known = {name for name, _ in stated}
    noted = noted_errors([line for i, line in lines if i not in strange], names)
    return (*stated, *((name, words) for name, words in noted if name not in known))


def noted_errors(lines: Sequence[str], names: Sequence[str]) -> list[tuple[str, str]]:
    """Errors that lines of words state in the unit of some columns: accuracy ±0.02 mm, of those in mm and of no other."""
    found: dict[str, str] = {}
    for line in lines:
        text = " ".join(line.split())
        if _SIGMAS.search(text) or not any(c.isalpha() for c in text):
            continue
        every = sorted((*_SIGN.finditer(text), *_WORD.finditer(text)), key=lambda one: one.end())
        sizes = [size for one in every if (size := _SIZE.match(text, one.end())) is not None]
        units = {unit[1] for size in sizes for unit in _UNIT.finditer(size[0]) if is_unit(unit[1])}
        if len({size.end() for size in sizes}) == 1 and len(units) == 1:  # of two sizes nobody knows which is of what
            of = said_of(text, [name for name in names if not says_sd(name)])
            mine = [name for name in of.columns or names if unit_in(name) in units and not says_sd(name)]
            level = without_level(text)
            k = f" (k = {spoken(level.factor)})" if level.factor != 1.0 else ""
            found |= {name: f"±{sizes[-1][0].lstrip('± ').rstrip()}{k}" for name in mine if name not in found}
    return list(found.items())


def _is_header(line: str, header: Sequence[str] | None) -> bool:
    return header is not None and all(name.strip() in line for name in header)


def _without_brackets(before: str, behind: str) -> tuple[str, str]:
    """Name and size, where a bracket opens before the size and closes behind it, or holds the unit of the name."""
    before, behind = before.rstrip(), behind.strip()
    unit = bracket_of(f"x {behind}") if behind[-1:] in (")", "]") else ""
    for opening, closing in ("()", "[]"):
        if before.count(opening) > before.count(closing) and behind.endswith(closing):
            inside, behind = before[before.rfind(opening) + 1 :].strip(" ,;:"), behind[:-1].rstrip()
            before = f"{before.rstrip(' ,;:')}{closing}" if inside else before[: before.rfind(opening)].rstrip()
            return before, behind
    if unit and is_unit(unit):  # T ± 0.3 (K)
        at = behind.rfind(unit) - 1
        return f"{before.rstrip(' ,;:')} {behind[at:]}", behind[:at].rstrip()
    return before, behind
