"""What the name of a data column says: which output it is of, whether it holds standard deviations, a place or a time."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from ..rows.text_keys import UNITS
from ..units.unit_names import (
    KEY_UNITS,
    LETTER_UNIT_WORDS,
    LETTER_UNITS,
    NAMES_KNOWN,
    UNIT_WORDS,
    is_prefixed,
    is_unit,
    name_and_unit,
    says_conditions,
)
from ..units.unit_scales import is_day_count, is_inverse_length, is_scaled
from .brackets import WORD, bracket_of, brackets_at_end, start_of_bracket, unit_behind_words
from .delta_names import is_delta
from .key_words import KEY_WORDS, TIMES
from .of_files import file_of, name_and_file
from .scattering import is_momentum_transfer, name_and_inverse_length
from .sd_words import SD_ELSEWHERE

# from where it is counted: distance upstream, depth below surface, time since injection
_COUNTED_FROM = re.compile(
    r"(?P<place>\w+)[ _](?:upstream|downstream|along|from|below|beneath|under|above|behind|across|offshore|inland|downcore"
    r"|since|after|post)(?:[ _-].*)?"
)
_SHORTEST_BEFORE_LETTER = 3
_LETTERS_WRITTEN_ON = 2  # of a name behind a word for errors: with more of them, the two make no other word by chance
SD_WORDS = ("sd", "sigma", "std", "stdev", "stddev", "err", "error", "errors", "uncertainty", "uncert", "unc")
_SD_PAIRS = ("std dev", "standard dev", "standard deviation", "st dev")  # their last two words
_SD_SIGNS = ("\u00b1", "+-", "+/-")
# a regular expression for standard errors; SE but not Se, which is selenium
STANDARD_ERROR = (
    r"(?:(?-i:[sS]\.\s?[eE]\.?(?:\s?[mM]\.?)?|SEM?|sem?)|(?i:stderr|st(?:andar)?d\.? err(?:or)?(?: of (?:the )?mean)?))"
)
# a regular expression for a word that says errors, without its surroundings
SD_WORD = "|".join(("standard deviation", "standard dev", "std dev", "st dev", SD_ELSEWHERE, STANDARD_ERROR, *SD_WORDS))
_SD_INSIDE = re.compile(  # T_err 65
    rf"(?P<name>.*?[^\W_].*?)(?:[\W_]*(?:\u00b1|\+-|\+/-)|[\W_]+(?:{SD_WORD}))(?P<ending>[\W_]+.*|\d.*)", re.IGNORECASE
)
_MEAN = re.compile(r"\A(?:mean|average|avg|median|mittlere[rs]?|moyenne)[\s_.]+(?:of[\s_.]+)?(?=\w)", re.IGNORECASE)
_ENDS_AS_STANDARD_ERROR = re.compile(rf"(?:^|[\W_])(?:{STANDARD_ERROR}|{SD_ELSEWHERE})\W*\Z")
_SD_BEFORE = re.compile(  # u, which is a velocity too, says it only before the name of a column
    rf"(?:{'|'.join((SD_ELSEWHERE, STANDARD_ERROR, *SD_WORDS))}|u|unc|\u03c3|\u03b4|\u00b1|\+/-)"
    r"(?:[ _.]+(?P<name>.+)|\((?P<inner>[^()]+)\).*)",
    re.IGNORECASE,
)
_U_BEFORE = re.compile(r"[uU][ _.]+(?P<name>[^\W\d_].*)")
_CLEAR_SD_BEFORE = re.compile(
    rf"(?:sd|std|stdev|stddev|err|unc|uncert|uncertainty|{SD_ELSEWHERE})[ _.]+(?:of[ _.]+)?(?P<name>.+)"
)
# u_C beside T_C: the uncertainty in the unit of the other; lone small letters may be indices or directions (u_x, u_k)
_UNIT_ENDING = re.compile(r"(?P<before>.*)[ _](?P<unit>[A-Z]|[^\W\d_]{2,6})")
VALUE_WORDS = (
    "value", "values", "reading", "readings", "measured", "measurement", "observed", "observation", "obs", "result", "y", "data",
    "estimate", "estimates",
)  # fmt: skip

TABLES_KNOWN = 64  # tables, and parts of them, whose columns of errors are kept: each comparison asks for those of its table


@lru_cache(NAMES_KNOWN)
def without_unit(name: str) -> str:
    """``name`` without what stands in brackets at its end, or behind a slash, and without spaces around it; never empty for that
    reason.

    Of several brackets only those go that hold a unit, and what stands behind them: energy (total) of energy (total) (eV).
    """
    bare = " ".join(name.split())
    if (slashed := _name_and_bare_unit(bare)) is not None:
        return slashed[0]
    brackets = brackets_at_end(bare)
    return brackets[_place_of_unit(brackets)][0] if brackets else bare


def _place_of_unit(brackets: Sequence[tuple[str, str]]) -> int:
    """Which of the brackets holds the unit: rather one without a number, which may be the title of a table (S (mM) (200 mM));
    none is known as a unit: the last one may hold it."""
    units = [k for k, (_, inside) in enumerate(brackets) if is_unit(inside)]
    return next((k for k in units if not brackets[k][1][:1].isdigit()), units[0] if units else 0)


def _name_and_bare_unit(name: str) -> tuple[str, str] | None:
    """A name and the unit that stands behind it without brackets, behind a slash or that of a momentum transfer."""
    return name_and_inverse_length(name) or name_and_unit(name)


def has_unit(name: str, unit: str = "") -> bool:
    """Whether ``name`` ends with a unit in brackets: one that is known as such, or ``unit``."""
    if (slashed := _name_and_bare_unit(" ".join(name.split()))) is not None:
        return unit in ("", slashed[1]) or is_unit(slashed[1])
    inside = bracket_of(name)
    if says_conditions(inside):
        return inside == unit
    known = inside == unit or is_unit(inside) or WORD.fullmatch(inside) is None
    return bool(inside) and (known or is_inverse_length(inside) or (len(inside) > 1 and is_scaled(inside)))


def unit_in(name: str) -> str:
    """The unit that ``name`` says, in brackets at its end, behind a slash, or bare behind an underscore or a space; ''. A file in
    brackets may stand behind it."""
    if (of := name_and_file(name)) is not None:
        return unit_in(of[0])
    if (slashed := _name_and_bare_unit(" ".join(name.split()))) is not None:
        return slashed[1]
    inside = bracket_of(name)
    if says_conditions(inside):
        return unit_in(name.rstrip()[: start_of_bracket(name.rstrip())])
    if inside:
        if inner := unit_behind_words(inside):
            return inner
        brackets = brackets_at_end(" ".join(name.split()))
        return brackets[k][1] if (k := _place_of_unit(brackets)) else inside if has_unit(name) else ""
    word = re.split(r"[\s_]", name.strip())[-1]
    known = len(word) > 1 and (word.casefold() in UNIT_WORDS or is_prefixed(word))
    return word if word != name.strip() and known else ""


def scale_in(name: str) -> str:
    """The unit that ``name`` says, or itself where it counts days: rjd, BJD_TDB; '' if none."""
    return name.strip() if is_day_count(name) else unit_in(name)


@lru_cache(NAMES_KNOWN)
def plain_name(name: str) -> str:
    """One spelling for names that are the same but for units in brackets, spaces around them, and case."""
    return without_unit(name).casefold()


@lru_cache(NAMES_KNOWN)
def loose_name(name: str) -> str:
    """One spelling for names that also differ in underscores, hyphens and a unit behind them: deflection_mm, Deflection [mm]."""
    words = [w for w in re.split(r"[\s_\-]+", without_unit(name)) if w]
    while len(words) > 1:
        last, before = words[-1], "".join(words[:-1])
        long = len(before) >= _SHORTEST_BEFORE_LETTER or len(words) > 2  # T_A_K
        if last.casefold() not in UNIT_WORDS and not is_prefixed(last) and not (last in LETTER_UNIT_WORDS and long):
            break
        words.pop()
    return " ".join(words).casefold()


@lru_cache(NAMES_KNOWN)
def solid_name(name: str) -> str:
    """One spelling for names that also differ in what stands between their words: TajimaD, Tajima D, Tajima's D."""
    return re.sub(r"'s\b|[\W_]+", "", loose_name(name))


