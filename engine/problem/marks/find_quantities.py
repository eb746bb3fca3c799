"""Quantities that a table of measured data names, looked for in what a run wrote: by their labels, headings and keys."""

from __future__ import annotations

import contextlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

from ..data.names.column_names import fresh, loose_name, says_value, says_where, sd_columns, solid_name, without_unit
from ..data.names.index_words import says_index
from ..data.names.name_words import words_in
from ..data.names.titled_names import name_and_title, numbers_in
from ..data.tables.long_form import already_split, names_in, value_columns
from ..data.tables.naming_column import naming_column, split_with_units
from ..definition import DataTable, JsonPath
from ..errors import ProblemError
from ..json_spans import number_paths
from ..numbers.number_characters import shorten
from ..numbers.numbers_in_text import line_bounds, lines_of, numbers
from ..numbers.shown_digits import spoken
from ..propose import MAX_TEXT
from ..propose_tables import Proposal
from ..run_times import says_run_time
from .coded_headings import coded_headings
from .found import Found
from .labels.label_names import distinct_names, short_name
from .labels.number_label import label_of
from .mark import Mark
from .other_names import is_other_name, other_names
from .quantity import Quantity
from .scopes import Scope
from .tables.title_numbers import MOST_NEAR

MOST_QUANTITIES = 100
MOST_ROWS = 10_000  # of a table that is split for its names while the window waits
MOST_TRIED = 3  # places of one quantity that are read, the likeliest first
MOST_CALLED = 12  # letters of a program's own name for a quantity
SAME, PART, OTHER = 3, 2, 1  # a name is spelled alike, is part of the other, or is another one of the same quantity
_NO_HEADING = re.compile(r"[\"'=:]")
_COUNTED = re.compile(  # theta 5 cm, T at 318 K
    r"(?P<stem>\S.*?)[\s_,@]*(?:\bat)?[\s_@]+(?P<value>\d+(?:\.\d+)?)\s*[^\W\d_]{0,5}"
)
_WORDS = re.compile(r"[^\W_]+")
_WORD = re.compile(r"[^\W\d_]{2,}")
_CLASS_WORD = re.compile(r"\b(?!to\b|and\b|over\b|under\b|bis\b)[^\W\d_]+", re.IGNORECASE)  # 0-9, 10 to 19 and 70+ name classes


@dataclass(frozen=True)
class _Place:
    score: tuple[float, ...]
    source: str
    start: int
    end: int
    label: str
    unit: str
    titled: bool = False  # above it stands the number in the title of the quantity's table

    @property
    def in_order(self) -> tuple[float, ...]:
        """Of several places as good the first of the text goes first."""
        return (*self.score[:-1], -self.score[-1])


def splitting_column(table: DataTable) -> str:
    """The column of texts that names the quantity of each row; '' if there is none, or the table is too long.

    Beside those that say so: one with another text in every row, where the other columns say no more than that they hold values.
    Texts without words of their own, as 0-9 and 10-19, name classes of one quantity.
    """
    rows = max((len(c) for c in (*table.columns.values(), *table.texts.values())), default=0)
    if rows > MOST_ROWS:
        return ""
    if by := naming_column(table):
        return by if _names_things(table, by) and not already_split(table, by) else ""
    values = value_columns(table)
    measured = [c for c in values if c not in sd_columns(values)]
    every = (
        name for name in table.texts
        if len(names_in(table, name)) == rows and not says_where(name) and _names_things(table, name)
    )  # fmt: skip
    return next(every, "") if measured and all(map(says_value, measured)) and rows <= MOST_QUANTITIES else ""


def _names_things(table: DataTable, column: str) -> bool:
    return any(_CLASS_WORD.search(name) for name in names_in(table, column))


def quantities(table: DataTable) -> list[Quantity]:
    """What the table holds measured values of, by its naming column or by its columns; without errors, places and times."""
    by = splitting_column(table)
    if by:
        with contextlib.suppress(ProblemError):
            table = split_with_units(table, by)
    sds = set(sd_columns(list(table.columns)))
    found = []
    for column, cells in table.columns.items():
        known = [v for v in cells if v is not None]
        if column in sds or says_where(column) or not known or says_index(column):
            continue
        bare, title = name_and_title(column) or (column, "")
        name = without_unit(bare)
        unit = bare.strip()[len(name) :].strip(" ()[]<>/")
        found.append(Quantity(name, unit, known[0] if len(known) == 1 else None, len(known), column, title))
    return found[:MOST_QUANTITIES]


