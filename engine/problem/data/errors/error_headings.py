"""Columns of errors that are called just ± or err, or by a coverage factor (k=2): which column they are of, and how many
standard deviations they hold."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from ..names.brackets import bracket_of
from ..names.column_names import (
    SD_WORDS,
    STANDARD_ERROR,
    plain_name,
    says_sd,
    says_value,
    says_where,
    without_unit,
)
from ..names.percent_names import in_percent
from ..units.unit_names import is_unit
from .interval_headings import interval_part, single_widths
from .levels import factor_of_level
from .sd_pairs import bare_name

_SIGN = r"\+/[-\u2212]|\+-|±"
COVERAGE = re.compile(r"[(\[]\s*k\s*=\s*(?P<k>[1-3](?:\.\d+)?)\s*[)\]]|(?<![^\W_])k\s*=\s*(?P<bare>[1-3](?:\.\d+)?)(?![\w.])")
SIGMAS = re.compile(
    r"(?<![^\W_])(?P<k>[1-3])[ -]?(?:\u03c3|sigmas?\b|sds?\b|s\.\s?d\.?(?!\w)|(?:standard|st\.?|std\.?) dev(?:iation)?s?\b)",
    re.IGNORECASE,
)
_LEVEL_PART = r"[(\[]?\s*(?P<level>90|95|99)\s*(?:%|per ?cent)(?:\s*(?:CI|CL|conf\w*\.?|coverage))?\s*[)\]]?"
_KIND = r"(?:(?:expanded|standard|combined|meas\.?|measurement)\s+)*"
_WORDS = "|".join((STANDARD_ERROR, *SD_WORDS, "u", "\u03c3", "standard deviation"))
_BARE = re.compile(rf"(?:{_SIGN}|(?:(?:{_SIGN})\s*)?{_KIND}(?:{_WORDS}))?", re.IGNORECASE)
_ONLY_SIGN = re.compile(rf"(?:{_SIGN})")
# ± 95 %, uncertainty (95 %); U95, as in metrology, where no other column counts percentiles of a U
_LEVELLED = re.compile(
    rf"(?:{_SIGN}|(?<![^\W_])(?:{_WORDS}|unc|err)\.?)\s*(?P<cut>{_LEVEL_PART})(?=\s*(?:[(\[]|$))", re.IGNORECASE
)
_U_LEVEL = re.compile(r"(?<![^\W_])(?:U|(?i:unc|uncertainty|err|error))(?P<cut>_?(?P<level>90|95|99))(?![\d.%])")
_PERCENTILE = re.compile(r"(?<![^\W_])[UL]_?\d{1,2}(?![\d.%])|\blower\b", re.IGNORECASE)  # L95 is a lower limit
_OF = re.compile(rf"(?:(?:{_SIGN})\s*|{_KIND}(?:{_WORDS})(?:\s+of\s+|\s*\(|[\s_]+))(?P<name>[^()]+?)\)?", re.IGNORECASE)
_SAYS_OF = re.compile(rf"{_KIND}(?:{_WORDS})\s+of\s+(?P<name>.+)", re.IGNORECASE)
_SHORT = re.compile(r"(?<![^\W_])(?P<k>[23])(?:s|[ -]?(?:s\.e\.?|sem?))(?![^\W_])", re.IGNORECASE)  # 2s, 2SE
_SECONDS = re.compile(r"(?<![\w.])(?P<k>[0-9]+(?:\.[0-9]+)?) ?s(?![^\W_])")
Column = tuple[float | None, ...]
_ERRORS = frozenset(("err", "error", "errors", "uncertainty", "uncert", "unc"))  # say it of the column before, also once


class ErrorHeading(NamedTuple):
    """``name``: by which the column is known and linked; ``k``: by which its numbers are divided; ``unsure``: where they are half
    widths of intervals, which may be whole ones."""

    name: str
    k: float
    unsure: bool = False


def error_headings(given: Sequence[str], numbers: Collection[int] = ()) -> dict[int, ErrorHeading]:
    """Which of the columns, by their place, are to be called after another one, the ± T of T. ``numbers``: the places of those of
    single numbers, which hold no intervals."""
    names = [" ".join(name.strip().strip('"').split()) for name in given]
    known = {plain_name(name) for name in names}
    percentiles = sum(_PERCENTILE.search(name) is not None for name in names) > 1
    widths = single_widths(names) & frozenset(numbers)
    seconds = len({found["k"] for name in names for found in _SECONDS.finditer(name)}) > 1
    parts = [_parted(name, known, percentiles, i in widths, seconds) for i, name in enumerate(names)]
    found: dict[int, ErrorHeading] = {}
    bare = {i for i, part in enumerate(parts) if _says_only_errors(*part)} | _several_u(parts)
    alike = {k for i in bare if (k := parts[i][2]) is not None and not parts[i][0]}  # k=1, k=2, k=3: no factors but numbers
    for i, (stem, unit, k) in enumerate(parts):
        if i in bare:
            of = names[i - 1] if i and i - 1 not in bare and _is_of_one_before(i, names, parts, bare, alike) else ""
        else:
            of = _named(stem, k, [name for name, part in zip(names, parts, strict=True) if part[2] is None])
        if of:
            tail = unit or of[len(without_unit(of)) :].strip()
            called = of if of == stem and says_sd(of) else f"± {without_unit(of)}"  # it may say only that it holds errors
            part = interval_part(names[i]) if i in widths else None
            found[i] = ErrorHeading(f"{called} {tail}".strip(), k or 1.0, part is not None and not part[3])
    return found


def factor_in(heading: str) -> float | None:
    """The coverage factor, or the number of standard deviations, that a heading says."""
    found = COVERAGE.search(heading) or SIGMAS.search(heading)
    return None if found is None else float(next(text for text in found.groups() if text))


def _factor_part(name: str, percentiles: bool, width: bool, seconds: bool) -> tuple[int, int, float] | None:
    """Where a heading says a coverage factor or a level of coverage, and the factor. ``width``: it may be that of intervals;
    ``seconds``: 2s is a time."""
    if width and (part := interval_part(name)) is not None:
        return part[:3]
    if not seconds and COVERAGE.search(name) is None and (short := _SHORT.search(name)) is not None:
        return short.start(), short.end(), float(short["k"])
    if (found := COVERAGE.search(name) or SIGMAS.search(name)) is not None:
        return found.start(), found.end(), float(next(text for text in found.groups() if text))
    levelled = _LEVELLED.search(name) or (None if percentiles else _U_LEVEL.search(name))
    factor = None if levelled is None else factor_of_level(f"{levelled['level']} %")
    return None if levelled is None or factor is None else (*levelled.span("cut"), factor)


def _parted(
    name: str, known: set[str], percentiles: bool = False, width: bool = False, seconds: bool = True
) -> tuple[str, str, float | None]:
    """What a heading says without its unit and its coverage factor, the unit with its brackets, and the factor. ``known``: plain
    names of columns, which are no units; ``percentiles``: U95 is one beside others."""
    found = _factor_part(name, percentiles, width, seconds)
    k = None if found is None else found[2]
    rest = name if found is None else " ".join(f"{name[: found[0]]} {name[found[1] :]}".split())
    rest = rest if found is None else re.sub(r"[(\[]\s*[)\]]|[\s,;]+(?=[)\]])", "", rest)  # (% of value, k = 1), err ()
    inside = bracket_of(f"x {rest}") if rest[-1:] in (")", "]") else ""
    told = is_unit(inside) or inside in ("%", "percent") or (k is not None and plain_name(inside) not in known)
    unit = rest[rest.rfind(inside) - 1 :] if inside and told else ""
    return rest[: len(rest) - len(unit)].strip(" _-,;:") if rest not in ("+-", "+/-") else rest, unit, k


def _says_only_errors(stem: str, unit: str, k: float | None) -> bool:
    """Whether a heading says that it holds errors, and not of what; u alone is a velocity too."""
    return _BARE.fullmatch(stem) is not None and (k is not None or (stem != "" and stem not in ("u", "U")))


def _several_u(parts: Sequence[tuple[str, str, float | None]]) -> set[int]:
    """The places of columns called u where several are, none beside another or at the beginning: no velocity is there twice."""
    found = {i for i, (stem, _, k) in enumerate(parts) if k is None and stem in ("u", "U")}
    return found if len(found) > 1 and 0 not in found and not any(i + 1 in found for i in found) else set()


def _is_of_one_before(
    i: int, names: Sequence[str], parts: Sequence[tuple[str, str, float | None]], bare: set[int], alike: set[float]
) -> bool:
    stem, _, k = parts[i]
    if _ONLY_SIGN.fullmatch(stem):
        return True
    if k is not None:
        return bool(stem) or (len(alike) == 1 and (i > 1 or not says_where(names[i - 1])))
    values = [j for j, name in enumerate(names) if j not in bare and name and not says_where(name)]
    again = sum(parts[j][0].casefold() == stem.casefold() for j in bare) > 1
    between = i + 1 < len(names) or len(values) < 2  # at the end it may be of all of them
    alone = stem.casefold() in _ERRORS and between and not in_percent(names[i])
    return again or (alone and not says_value(names[i - 1]))


def _named(stem: str, k: float | None, names: Sequence[str]) -> str:
    """Of which column a heading speaks that names one beside a coverage factor, or behind “of”; '' if of none."""
    others = {plain_name(name): name for name in names if without_unit(name) != stem or k is not None}
    if k is None:
        spoken = _SAYS_OF.fullmatch(stem)
        return others.get(plain_name(spoken["name"]), "") if spoken is not None else ""
    stem = re.sub(rf"\s*(?:{_SIGN})$", "", stem)  # T ± (95 %)
    of = _OF.fullmatch(stem)
    said = of["name"] if of is not None else bare_name(stem) if says_sd(stem) else ""
    return others.get(plain_name(said), said) if said else others.get(plain_name(stem), "")
