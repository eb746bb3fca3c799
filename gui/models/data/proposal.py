"""A whole pairing of outputs with columns that is proposed where names do not tell: line by line, and on what ground. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import msgspec
import numpy as np
from numpy.typing import NDArray

from bayescope.engine.problem.data.errors.sd_pairs import sd_pairs
from bayescope.engine.problem.data.names.codes import codes_differ, without_code
from bayescope.engine.problem.data.names.column_names import same_names, says_where, unit_in, without_unit
from bayescope.engine.problem.data.names.explained_columns import told_by_lines
from bayescope.engine.problem.data.names.name_words import names_told
from bayescope.engine.problem.data.rows.comparison import with_limits
from bayescope.engine.problem.data.rows.pairing import swept
from bayescope.engine.problem.data.rows.repeats import repeats_in
from bayescope.engine.problem.data.rows.rows_in_order import rows_in_order
from bayescope.engine.problem.data.rows.series_pairing import series_pairs
from bayescope.engine.problem.data.rows.whole_pairing import MOST, NEAR, Pair, Side, distance, misled, whole_pairing
from bayescope.engine.problem.data.units.unit_scales import times
from bayescope.engine.problem.definition import DataTable, Match, Predictions, Problem
from bayescope.engine.problem.numbers.shown_digits import among, spoken
from bayescope.engine.protocol import TrialOutput
from bayescope.gui.models.data.compared_outputs import read_now
from bayescope.gui.models.data.keys.between_keys import stands_first
from bayescope.gui.models.data.keys.key_candidates import FEWEST_SWEPT
from bayescope.gui.models.data.keys.key_candidates import Pair as KeyPair
from bayescope.gui.models.data.keys.known_keys import KnownKeys, known_keys
from bayescope.gui.models.data.keys.marked_keys import with_marked_keys
from bayescope.gui.models.data.keys.nearly_keys import rounded_places
from bayescope.gui.models.data.keys.own_keys import with_own_keys
from bayescope.gui.models.data.keys.own_table import same_table
from bayescope.gui.models.data.keys.possible_keys import rising_columns
from bayescope.gui.models.data.keys.running_numbers import only_numbers
from bayescope.gui.models.data.meanings import matched
from bayescope.gui.models.data.names_in_units import in_possible_units, names_and_units_told
from bayescope.gui.models.data.replicates import named_repeats
from bayescope.gui.models.data.tables.split_table import Apart, rows_apart
from bayescope.gui.models.data.taking_part import Idle, set_aside, unpaired
from bayescope.gui.models.data.units.heading_units import unit_of_output, unit_or_siblings
from bayescope.gui.models.plain import one_line, one_name
from bayescope.gui.models.simulator.trials.trial import Trial

Array = NDArray[np.float64]
FEWEST = 2  # outputs that names do not tell; the column of a single one is chosen as quickly
NONE = "not compared"
LIKE_THIS, NONE_OF_THESE = "Yes, like this", "None of these"
YOURS = "your choice"
FREED = "free by your choice"
AGAINST = "left over, not sure"
IN_UNITS = "name and unit"
EXPLAINED = "the file says what it is"
IN_ORDER = "order and values"
BY_NAME = "Names tell each quantity; of repeated measurements the first stands for all."
SERIES = "Names tell each quantity; each file of the program stands beside the table that the test run is nearest to."
SERIES_BY_ORDER = "Names tell each quantity; files of the program and measured tables stand in their order."
BY_ORDER = "Press Test run to go by values, or check every line."
_WHY = {"name": "name", "series": "name and values", "unit": "unit", "value": "value", "order": "order", "left": "left over"}


@dataclass(frozen=True)
class Line:
    """``column`` '' where the output is not to be compared. ``printed``, ``measured``: values as they are shown."""

    output: str
    column: str
    printed: str
    measured: str
    why: str
    sure: bool
    far: bool = False  # the test run is far from what was measured
    series: bool = False  # names tell the quantity, and values, or their order, of which table it is


@dataclass(frozen=True)
class Proposal:
    """``problem``: as it is, with its table split where that is a part of what is proposed (``split_by``: the column, '' if not).
    ``columns``: what a line may have, with the measured values as they are shown."""

    problem: Problem
    lines: tuple[Line, ...]
    columns: Mapping[str, str]
    split_by: str = ""
    by_values: bool = True
    against: frozenset[tuple[str, str]] = frozenset()  # outputs and columns whose units or sizes speak against them

    @property
    def compared(self) -> int:
        return sum(bool(line.column) for line in self.lines)

    @property
    def sure(self) -> bool:
        """Whether names, values or the user tell every pair: no line is a guess."""
        return all(line.sure for line in self.lines if line.column)

    @property
    def question(self) -> str:
        if not self.compared:
            return "Is none of these outputs compared?"
        what = "the rows of the table" if self.split_by else "these columns"
        return f"Are these outputs compared with {what} like this?" if self.compared > 1 else "Is this output compared like this?"

    @property
    def ground(self) -> str:
        """On what ground it is proposed, a sentence."""
        compared = [line for line in self.lines if line.column]
        if compared and all(line.why == YOURS for line in compared):
            return "Each output stands beside the column that you chose for it."
        if compared and all(line.why in (YOURS, _WHY["unit"]) for line in compared):
            return f"Their names do not tell, but units do{', and you' if any(line.why == YOURS for line in compared) else ''}."
        if any(line.why == EXPLAINED for line in compared) and all(line.sure for line in compared):
            return f"The data file says what its columns are{', and you' if any(line.why == YOURS for line in compared) else ''}."
        if compared and all(line.why in (IN_ORDER, YOURS) for line in compared):
            return "Their names do not tell: they stand in the order of the rows, and their values rise and fall alike."
        if any(line.why == IN_UNITS for line in compared) and all(line.sure for line in compared):
            return f"Names and units tell{', and you' if any(line.why == YOURS for line in compared) else ''}."
        if compared and all(line.why in (YOURS, _WHY["name"]) for line in compared):
            return BY_NAME
        if any(line.series for line in compared) and all(line.series or line.why in (YOURS, _WHY["name"]) for line in compared):
            return SERIES if self.by_values else f"{SERIES_BY_ORDER} {BY_ORDER}"
        if compared and all(line.why in (YOURS, FREED) for line in compared):
            return "Each output stands beside the column that you chose for it, or that your choice left for it."
        if compared and all(line.why in (YOURS, FREED, AGAINST) for line in compared):
            left = _named([line for line in compared if line.why == AGAINST])
            return f"Each output has the column that you chose or left for it; units or sizes speak against that of {left}."
        told = "Their names do not tell" if not any(line.why == _WHY["name"] for line in self.lines) else "Not all names tell"
        settled = [line for line in compared if line.why in (YOURS, FREED, _WHY["unit"])]
        whom = "each of the other outputs" if settled else "each output"
        ground = (
            f"{told}: {whom} stands beside the measured value that the test run is nearest to."
            if self.by_values
            else f"{told}, and no test run does: they stand in the order of the two lists. {BY_ORDER}"
        )
        doubtful = [line for line in self.lines if line.column and not line.sure]
        far = [line for line in doubtful if line.far and line not in settled]
        if far and self.by_values:
            are = "are far from what was left for them" if len(far) > 1 else "is far from what was left for it"
            return f"{ground.removesuffix('.')}; but {_named(far)} {are}."
        return ground

    @property
    def doubt(self) -> str:
        """What is not sure, a sentence; '' if all is."""
        doubtful = [line for line in self.lines if line.column and not line.sure]
        return f"Not sure: {_named(doubtful)}." if doubtful and self.by_values else ""

    @property
    def button(self) -> str:
        if not self.compared:
            return "No&ne of these is compared"
        how = "like this" if self.sure else "as guessed"
        return f"Com&pare all {self.compared} {how}" if self.compared > 1 else f"Com&pare it {how}"


def _named(lines: Sequence[Line]) -> str:
    return ", ".join(one_line(line.output, 20) for line in lines[:3]) + (" …" if len(lines) > 3 else "")


def proposal(problem: Problem, trial: Trial) -> Proposal | None:
    """What is proposed for the outputs that are in no comparison or have no column; None: names tell enough, or nothing does."""
    if not isinstance(problem.meaning, Predictions) or problem.data is None:
        return None
    known = known_keys(problem, trial)
    places = _first_columns(problem, trial)
    known = replace(known, steady=known.steady | _marked_places(problem, trial, known))
    rounded = _rounded(problem, trial)
    left = _without(_free(problem, known, rounded), places)
    keys = _places_in_units(problem, trial)
    left = Idle(left.outputs, tuple(c for c in left.columns if c not in keys))
    if not FEWEST <= len(left.outputs) <= MOST:
        return None
    read = read_now(problem, trial.report) if trial.report is not None else {}
    printed = {n: np.array([np.nan if v is None else v for v in read[n].values], dtype=float) for n in left.outputs if n in read}
    declared = {o.name: o.length for o in problem.outputs}
    lengths = {n: len(printed[n]) if n in printed else declared[n] for n in left.outputs}
    found = rows_apart(problem, lengths)
    if found is not None:
        problem, left = found.problem, _without(_free(found.problem, known, rounded), places)
        left = Idle(left.outputs, tuple(c for c in left.columns if c not in keys))
    if problem.data is None or not left.columns or not FEWEST <= len(left.outputs) <= MOST:
        return None
    outputs = [Side(n, printed.get(n), None, unit_in(n) or unit_or_siblings(problem, n)[0]) for n in left.outputs]
    own = sd_pairs(list(problem.data.columns))
    columns = [_side(problem.data, name, own.get(name)) for name in left.columns]
    shown = {side.name: _shown(side.values, side.sds) for side in columns}
    left, of_repeats = _by_repeats(problem, left)
    columns = [c for c in columns if c.name in left.columns]
    told = of_repeats | same_names([o for o in left.outputs if o not in of_repeats], left.columns)
    by_words = names_told([o for o in left.outputs if o not in told], [c for c in left.columns if c not in told.values()])
    by_words = in_possible_units(problem, by_words)
    wrong = misled(outputs, columns, by_words)
    told |= {o: c for o, c in by_words.items() if o not in wrong}
    if len(left.outputs) - len(told) < FEWEST or len(left.columns) == len(told):
        return None
    untold = [o for o in left.outputs if o not in told and o not in wrong]
    explained = told_by_lines(untold, [c for c in left.columns if c not in told.values()], trial.answers.lines)
    explained = in_possible_units(problem, explained)
    told |= explained
    untold = [o for o in untold if o not in told]
    ordered = rows_in_order([o for o in outputs if o.name in untold], _rows_of(found, columns)) if found is not None else {}
    told |= ordered
    untold = [o for o in untold if o not in told]
    in_units = names_and_units_told(problem, untold, [c for c in left.columns if c not in told.values()])
    told |= in_units
    repeats = repeats_in(problem.data, [c for c in left.columns if c not in told.values()])
    if len(left.columns) - len(repeats) >= len(left.outputs):  # else each may be of an output of its own
        columns = [c for c in columns if c.name not in repeats]
    sides = [c for c in columns if c.name not in told.values()]
    series = series_pairs([o for o in outputs if o.name not in told and o.name not in wrong], sides, [*repeats.values()])
    possible = in_possible_units(problem, {pair.output: pair.column for pair in series})
    series = [pair for pair in series if pair.output in possible]
    pairs = {pair.output: pair for pair in whole_pairing(outputs, columns, told, series, _never(problem.data, outputs, columns))}
    told_otherwise = series or in_units or explained or ordered
    if not told_otherwise and not any(pair.ground != "name" for pair in pairs.values()):
        return None
    lines = tuple(_line(side, pairs.get(side.name), shown) for side in outputs)
    why = dict.fromkeys(in_units, IN_UNITS) | dict.fromkeys(ordered, IN_ORDER) | dict.fromkeys(explained, EXPLAINED)
    lines = tuple(replace(line, why=why.get(line.output, line.why)) for line in lines)
    return Proposal(problem, lines, shown, found.by if found is not None else "", len(printed) >= max(len(outputs) - 1, 1),
                    _against(outputs, columns))  # fmt: skip


def _rows_of(found: Apart, columns: Sequence[Side]) -> list[Side | None]:
    """Of each row of the table that was split, in order, the column that it became; None where nothing was measured."""
    data = found.problem.data
    labels = data.texts.get(found.by, ()) if data is not None else ()
    sides = {without_unit(side.name): side for side in columns}
    return [sides.get(label or "") for label in labels]


def _against(outputs: Sequence[Side], columns: Sequence[Side]) -> frozenset[tuple[str, str]]:
    return frozenset((o.name, c.name) for o in outputs for c in columns if distance(o, c) > NEAR)


def _never(data: DataTable, outputs: Sequence[Side], columns: Sequence[Side]) -> frozenset[tuple[str, str]]:
    """Pairs that names speak against: those whose codes differ, times of the program beside what was measured, measured places
    and times beside what the program computes there, and rows that are only counted beside what counts nothing."""
    where = [c.name for c in columns if says_where(without_code(c.name)) and c.values is not None and _rising(c.values)]
    said = [o for o in outputs if not says_where(without_code(o.name))]
    computed = [o.name for o in said if o.values is not None and not _rising(o.values)]
    times = [o.name for o in outputs if says_where(without_code(o.name)) and o.values is not None and _rising(o.values)]
    pairs = ((o.name, c.name) for o in outputs for c in columns)
    rows = {(o.name, c.name) for o in outputs for c in columns if o.values is not None and only_numbers(data, c.name, o.values)}
    unlike = ((o, c) for o, c in pairs if codes_differ(o, c) or (o in times and not says_where(without_code(c)))
              or (o in computed and c in where))
    return frozenset({*rows, *unlike})


def _places_in_units(problem: Problem, trial: Trial) -> frozenset[str]:
    """Columns that say where, and only rise or only fall, in a unit of the kind in which a table of the program begins: they are
    keys of that table, whatever it is compared with."""
    read = read_now(problem, trial.report) if trial.report is not None else {}
    first = [o.name for o in problem.outputs if o.name in read and stands_first(o) and _is_led_by(read[o.name])]
    led = [unit_of_output(problem, name) for name in first]
    where = [c for c in problem.data.columns if says_where(c) and _swept(problem, c)] if problem.data is not None else []
    return frozenset(c for c in where if any(unit and times(unit, unit_in(c)) is not None for unit in led))


def _is_led_by(output: TrialOutput) -> bool:
    return len(output.values) >= FEWEST_SWEPT and _swept_in(output)


def _rising(values: Array) -> bool:
    return len(values) >= FEWEST_SWEPT and bool(np.isfinite(values).all()) and swept(values)


def _by_repeats(problem: Problem, left: Idle) -> tuple[Idle, dict[str, str]]:
    """``left`` without columns that repeat others by the name of an output, and outputs with the first of those of theirs."""
    named = named_repeats(problem)
    first: dict[str, str] = {}
    for column in (c for c in left.columns if named.get(c) in left.outputs):
        first.setdefault(named[column], column)
    return Idle(left.outputs, tuple(c for c in left.columns if c not in named or c in first.values())), first


def _rounded(problem: Problem, trial: Trial) -> list[KeyPair]:
    """Outputs and columns that say where, of places that the program prints with other decimals."""
    data, read = problem.data, read_now(problem, trial.report) if trial.report is not None else {}
    where = [c for c in data.columns if says_where(c) and _swept(problem, c)] if data is not None else []
    cells = {c: np.array([v for v in data.columns[c] if v is not None], dtype=float) for c in where if data is not None}
    swept_ones = {n: np.array(of.values, dtype=float) for n, of in read.items() if len(of.values) > 1 and _swept_in(of)}
    return [(n, c) for n, values in swept_ones.items() for c in where if rounded_places(values, cells[c])]


def _free(problem: Problem, known: KnownKeys, rounded: Sequence[KeyPair] = ()) -> Idle:
    """Outputs and columns that may be compared, without what test runs tell to be keys."""
    left = unpaired(problem, known.steady, open_too=True)
    keys = {column for _, column in known.pairs}
    same = [(o, c) for o, c in known.likely if o in left.outputs and c in left.columns and _swept(problem, c)]
    same = same or [pair for pair in rounded if pair[0] in left.outputs]
    places = set(same[0]) if len(same) == 1 else set()  # one column of many values that the program prints too: it says where
    return Idle(tuple(o for o in left.outputs if o not in places), tuple(c for c in left.columns if c not in keys | places))


def _first_columns(problem: Problem, trial: Trial) -> frozenset[str]:
    """The first column of a table of the program and that of the data where both only rise or only fall and others stand beside
    them: they say where these are, in whatever unit. Empty: they do not."""
    data, read = problem.data, read_now(problem, trial.report) if trial.report is not None else {}
    first = next(iter(data.columns), "") if data is not None else ""
    if data is None or first not in rising_columns(problem) or len(data.columns) < FEWEST:
        return frozenset()
    declared = {o.name: o for o in problem.outputs if o.name in read}
    places = [n for n, o in declared.items() if stands_first(o) and len(read[n].values) >= FEWEST_SWEPT and _swept_in(read[n])]
    beside = [n for n in places if sum(same_table(declared[n], o) for o in declared.values()) > FEWEST]
    return frozenset((beside[0], first)) if len(beside) == 1 else frozenset()


def _marked_places(problem: Problem, trial: Trial, known: KnownKeys) -> frozenset[str]:
    """The first columns of the program's tables where they only rise or only fall, and keys of the data that no other output is
    of were said or guessed: they say where the others of their tables are, in whatever unit."""
    data, read = problem.data, read_now(problem, trial.report) if trial.report is not None else {}
    if data is None or not any(c in data.columns for c in known.marked):
        return frozenset()
    declared = [o for o in problem.outputs if o.name in read]
    tables = {o.name: [other for other in declared if same_table(o, other)] for o in declared}
    led = [o.name for o in declared if len(tables[o.name]) > 1 and (stands_first(o) or tables[o.name][0] is o)]
    first = [n for n in led if len(read[n].values) >= FEWEST_SWEPT and _swept_in(read[n])]
    named = same_names(first, [c for c in data.columns if c not in known.marked])
    return frozenset(n for n in first if n not in named)


def _swept_in(output: TrialOutput) -> bool:
    return None not in output.values and swept(np.array(output.values, dtype=float))


def _without(left: Idle, places: frozenset[str]) -> Idle:
    """``left`` without ``places``, an output and a column, where both are in it."""
    if not places or not (places & set(left.outputs) and places & set(left.columns)):
        return left
    return Idle(tuple(o for o in left.outputs if o not in places), tuple(c for c in left.columns if c not in places))


def _swept(problem: Problem, column: str) -> bool:
    cells = np.array([v for v in problem.data.columns[column] if v is not None] if problem.data is not None else [], dtype=float)
    return len(cells) >= FEWEST_SWEPT and swept(cells)


def _side(data: DataTable, name: str, sds: str | None) -> Side:
    cells = with_limits(data, name)
    there = np.isfinite(cells)
    errors = np.array([np.nan if v is None else v for v in data.columns[sds]], dtype=float) if sds is not None else None
    beside = errors[there] if errors is not None and len(errors) == len(cells) else None
    return Side(name, cells[there], beside, unit_in(name))


def _shown(values: Array | None, sds: Array | None = None) -> str:
    """One value with its error, or the first and the last of several and how many they are."""
    if values is None or not len(values):
        return "–"
    if len(values) == 1:
        return among(values[0], values, 5) + (f" ± {spoken(sds[0], 3)}" if sds is not None and np.isfinite(sds[0]) else "")
    return f"{among(values[0], values, 4)}{', ' if len(values) == 2 else ' … '}{among(values[-1], values, 4)}"


def _line(side: Side, pair: Pair | None, shown: Mapping[str, str]) -> Line:
    printed = _shown(side.values)
    if pair is None:
        return Line(side.name, "", printed, "", "nothing fits", True)
    why = _WHY[pair.ground]
    if not pair.sure:
        why = f"not sure: or {one_name(pair.rival, 24)}" if pair.rival else f"{why}, not sure"
    return Line(side.name, pair.column, printed, shown[pair.column], why, pair.sure, pair.far, pair.ground == "series")


def with_choice(found: Proposal, output: str, column: str) -> Proposal:
    """``found`` with another ``column`` for ``output`` ('': none); an output that has it gets the one that is free now."""
    before = next(line.column for line in found.lines if line.output == output)
    lines = []
    for line in found.lines:
        if line.output == output:
            lines.append(_with(line, column, found))
        else:
            lines.append(_with(line, before, found, FREED) if column and line.column == column else line)
    return Proposal(found.problem, tuple(lines), found.columns, found.split_by, found.by_values, found.against)


def _with(line: Line, column: str, found: Proposal, why: str = YOURS) -> Line:
    against = why == FREED and (line.output, column) in found.against  # nobody said so of this one
    why = NONE if not column else AGAINST if against else why
    return Line(line.output, column, line.printed, found.columns.get(column, ""), why, not against, against)


def compared_like(found: Proposal, trial: Trial) -> Problem:
    """The problem with the comparisons that are proposed; those that have a column stay as they are."""
    problem = found.problem
    meaning = problem.meaning
    assert isinstance(meaning, Predictions)
    pairs = [(line.output, line.column) for line in found.lines if line.column]
    before = {m.output: m for m in meaning.matches if not m.column}
    new = tuple(_as_before(m, before.get(m.output)) for m in matched(problem, pairs, known_keys(problem, trial)))
    away = tuple(line.output for line in found.lines if line.why == NONE)
    done = {m.output for m in new} | set(away)
    kept = tuple(m for m in meaning.matches if m.column or m.output not in done)
    changed = msgspec.structs.replace(problem, meaning=msgspec.structs.replace(meaning, matches=(*kept, *new)))
    return with_marked_keys(with_own_keys(set_aside(changed, away) if away else changed, trial), trial)


def none_compared(problem: Problem, found: Proposal) -> Problem:
    """``problem`` where no output that something was proposed for counts; its table is not split."""
    meaning = problem.meaning
    assert isinstance(meaning, Predictions)
    away = tuple(line.output for line in found.lines)
    kept = tuple(m for m in meaning.matches if m.column or m.output not in away)
    return set_aside(msgspec.structs.replace(problem, meaning=msgspec.structs.replace(meaning, matches=kept)), away)


def _as_before(match: Match, before: Match | None) -> Match:
    """``match`` in the unit that its output had when its column was still to be chosen."""
    return match if before is None else msgspec.structs.replace(match, factor=before.factor, offset=before.offset)
