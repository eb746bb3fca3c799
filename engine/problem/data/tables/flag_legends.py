"""What the codes of a column of flags mean, where the file says so: "Flag: 0 = good, 1 = suspect", "qc_flag 1=ok 4=bad"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from ..names.column_names import loose_name
from .quality_words import BAD, GOOD, speaks_against

Legend = Mapping[str, Mapping[str, str]]  # by column, in loose spelling, or '' of any column of flags: the meaning of each code
Texts = tuple[str | None, ...]
HEAD, TAIL = 20_000, 8_000  # characters of a text in which legends are looked for
MOST_LINES = 40
LONGEST = 400  # characters of a line
_MARKS = "#%!;/*\"'|- \t\ufeff"
_CODE = r"(?P<code>[A-Za-z]{1,3}|[0-9]{1,4}|[A-Za-z]:[a-zA-Z])"
_IS = r"\s*(?:=|:|->|→|\t|\s[–—-]\s)\s*"
_NEXT = r"(?:[A-Za-z]{1,3}|[0-9]{1,4})"
_ENTRY = re.compile(
    rf"(?<![\w.]){_CODE}{_IS}[\"']?(?P<meaning>[^\W\d_][^=;|\t]*?)[\"']?"
    rf"(?=\s*(?:[,;|\t)/.]\s*(?:and\s+)?{_NEXT}{_IS}|\s+{_NEXT}\s*[=:]|\s*[;|\t]|\s*$))"
)
_NAMED = re.compile(r"\b(?:q?c?[ _]?flags?|quality|qc|qa|qualifiers?|status|codes?|validity)\b", re.IGNORECASE)
_VALUES = re.compile(r"flag_(?:values|masks)\s*[=:]\s*(?P<codes>[^;\n]*)", re.IGNORECASE)
_MEANINGS = re.compile(r"flag_meanings\s*[=:]\s*(?P<words>[^;\n]*)", re.IGNORECASE)
_SIGN = r"[*†‡§¶#!?°^~+]{1,3}"  # that marks a row: * = detector change, not valid
_OF_SIGN = re.compile(
    rf"(?<![^\s\"';,(\t])(?P<code>{_SIGN})\s*[\"']?\s*(?:=|means\b|:(?=\s))\s*[\"']?(?P<meaning>[^\W\d_][^=;|\t\"']*)"
)


_IN_BRACKETS = re.compile(r"(?<![\w.])(?P<code>[A-Za-z]{1,2}|[0-9]{1,4})\s*\((?P<meaning>[^\W\d_][^()]*)\)")


def _entries(line: str) -> list[re.Match[str]]:
    """The codes of a line with their meanings, as 1 = suspect, or 1 (suspect) beside a word for flags."""
    found = list(_ENTRY.finditer(line))
    inside = list(_IN_BRACKETS.finditer(line))
    return inside if len(inside) > len(found) and _NAMED.search(line[: inside[0].start()]) else found


def legend_lines(text: str) -> tuple[str, ...]:
    """The lines of a file, or of a sheet with tabs between cells, that say what flags mean, comment signs left out."""
    short = text if len(text) <= HEAD + TAIL else f"{text[:HEAD]}\n{text[-TAIL:]}"
    found: list[str] = []
    named = ""  # a line that announces those below it: "Quality flags:"
    for line in short.splitlines():
        words = " ".join(line.strip(_MARKS).replace("\t", " \t ").split(" ")).strip()
        if not words or len(words) > LONGEST:
            named = "" if not words and not line.strip() else named
            continue
        entries = _entries(words)
        told = bool(_NAMED.search(words[: entries[0].start()])) if entries else False
        of_attributes = _VALUES.search(words) or _MEANINGS.search(words)
        if of_attributes or (entries and (told or (len(entries) > 1 and any(_is_good(e["meaning"]) for e in entries)))):
            found.append(words)
        elif len(entries) == 1 and entries[0].start() == 0 and (named or _says_quality(entries[0]["meaning"])):
            found.append(f"{named} {words}".strip())
        elif not entries:
            named = words.rstrip(" :") if _NAMED.search(words) and len(words) < LONGEST // 4 else ""
    return tuple(dict.fromkeys(found))[:MOST_LINES]


def _is_good(meaning: str) -> bool:
    words = [w for w in re.findall(r"[^\W\d_]+", meaning.casefold()) if w not in ("probably", "presumably", "very")]
    return bool(words) and words[0] in GOOD


def _says_quality(meaning: str) -> bool:
    words = set(re.findall(r"[^\W\d_]+", meaning.casefold()))
    return bool(words & (GOOD | BAD)) or speaks_against(meaning)


def legend_of(lines: Iterable[str], columns: Sequence[str] = ()) -> Legend:
    """What codes mean, by the column that a line names, '' where it names none of the ``columns``. A single line without the
    code of a good row tells nothing alone, several together may."""
    names = {loose_name(c): c for c in columns}
    found: dict[str, dict[str, str]] = {}
    every = tuple(lines)
    for line in every:
        entries = _entries(line)
        if not entries:
            continue
        before = loose_name(line[: entries[0].start()].strip(" :=,("))
        of = max((n for n in names if n and re.search(rf"(?<![^\W_]){re.escape(n)}(?![^\W_])", before)), key=len, default="")
        mine = found.setdefault(of, {})
        for entry in entries:
            mine.setdefault(entry["code"], entry["meaning"].strip(" ,.\"'"))
    codes = [m["codes"] for line in every if (m := _VALUES.search(line)) is not None]
    words = [m["words"] for line in every if (m := _MEANINGS.search(line)) is not None]
    for values, meanings in zip(codes, words, strict=False):  # of CF conventions: one word for each code
        numbers = re.findall(r"[0-9A-Za-z]+", re.sub(r"(?<=\d)[a-zA-Z]+", "", values))
        pairs = zip(numbers, meanings.strip(' "').split(), strict=False)
        found.setdefault("", {}).update((code, word.replace("_", " ")) for code, word in pairs)
    return {of: mine for of, mine in found.items() if len(mine) > 1}


def sign_lines(text: str) -> tuple[str, ...]:
    """The lines of a file that say what a sign beside a row means, where that speaks against the row: * = not valid."""
    short = text if len(text) <= HEAD + TAIL else f"{text[:HEAD]}\n{text[-TAIL:]}"
    lines = (" ".join(line.split()) for line in short.splitlines() if len(line) <= LONGEST)
    return tuple(dict.fromkeys(line for line in lines if signs_of((line,))))[:MOST_LINES]


def signs_of(lines: Iterable[str]) -> Mapping[str, str]:
    """What signs beside rows mean, of those that speak against these rows."""
    found = (one for line in lines for one in _OF_SIGN.finditer(line))
    told = ((one["code"], one["meaning"].strip(" ,.\"')")) for one in found)
    return {code: meaning for code, meaning in told if _speaks_against(meaning)}


def _speaks_against(meaning: str) -> bool:
    return speaks_against(meaning) or bool(BAD & set(re.findall(r"[^\W\d_]+", meaning.casefold())))


def with_signs_explained(texts: Mapping[str, Texts], signs: Mapping[str, str]) -> dict[str, Texts]:
    """``texts`` with the meanings in place of the signs in columns that hold nothing but ``signs``: remarks on rows."""
    made = dict(texts)
    for name, cells in texts.items() if signs else ():
        there = {cell.strip() for cell in cells if cell is not None and cell.strip()}
        if there and there <= set(signs):
            plain = (None if cell is None or not cell.strip() else cell.strip() for cell in cells)
            made[name] = tuple(None if cell is None else f"{signs[cell]} ({cell})" for cell in plain)
    return made


def meanings_of(legend: Legend, column: str) -> Mapping[str, str]:
    """The codes of ``column``: those said of it by name, else those said of flags."""
    return legend.get(loose_name(column)) or legend.get("", {})


def is_good(meaning: str) -> bool:
    """Whether rows with a code of this meaning are good."""
    return _is_good(meaning) and not speaks_against(meaning)
