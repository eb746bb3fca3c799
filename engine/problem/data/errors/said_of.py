"""Of what a line of words about errors speaks: of columns that it names, of something else, or of all there is."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from ..names.same_meaning import mean_the_same
from ..tables.remarked_quantities import ALSO_WORDS, SURE, names_of, spelled
from .error_words import CAPITAL, OF_ERRORS, SIGN

_NUMBER = re.compile(r"(?<![^\W_])[0-9]|\.[0-9]")
_CLAUSE = re.compile(r";|(?<=[^\W\d_]{3})\.\s")
_LISTED = re.compile(r"(?:[\s,/&+()]|\band\b|\bund\b|\bet\b|\by\b|\be\b|\bor\b|\boder\b)*", re.IGNORECASE)
_OF = re.compile(
    r"\b(?:of|in|for)\s+(?:the\s+)?(?P<what>[^\W\d_]{3,}(?:\s+[^\W\d_]+)?)[\s:=±]*(?:(?:is|are)\s*)?$", re.IGNORECASE
)
_BEHIND = re.compile(r"\b(?P<word>for|of|in)\s+(?:the\s+)?(?P<what>[^\W\d_][^;:=]*)$")
_BRACKET = re.compile(r"[(\[][^()\[\]]*[)\]]")
_WORD = re.compile(r"[^\W\d_]+")
# in such lines beside words for errors, in the languages of these: they name no quantity
_GENERAL = frozenset(
    "measurement measurements measure measured measuring meas reading readings value values data datum typical relative rel "
    "absolute abs estimated estimate overall standard std expanded combined mean average all each every any the of in for at to "
    "is are was were be been this these those with and or an on per from by as random systematic instrument instruments "
    "instrumental device gauge gage gauges probe probes sensor sensors meter logger loggers thermocouple thermocouples cell load "
    "manufacturer maker given stated about approx approximately note notes remark remarks their its one two three level "
    "confidence coverage factor sigma sd rms quadrature max min maximum minimum least within channel channels column columns "
    "point points sample samples analytical experimental method deviation repeatability reproducibility "
    "resolution tolerance full scale fs log ln normal lognormal gaussian factor levels "
    "mess messung messungen messwert messwerte wert werte gerät geräte sonde sonden fühler sensoren der die das des den dem von "
    "vom für bei mit und ist sind je jede jeder relativ relative absolut typisch typische "
    "mesure mesures valeur valeurs de du des la le les pour est sont et chaque appareil capteur "
    "medida medidas medición mediciones valor valores del el los las para es son cada sonda "
    "misura misure valore valori di della delle dei per ogni medição medições do da dos das meting metingen waarde waarden van "
    "het een elke".split()
)


class SaidOf(NamedTuple):
    """``columns``: those that are named before the size; ``other``: what is named instead, '' where nothing is."""

    columns: tuple[str, ...] = ()
    other: str = ""


def said_of(words: str, columns: Collection[str]) -> SaidOf:
    """What a line of words about errors names in front of a size, in the part of it that states the size, else before."""
    start, end = _place(words)
    clauses = _CLAUSE.split(words[:end])
    for clause in reversed(clauses):
        if found := _named_last(clause, list(columns)):
            return SaidOf(found)
    if (of := _OF.search(words[:end])) is not None:
        if meant := tuple(c for c in columns if mean_the_same(of["what"], c)):  # of the pressure: p / bar
            return SaidOf(meant)
        if not _general(of["what"]):
            return SaidOf((), of["what"])
    if (behind := _BEHIND.search(words, end)) is not None:  # ± 0.05 for pH
        if found := _named_last(behind["what"], list(columns)):
            return SaidOf(found)
        if behind["word"] == "for" and not _general(behind["what"]):
            return SaidOf((), behind["what"].strip(" .,)]"))
    return SaidOf((), _other(words[:start]) if start < len(words) else "")


def _place(words: str) -> tuple[int, int]:
    """Where the word for errors begins that stands before their size, and the size itself."""
    every = (*OF_ERRORS.finditer(words), *CAPITAL.finditer(words), *SIGN.finditer(words))
    told = sorted(every, key=lambda one: one.start())
    first = next((one for one in told if _NUMBER.search(words, one.end()) is not None), None)
    if first is None:
        return len(words), len(words)
    last = max((one for one in told if _NUMBER.search(words, one.end()) is not None), key=lambda one: one.start())
    number = _NUMBER.search(words, last.end())
    assert number is not None
    return first.start(), number.start()


def _named_last(clause: str, columns: Sequence[str]) -> tuple[str, ...]:
    """The columns that ``clause`` names last, several where they are listed: K and Na."""
    places: list[tuple[int, int, str]] = []
    for column, names in names_of(columns).items():
        for name in names:
            flags = re.IGNORECASE if len(name) >= SURE and not spelled(name) else 0
            for found in re.finditer(rf"(?<![^\W_]){re.escape(name)}(?![^\W_])", clause, flags):
                if spelled(name) or (name.casefold() not in ALSO_WORDS and not _general(name)):
                    places.append((found.start(), found.end(), column))
    if not places:
        return ()
    begin, _, last = max(places, key=lambda one: (one[1], -one[0]))
    kept = [last]
    for start, end, column in sorted(places, key=lambda one: -one[1]):
        if end <= begin and _LISTED.fullmatch(clause[end:begin]):
            kept.append(column)
            begin = start
        elif end > begin and column not in kept and start >= begin:
            kept.append(column)
    return tuple(dict.fromkeys(reversed(kept)))


def _other(before: str) -> str:
    """The thing named in front of a word for errors: Total N of “Total N by Kjeldahl, precision”."""
    clause = _CLAUSE.split(before)[-1]
    bare = " ".join(re.split(r"[(\[]", _BRACKET.sub(" ", clause))[0].split()).strip(" ,:;([-–—*†‡")
    return "" if _general(bare) else bare


def _general(words: str) -> bool:
    """Whether words name no quantity."""
    return all(word.casefold() in _GENERAL or OF_ERRORS.fullmatch(word) for word in _WORD.findall(words))
