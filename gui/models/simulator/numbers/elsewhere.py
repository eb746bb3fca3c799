"""The number that a parameter took the place of, where it stands again in the inputs: it may be the same quantity. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import msgspec

from bayescope.engine.answer.no_effect import WHERE
from bayescope.engine.problem import placeholders
from bayescope.engine.problem.definition import Problem, TemplateFile
from bayescope.engine.problem.numbers.number_text import NUMBER, value_of
from bayescope.engine.problem.numbers.numbers_in_text import line_bounds
from bayescope.gui.models.plain import one_line
from bayescope.gui.models.simulator.numbers.remarks import LAST_REMARK
from bayescope.gui.models.simulator.numbers.typed_over import typed_over
from bayescope.gui.style.words import number

SEARCHED = 2_000_000  # characters of a text: longer ones are meshes and tables, and nobody waits for them
MOST_PLACES = 12  # a number that stands in more is a coincidence in most of them
MOST_NAMED = 3  # places in a sentence
SHOWN = 36  # characters of a line
_TOKEN = re.compile(  # no part of a name, no difference, no power, no clock: 1:00
    rf"(?<![\w.@^])(?<!\*\*)(?<!\d:)(?<![\w.)][-+]){NUMBER}(?![\w.@]|:\d)"
)


# what makes a number a part of a formula: signs of sums and products about it, but for those of comments and of the end of a list
_FACTOR_BEFORE = re.compile(r"(?:[\w)\]][ \t]*[-+]|(?<![/*])[*/^]|(?<=\w)\*\*)[ \t]*$")
_FACTOR_BEHIND = re.compile(r"[ \t]*(?:\*|\^|/(?![/*]|[ \t]*(?:[\r\n]|$))|[-+](?=[ \t]|[A-Za-z_(]))")
_REMARK = re.compile(r"(?:^|(?<=[\s;,)]))(?:%+|#+(?![A-Za-z])|!+|//+|;+(?=\s)|--+(?=\s)|/\*+|<!--)")  # #define sets a value
_INDEX = re.compile(r"\w\[[^\[\]\n]*$")  # the beginning of an index, open up to there


@dataclass(frozen=True)
class Place:
    """Characters [start, end) of the input file ``template`` (counted from 0)."""

    template: int
    start: int
    end: int
    words: str


@dataclass(frozen=True)
class Elsewhere:
    """Where the ``value`` of the parameter ``name`` stands again."""

    name: str
    value: float
    places: tuple[Place, ...]

    @property
    def words(self) -> str:
        n = len(self.places)
        return f"{number(self.value, 8)}, the value of {one_line(self.name, 30)}, stands in {n} other place{'s' * (n > 1)} too"

    @property
    def where(self) -> str:
        """The places, a sentence."""
        more = f" and {len(self.places) - MOST_NAMED} more" if len(self.places) > MOST_NAMED else ""
        it = "it is" if len(self.places) == 1 else "they are"
        named = "; ".join(p.words for p in self.places[:MOST_NAMED])
        return f"{named[:1].upper()}{named[1:]}{more}. If {it} the same quantity, the program may read it there."

    @property
    def buttons(self) -> tuple[str, str]:
        """To mark them too, and to leave them."""
        if len(self.places) == 1:
            return "Mark &this too", "It is something else"
        return "Mark &these too", "They are something else"


def elsewhere(problem: Problem, name: str, typed: Mapping[str, float] | None = None) -> Elsewhere | None:
    """None: the number is not known, or 0, which is the value of much; it stands nowhere else, or in too many places. ``typed``:
    values known where no original of the input file tells them."""
    templates = problem.simulator.templates
    stood = typed_over(templates, name)
    value = stood[1] if stood is not None else (typed or {}).get(name)
    if not value or not any(name == used for t in templates for used, _, _ in placeholders.find(t.text)):
        return None
    places: list[Place] = []
    for row, template in enumerate(templates):
        places += _places(row, template, value, name)
        if len(places) > MOST_PLACES:
            return None
    return Elsewhere(name, value, tuple(places)) if places else None


def advice(problem: Problem, idle: str, typed: Mapping[str, float]) -> str:
    """Where to look if the parameter ``idle`` changes nothing: where its value stands too, or whether it stands right."""
    found = elsewhere(problem, idle, typed)
    return WHERE if found is None else f"{found.words}. {found.where}"


def marked_too(problem: Problem, found: Elsewhere, only: Place | None = None) -> Problem:
    """``problem`` with the placeholder in all places of ``found``, or in one of them ``only``."""
    templates = list(problem.simulator.templates)
    for place in sorted(found.places if only is None else (only,), key=lambda p: -p.start):
        text = templates[place.template].text
        changed = f"{text[: place.start]}@{found.name}@{text[place.end :]}"
        templates[place.template] = msgspec.structs.replace(templates[place.template], text=changed)
    simulator = msgspec.structs.replace(problem.simulator, templates=tuple(templates))
    return msgspec.structs.replace(problem, simulator=simulator)


def _places(row: int, template: TemplateFile, value: float, name: str) -> list[Place]:
    """But in the remark behind the placeholder ``name``, where the value is told of it."""
    text, found = template.text[:SEARCHED], list[Place]()
    remarks = [_remark_behind(text, end) for used, _, end in placeholders.find(text) if used == name]
    for match in _TOKEN.finditer(text):
        again = value_of(match.group()) == value and not any(match.start() in remark for remark in remarks)
        if again and _stands_alone(text, *match.span()):
            found.append(Place(row, *match.span(), _words(template, text, match.start(), match.end())))
            if len(found) > MOST_PLACES:
                break
    return found


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Whether a number is given as a value, or in a list of such: no factor or term of a formula (1.0 / 3.0, 1/fs), no index, and
    in no remark, which no program reads."""
    low, high = line_bounds(text, start)
    before = text[low:start]
    if _REMARK.search(before):
        return False
    return not (_FACTOR_BEFORE.search(before) or _INDEX.search(before) or _FACTOR_BEHIND.match(text, end, high))


def _remark_behind(text: str, at: int) -> range:
    """The characters of the remark on the rest of the line; empty: there is none."""
    line_end = line_bounds(text, at)[1]
    remark = LAST_REMARK.search(text, at, line_end)
    return range(0) if remark is None else range(remark.start(), line_end)


def _words(template: TemplateFile, text: str, start: int, end: int) -> str:
    """``line 12 of model.xml: “k="0.35"/>”``: what stands about the number, the words before it first."""
    line = text.count("\n", 0, start) + 1
    begin = text.rfind("\n", 0, start) + 1
    stop = text.find("\n", end)
    whole = text[begin : stop if stop >= 0 else len(text)].strip()
    if len(whole) > SHOWN:
        whole = "…" + text[max(begin, end - SHOWN) : min(end + 2, stop if stop >= 0 else len(text))].strip()
    return f"line {line} of {one_line(template.target, 30)}: “{one_line(whole, SHOWN + 4)}”"