def find_quantities(
    wanted: Sequence[Quantity], texts: Mapping[str, str], others: Mapping[str, str], taken: Sequence[str] = (),
    lines: Sequence[str] = (),
) -> tuple[list[Found], list[Quantity]]:  # fmt: skip
    """Where the texts of a run have the wanted quantities, each at its likeliest place, and those that were not found.

    ``others``: the texts of a run at other values, where numbers that depend on the parameters differ. ``taken``: names in use.
    ``lines``: of the data files around their tables.
    """
    marks: dict[str, Mark] = {}
    coded = coded_headings(wanted, texts, others, lines)
    found, missing, used, read_so = list[Found](), list[Quantity](), set[tuple[str, int]](), list[tuple[str, object]]()
    names = distinct_names([q.name for q in wanted])
    repeated = Counter(q.name for q in wanted)
    every = [[] if q.column in coded else _all_places(q, texts, others, wanted) for q in wanted]
    titled = {q.name for q, places in zip(wanted, every, strict=True) if any(p.titled for p in places)}
    for quantity, name, places in zip(wanted, names, every, strict=True):
        if (own := coded.get(quantity.column)) is not None and own.name not in taken:
            found.append(own)
            continue
        several = repeated[quantity.name] > 1
        places.sort(key=attrgetter("in_order" if several else "score"), reverse=True)
        free = [p for p in places if (p.source, p.start) not in used and (p.titled or not (several and quantity.name in titled))]
        tried = [r for p in free[:MOST_TRIED] if (r := _read(marks, texts, others, p, quantity)) is not None]
        tried.sort(key=lambda r: bool(r[3]) and solid_name(r[3]) != solid_name(quantity.name))  # Width before Max. Width
        read = next((r for r in tried if (r[0].source, r[1].extractor) not in read_so), None)  # no number for two quantities
        if read is not None and several and read[4]:
            name = fresh(f"{distinct_names([quantity.name])[0]}_{read[4]}", [f.name for f in found])
        if read is None or name in taken:
            missing.append(quantity)
            continue
        place, proposal, how, _, _ = read
        used.add((place.source, place.start))
        read_so.append((place.source, proposal.extractor))
        found.append(Found(place.source, name, place.unit, place.label, proposal, how, _note(quantity, place)))
    return found, missing


def _all_places(
    quantity: Quantity, texts: Mapping[str, str], others: Mapping[str, str], wanted: Sequence[Quantity]
) -> list[_Place]:
    """Where it may stand by its name; by the first words alone, theta of theta 5 cm, only below a title with the number."""
    found = _places(quantity, texts, others, titles_apart(quantity, wanted))
    counted = _COUNTED.fullmatch(quantity.name) if quantity.rows > 1 else None
    if counted is None or any(place.score[0] == SAME for place in found):
        return found
    stem = replace(quantity, name=counted["stem"])
    return found + [place for place in _places(stem, texts, others, (float(counted["value"]),)) if place.titled]


def titles_apart(quantity: Quantity, wanted: Sequence[Quantity]) -> tuple[float, ...]:
    """The numbers in the title of a quantity's table that those of others of its name do not all have."""
    others = [numbers_in(q.title) for q in wanted if q.name == quantity.name and q is not quantity]
    return tuple(v for v in numbers_in(quantity.title) if not others or not all(v in other for other in others))


def _note(quantity: Quantity, place: _Place) -> str:
    """What was measured; and what the program calls it, where that is another name."""
    unit = f" {quantity.unit}" if quantity.unit else ""
    called = f"“{shorten(place.label, MOST_CALLED)}”, " if place.score[0] == OTHER else ""
    if quantity.value is None:
        return f"{called}{quantity.rows} measured"
    return f"{called}measured {spoken(quantity.value, 5)}".replace("-", "\u2212") + unit


def _places(
    quantity: Quantity, texts: Mapping[str, str], others: Mapping[str, str], title: Sequence[float] = ()
) -> list[_Place]:
    """``title``: numbers, one of which stands above the place, where titles tell."""
    found: list[_Place] = []
    for source, whole in texts.items():
        text = whole[:MAX_TEXT]
        ways = _keys(text) if _is_json(text) else _labels(text, quantity)
        there = others.get(source, "")
        for k, (start, end, label, unit, value) in enumerate(ways):
            if says_run_time(label) and not says_run_time(quantity.name):
                continue  # a measured time is not how long the program took
            fit = _fit(quantity.name, label) or (OTHER if is_other_name(label, quantity.name) else 0)
            said = label if fit == OTHER else quantity.name
            if not fit or (value is None and _in_a_sentence(said, text, start)):
                continue
            same_unit = bool(unit) and unit.casefold() == quantity.unit.casefold()
            changed = bool(there) and text[start:end] not in there
            titled = bool(title) and _below_title(title, text, start)
            score = (fit, titled, same_unit, changed, _near(value, quantity.value), source != "stderr", k)
            found.append(_Place(score, source, start, end, label, unit, titled))
    return found


def _below_title(values: Sequence[float], text: str, at: int) -> bool:
    """Whether one of the ``values`` stands in the lines right above, below the rows of another table."""
    end = text.rfind("\n", 0, at)
    for _ in range(MOST_NEAR):
        if end < 0:
            return False
        begin = text.rfind("\n", 0, end) + 1
        there = [number.value for number in numbers(text, begin, end)]
        if there and not _WORD.search(text, begin, end):
            return False
        if any(value in values for value in there):
            return True
        end = begin - 1
    return False