def same_names(outputs: Sequence[str], columns: Sequence[str]) -> dict[str, str]:
    """Each output with the column of its name. Names spelled alike go first, then those alike without units, then without case,
    then without underscores and units that stand behind them bare, then without any space between words.

    A name that fits several is paired with none: which one is meant, only the user knows.
    """
    found: dict[str, str] = {}
    forms: tuple[Callable[[str], str], ...] = (str, without_unit, plain_name, loose_name, solid_name)
    for form in forms:
        left = [o for o in outputs if o not in found]
        free = [c for c in columns if c not in found.values()]
        for output in left:
            fits = [c for c in free if form(c) == form(output)]
            rivals = [o for o in left if form(o) == form(output)]
            if len(fits) == 1 and len(rivals) == 1:
                found[output] = fits[0]
    return {o: found[o] for o in outputs if o in found}


@lru_cache(NAMES_KNOWN)
def says_where(name: str) -> bool:
    """Whether a name says where or when, not what: x, time (s), distance upstream, or anything counted since a day.

    A capital T alone is a temperature rather than a time, and a lone letter in a unit of neither places nor times is no place.
    """
    if (of := name_and_file(name)) is not None:
        name = of[0]
    bare = without_unit(name)
    if is_momentum_transfer(bare, unit_in(name)):
        return True
    unit, since, _ = name.strip()[len(bare) :].strip(" ()[]/").partition(" since ")
    if since and unit in UNITS:
        return True
    bare = bare.rstrip(".")  # freq.
    if len(bare) == 1 and unit.lower() not in LETTER_UNITS:
        return False
    stem, _, ending = bare.replace(" ", "_").rpartition("_")
    if stem and ending.lower() in KEY_UNITS:
        bare = stem
    if (counted := _COUNTED_FROM.fullmatch(bare.lower())) is not None:
        bare = counted["place"]
        return len(bare) > 1 and (bare in KEY_WORDS or bare in TIMES)
    return bare != "T" and " ".join(bare.lower().replace("_", " ").split()) in KEY_WORDS | TIMES


