"""What a data file states of the sizes of errors, in headings and in lines of words about its table. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from bayescope.engine.problem.data.errors.error_words import CAPITAL, OF_ERRORS, SIGN
from bayescope.engine.problem.data.errors.said_of import said_of
from bayescope.engine.problem.data.errors.stated_level import Levelled, without_level
from bayescope.engine.problem.data.names.column_names import unit_in, without_unit
from bayescope.engine.problem.data.units.unit_scales import conversion
from bayescope.engine.problem.numbers.shown_digits import spoken
from bayescope.gui.models.data.errors.error_size import ErrorSize, error_size_of
from bayescope.gui.models.data.errors.expanded_size import typed_factor
from bayescope.gui.models.data.errors.factor_size import is_decibel, stated_factor

_SAID = re.compile(
    r"\s*(?:\([^)]*\)\s*)?(?:of\s+[^:=0-9]{1,40})?\s*(?:U\s*)?(?:(?:[:=]|\bis\b|\bare\b)\s*)*(?P<size>(?:[±+0-9]|\.[0-9]).*)"
)
_ONE_SIGMA = re.compile(r"\s*\(\s*(?:1|one|ein|eine)[- ]?(?:sigma|σ|s\.?d\.?)\s*\)", re.IGNORECASE)
_ALONE = re.compile(rf"[^0-9±+]*?(?P<sign>{SIGN.pattern})?\s*(?P<size>[0-9.].*)")
_UNIT_APART = re.compile(
    r"(?P<number>[0-9.,]+(?:[eE][-+]?[0-9]+)?)\s*(?:,\s*(?:in\s+)?|in\s+|[(\[]\s*)(?P<unit>[^\W\d_%][^\s,;()]*)\s*[)\]]?"
)
_BEGINNING = re.compile(r"([^\W\d_]{2,})[\s_]*[([0-9]")  # Psi of Psi(65°), v of no v2: one letter says little
_REMARK_BEHIND = re.compile(r"\s*\([^()]*\)\s*\.?\s*$")
_EACH = re.compile(r"[,;]?\s*(?:\b(?:for|in|at|of|on)\s+)?\b(?:each|every|all)(?:\s+[^\W\d_]+){0,2}\s*\.?$", re.IGNORECASE)


class Stated(NamedTuple):
    """What a data file says of its errors: ``size`` as standard deviations, in its words. ``remark``: not in a heading, but in a
    line of words. ``factor``: by which the stated size was divided for that; ``assumed``: it only says that it is expanded.
    ``other``: a thing that it names, which is no column; ``elsewhere``: it stands beside another table, or in one of several
    files."""

    size: ErrorSize
    words: str
    remark: bool = False
    factor: float = 1.0
    assumed: bool = False
    other: str = ""
    elsewhere: bool = False

    @property
    def level(self) -> str:
        """What became of the level that was stated, a clause behind the size; '' where standard deviations were."""
        if self.factor == 1.0:
            return ""
        why = ": expanded errors mostly have that factor" if self.assumed else ""
        return f" (what it says divided by k = {spoken(self.factor)}{why})"


def stated_size(remarks: Iterable[str]) -> Stated | None:
    """Of the first of ``remarks`` that states a size: “errors: 0.02 mm and 1 % of reading in quadrature”; None: none does."""
    for words in remarks:
        level = without_level(words)
        if (log_sd := stated_factor(level.words)) is not None:
            return _levelled(ErrorSize(log_sd=log_sd), words, level)
        told = [*OF_ERRORS.finditer(level.words), *(CAPITAL.finditer(level.words) if level.said else ())]
        said = (_SAID.fullmatch(level.words, one.end()) for one in told)
        match = next((one for one in said if one is not None), None)
        size = _size_in(_inside(match["size"])) if match is not None else _size_alone(level)
        if size is not None:
            return _levelled(size, words, level)
    return None


def _size_alone(level: Levelled) -> ErrorSize | None:
    """The size that stands there with a sign or a level in place of a word for errors: +-0.6 cm (1 sd); all values 12 %, 2 sigma.
    A number before its sign is a measured one; a number without a unit says little without a level."""
    found = _ALONE.fullmatch(level.words)
    if found is None or not (found["sign"] or level.said):
        return None
    size = _size_in(_inside(found["size"]))
    return size if size is not None and (level.said or not size.plain or typed_factor(found["size"]) != 1.0) else None


def _size_in(text: str) -> ErrorSize | None:
    """The size that ``text`` is, perhaps with what it is of each and a remark in brackets behind it; None: it is none."""
    apart = _UNIT_APART.fullmatch(text.strip(" ."))
    joined = (f"{apart['number']} {apart['unit']}",) if apart is not None else ()
    for said in dict.fromkeys((*joined, text, _REMARK_BEHIND.sub("", text), text.partition(";")[0])):  # ...; resolution 0.001 bar
        try:
            size = error_size_of(_EACH.sub("", said).rstrip(". "))
        except ValueError:
            continue
        if size is not None:
            return size
    return None


def stated_for_all(remarks: Iterable[str], columns: Iterable[str], elsewhere: Collection[str] = ()) -> Stated | None:
    """As ``stated_size``, of those ``remarks`` that are not about some of ``columns``; first one that names nothing else and is
    not among those that stand ``elsewhere``, beside another table."""
    names, found = list(columns), list[Stated]()
    for words in remarks:
        said = stated_size([words])
        if said is None or _about(words, names) is not None:
            continue
        of = said_of(without_level(words).words, names)
        other = of.other or (without_unit(of.columns[0]) if of.columns else "")  # in a unit of another kind
        found.append(said._replace(other=other, elsewhere=words in elsewhere))
    return min(found, key=lambda said: bool(said.other) + said.elsewhere, default=None)


def stated_by_several(one: Stated | None, other: Stated | None) -> Stated | None:
    """What two files say of all errors: it is of both where both say it, else the one of the ``other``, if it says any."""
    if one is not None and other is not None and one.words == other.words:
        return one
    said = one if other is None else other
    return None if said is None else said._replace(elsewhere=True)


def _about(words: str, columns: Iterable[str]) -> tuple[Stated, tuple[str, ...]] | None:
    """The size that a line of words states, and those of ``columns`` that it names with it, of which some have a unit that it can
    be counted in: “Channel 3: INCL inclinometer; U = 0.2 mrad (k=2)”; None: it states none, or names none."""
    said = stated_size([words])
    if said is None:
        return None
    unit = said.size.unit
    named = said_of(without_level(words).words, list(columns)).columns
    fit = tuple(c for c in named if not (own := unit_in(c)) or not unit or is_decibel(unit) or conversion(unit, own) is not None)
    return (said, fit) if fit else None


def _levelled(size: ErrorSize, words: str, level: Levelled, remark: bool = False) -> Stated:
    """A size as it is stated, divided by the factor of its level."""

    def divided(value: float) -> float:
        return float(f"{value / level.factor:.12g}")

    factor = level.factor if level.factor != 1.0 else typed_factor(level.words)  # of 0.4 (95 %) the size was divided
    return Stated(size.divided(divided), words, remark, factor, level.factor != 1.0 and not level.said)


def _inside(words: str) -> str:
    """``words`` up to the bracket that closes around them: 0.4 kN of (load cell, accuracy ±0.4 kN)."""
    depth = 0
    for at, sign in enumerate(words):
        depth += (sign == "(") - (sign == ")")
        if depth < 0:
            return words[:at]
    return words


def stated_of_columns(said: Iterable[tuple[str, str]]) -> dict[str, Stated]:
    """Of columns whose headings state errors, in these words; those that are not understood are left out."""
    found = {}
    for column, words in said:
        level = without_level(words)
        try:
            size = error_size_of(level.words)
        except ValueError:
            continue
        if size is not None:
            found[column] = _levelled(size, words, level)
    return found


def stated_of(column: str, said: Mapping[str, Stated]) -> Stated | None:
    """What is ``said`` of ``column``, or of the one that it was before the table was split: ux (mm) of ux 1 (mm)."""
    if column in said:
        return said[column]
    bare, unit = without_unit(column), unit_in(column)
    parts = (words for name, words in said.items() if unit_in(name) == unit and bare.startswith(f"{without_unit(name)} "))
    return next(parts, None)


def stated_by_remarks(remarks: Iterable[str], columns: Iterable[str]) -> dict[str, Stated]:
    """Of ``columns`` whose errors a line of words states behind their names: “Fehler: CL ±0,01; CD ±3 %”, or behind what several
    names begin with: Psi 0,05° of Psi(65°) and Psi(70°). A sign says that it is an error; where it is missing, a word before."""
    columns, remarks = list(columns), list(remarks)
    names = _called(columns)
    if not names:
        return {}
    called = "|".join(sorted(map(re.escape, names), key=lambda name: (-len(name), name)))
    one = re.compile(
        rf"(?<![^\W_])(?P<name>{called})\s*(?:\([^()]*\)|\[[^\[\]]*\])?\s*[:=]?\s*(?P<sign>{SIGN.pattern})?\s*"
        rf"(?P<size>[0-9.,].*?)\s*(?=[;|]|,\s|\s(?:{called})\b|$)",
        re.IGNORECASE,
    )
    found: dict[str, Stated] = {}
    for words in remarks:
        level = without_level(words)
        if stated_factor(level.words) is not None:
            continue  # of the logarithm of what it names
        told = OF_ERRORS.search(words)  # the words of its level, too: 1 sigma: DIC 4 umol/kg
        for match in one.finditer(level.words):
            if match["sign"] is None and (told is None or told.start() > words.find(match[0])):
                continue
            try:
                size = error_size_of(_EACH.sub("", _ONE_SIGMA.sub("", match["size"])).strip(" .,"))
            except ValueError:
                continue
            if size is None:
                continue
            for column in names[match["name"].casefold()]:
                found.setdefault(column, _levelled(size, words, level, remark=True))
    for words in remarks:
        if (about := _about(words, columns)) is not None:
            for column in about[1]:
                found.setdefault(column, about[0]._replace(remark=True))
    return found


def _called(columns: Iterable[str]) -> dict[str, list[str]]:
    """Columns by what a remark may call them: by their names, and those with a number or a bracket behind by the word before."""
    own = {without_unit(column).casefold(): [column] for column in columns}
    before: dict[str, list[str]] = {}
    for name, [column] in own.items():
        if (word := _BEGINNING.match(name)) is not None and word[1] not in own:
            before.setdefault(word[1], []).append(column)
    return {**before, **own}