def _labels(text: str, quantity: Quantity) -> Iterator[tuple[int, int, str, str, float | None]]:
    """Numbers behind labels, and headings of columns, in the lines that have a word of the name."""
    words = [w.casefold() for name in (quantity.name, *other_names(quantity.name)) for w in _WORDS.findall(name)]
    folded = text.casefold() if len(text.casefold()) == len(text) else text
    wanted = re.compile("|".join(rf"(?<![^\W_]){re.escape(w)}" for w in words)) if words else None
    if wanted is None or not any(w in folded for w in words):
        return
    for start, end in lines_of(text):
        if not wanted.search(folded, start, end):
            continue
        there = list(numbers(text, start, end))
        for number in there:
            label = label_of(text, number.start, number.end)
            if label is not None:
                yield number.start, number.end, label.words, label.unit, number.value
        if not there or quantity.rows > 1:
            yield from ((a, b, word, "", None) for a, b, word in _headings(text, start, end, quantity))


def _headings(text: str, start: int, end: int, quantity: Quantity) -> Iterator[tuple[int, int, str]]:
    """Words of a line without numbers that are the name of the quantity: the heading of a column."""
    for cell in re.finditer(r"[^\s,;|]+(?: [^\s,;|]+)*", text[start:end]):
        for part in (cell, *re.finditer(r"[^\s,;|]+", cell[0])) if " " in cell[0] else (cell,):
            low = start + cell.start() + (part.start() if part is not cell else 0)
            word = part[0].strip('"#')
            if solid_name(word) == solid_name(quantity.name) or is_other_name(word, quantity.name):
                yield low, low + len(part[0]), word
                return


def _keys(text: str) -> Iterator[tuple[int, int, str, str, float | None]]:
    for path in number_paths(text):
        keys = [key for key in path.keys if not key.isdigit()]
        if keys:
            yield path.start, path.end, keys[-1], "", path.value


def _fit(name: str, label: str) -> int:
    """How well a label says what a quantity is called: the same, or its words side by side among more, or more beside them."""
    if solid_name(name) == solid_name(label) or loose_name(name) == loose_name(short_name(label)):
        alone = _WORDS.findall(name), _WORDS.findall(label)
        single = all(len(words) == 1 and len(words[0]) == 1 for words in alone)
        return SAME if not single or without_unit(name) == without_unit(label) else 0
    mine, its = words_in(name), words_in(label)
    if not mine or not its or max(map(len, mine)) < 2:
        return 0
    long, short = (mine, its) if len(mine) >= len(its) else (its, mine)
    held = any(long[k : k + len(short)] == short for k in range(len(long) - len(short) + 1))
    weighty = sum(map(len, short)) > 3 or len(short) > 1 or "".join(short).isupper()
    return PART if held and weighty and len(long) <= len(short) + 3 else 0


def _in_a_sentence(name: str, text: str, position: int) -> bool:
    """Whether a name of one letter stands in a line that is no heading of columns: ``band g`` in a remark."""
    low, high = line_bounds(text, position)
    return len(solid_name(name)) == 1 and _NO_HEADING.search(text, low, high) is not None


def _near(value: float | None, measured: float | None) -> bool:
    """Whether a number is of the size of what was measured: of two places with the same label the likelier one."""
    if value is None or measured is None or value * measured <= 0:
        return value is not None and value == measured
    return 0.1 <= value / measured <= 10.0


def _is_list(mark: Mark) -> bool:
    """Whether a mark is in a list that has a name, of JSON too."""
    if mark.listed is not None or not _is_json(mark.text) or "list" not in mark.scopes:  # offers take their time
        return mark.listed is not None
    return any(isinstance(offer.first, JsonPath) for offer in mark.offers("list"))


def _is_json(text: str) -> bool:
    return text.lstrip()[:1] in ("{", "[")


def _read(
    marks: dict[str, Mark], texts: Mapping[str, str], others: Mapping[str, str], place: _Place, quantity: Quantity
) -> tuple[_Place, Proposal, str, str, str] | None:
    """How a place is read, the heading it is then known by, and what tells its table from others like it: as a click on the
    number, or on the heading of the column, proposes."""
    if place.source not in marks:
        marks[place.source] = Mark(texts[place.source], place.start, place.end, place.source, others.get(place.source))
    mark = marks[place.source].at(place.start, place.end)
    some = quantity.rows > 1  # a list is read whole, and of a table the column
    likely: tuple[Scope, ...] = ("list", "column") if some and _is_list(mark) else ("column",) if some else ("number", "column")
    scope = next((scope for scope in likely if scope in mark.scopes), mark.first())
    offers = mark.offers(scope) if scope is not None else []
    for offer in offers:
        one = offer.proposals
        if len(one) == 1 and (len(one[0].values) == 1 or quantity.rows > 1):
            return place, one[0], offer.words, next(iter(offer.names), ""), offer.behind
    return None