@lru_cache(NAMES_KNOWN)
def says_sd(column: str) -> bool:
    """Whether a column's name says that it holds standard deviations: sd, sigma, gain_error, T sd (K), T +-, ± T."""
    name = plain_name(column)
    words = [w for w in re.split(r"[^a-z]+", name) if w]
    in_unit = len(words) == 2 and words[0] in {*SD_WORDS} - {"sigma"} and words[1] in UNIT_WORDS  # err_nm; sigma_MPa is a stress
    told = in_unit or (bool(words) and (words[-1] in SD_WORDS or " ".join(words[-2:]) in _SD_PAIRS))
    return told or name.endswith(_SD_SIGNS) or name.startswith(_SD_SIGNS) or _is_standard_error(column)


def _is_standard_error(column: str) -> bool:
    """s.e. [h], yield_se, SEM, standard error of the mean; or the like in another language."""
    return _ENDS_AS_STANDARD_ERROR.search(without_unit(column).strip()) is not None


def says_sd_of(sds: str, column: str, columns: Sequence[str] = ()) -> bool:
    """Whether ``sds`` names the standard deviations of ``column``: gain_error or gain sd, u(gain), dgain, of gain and mean gain;
    u(g) too where g is the first word of no other of the ``columns``, or none other begins with it."""
    if file_of(sds) != file_of(column):
        return False
    name, whole, spelled = plain_name(column), plain_name(sds), " ".join(sds.split())
    rest = whole.removeprefix(name)
    if whole.startswith(name) and (rest in SD_WORDS or (says_sd(sds) and not rest[:1].isalnum())):
        return True
    if name and whole.endswith(name) and whole.removesuffix(name) in SD_WORDS and _written_on(sds, column):
        return True
    found = _SD_BEFORE.fullmatch(spelled)
    if found is not None and plain_name(found["name"] or found["inner"]) in (name, without_mean(name)):
        return True
    if sds != column and is_delta(without_unit(spelled), without_unit(column), [without_unit(c) for c in columns]):
        return True
    if found is not None and found["inner"] and _begin_with(found["inner"], sds, columns) == [column]:
        return True
    mine, its = (_UNIT_ENDING.fullmatch(text.strip()) for text in (sds, column))
    same = mine is not None and its is not None and mine["unit"] == its["unit"] and mine["before"] != its["before"]
    return same and mine is not None and mine["before"].casefold() in ("u", "unc", *SD_WORDS)


def without_mean(name: str) -> str:
    """Without a word for an average before the rest: wait of mean wait, which se_wait is of."""
    return _MEAN.sub("", name)


def _written_on(sds: str, column: str) -> bool:
    """Whether a word for errors right before the name of a column is meant as such: errPsi, errR; not sdk beside k."""
    bare, whole = without_unit(column), without_unit(sds)
    capital = bare[0].isupper() and whole.endswith(bare) and whole.removesuffix(bare)[-1:].islower()
    return capital or len(bare) > _LETTERS_WRITTEN_ON


def _begin_with(letters: str, besides: str, columns: Sequence[str]) -> list[str]:
    """The columns of which ``letters`` are the first word, spelled like that if any is; else those that begin with them."""
    others = [c for c in columns if c != besides and _of_another(c) is None]
    first = [c for c in others if _first_word(c).casefold() == letters.casefold()]
    spelled = [c for c in first if _first_word(c) == letters]
    return spelled or first or [c for c in others if plain_name(c).startswith(plain_name(letters))]


@lru_cache(NAMES_KNOWN)
def _of_another(column: str) -> re.Match[str] | None:
    """u(p): the error of another column, whatever that begins with."""
    found = _SD_BEFORE.fullmatch(" ".join(column.split()))
    return found if found is not None and found["inner"] else None


def _first_word(name: str) -> str:
    return re.split(r"[\W_]+", without_unit(name).strip().lstrip("-\u2212"), maxsplit=1)[0]


def sd_columns(columns: Sequence[str]) -> list[str]:
    """Those of the columns that hold standard deviations, by their own name or by that of another column.

    ``sigma_x`` beside ``x`` is a stress rather than the error of a place; ``sd_x`` is that, of ``x`` and of ``x_mm``.
    """
    return list(_sd_columns(tuple(columns)))


@lru_cache(TABLES_KNOWN)
def _sd_columns(columns: tuple[str, ...]) -> tuple[str, ...]:
    measured = [c for c in columns if not says_where(c) or is_momentum_transfer(without_unit(c), unit_in(c))]  # dQ is its error
    return tuple(
        c for c in columns
        if says_sd(c) or any(o != c and says_sd_of(c, o, columns) for o in measured) or _says_sd_first(c, columns)
        or _says_sd_inside(c, measured) or _says_sd_in_percent(c, columns)
    )  # fmt: skip


@lru_cache(NAMES_KNOWN)
def around_sd(name: str) -> tuple[str, str] | None:
    """What stands before and behind the word for errors within a name: Psi, 65 of Psi_err 65; None: there is none with both."""
    found = _SD_INSIDE.fullmatch(without_unit(name))
    return None if found is None or re.search(r"[^\W_]", found["ending"]) is None else (found["name"], found["ending"])


def _says_sd_inside(column: str, measured: Sequence[str]) -> bool:
    """Whether what stands around a word for errors is the name of another column: I_err A beside I A."""
    around = around_sd(column)
    bare = re.sub(r"[\W_]+", " ", " ".join(around)).strip().casefold() if around else ""
    return bool(bare) and any(re.sub(r"[\W_]+", " ", without_unit(o)).strip().casefold() == bare for o in measured)


def _says_sd_first(column: str, columns: Sequence[str]) -> bool:
    """Whether its name begins with a word that means nothing but an error, before the beginning of another column's name."""
    found = _CLEAR_SD_BEFORE.fullmatch(plain_name(column))
    return found is not None and bool(_begin_with(found["name"], column, columns))


def _says_sd_in_percent(column: str, columns: Sequence[str]) -> bool:
    """u_Re/% beside Re(Z)/mOhm: what is in per cent is no velocity."""
    found = _U_BEFORE.fullmatch(without_unit(column))
    percent = unit_in(column).casefold() in ("%", "percent")
    return percent and found is not None and bool(_begin_with(found["name"], column, columns))


def says_value(column: str) -> bool:
    """Whether a column's name says that it holds what was measured, without saying of what: value, measured."""
    return plain_name(column) in VALUE_WORDS


def fresh(name: str, taken: Sequence[str]) -> str:
    """``name``, or the first of name_2, name_3 ... that is not taken."""
    found, count = name, 1
    while found in taken:
        count += 1
        found = f"{name}_{count}"
    return found
