"""What is said of outputs that seem to have another unit or sign than what was measured, and what mends it. Pure."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import msgspec
import numpy as np

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.names.column_names import unit_in
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.compared_outputs import compared
from bayescope.gui.models.data.units.changes import changes_of, one_direction, one_unit
from bayescope.gui.models.data.units.heading_units import implied, sign_matters
from bayescope.gui.models.data.units.offsets import ICE, stated_offset
from bayescope.gui.models.data.units.own_changes import Change
from bayescope.gui.models.data.units.sides import opposite, sides_of
from bayescope.gui.models.plain import and_last, one_line, shown

LONGEST_ON_BUTTON = 24  # characters of an output's name
LIKE_SIZE = 0.5  # powers of ten: predictions of opposite sign that are no further off in size speak for a direction
USUAL_SEEN = 0.31  # powers of ten that what is seen may be off a factor between units to be called that factor
UNIT = "Has it another unit?"
DIRECTION = "Does it count the other way?"
LEVEL = "Do the two count from different zeros, from a mark and from the level at rest?"
ZERO = "Do the two count from different zeros?"
SIGN, SIGN_BUTTON = "Has an output the opposite sign?", "M&ultiply by -1"
SIGN_LATER = "Whether the sign is the opposite one, too, a test run tells: press Test run first."
ASKED = "Type what the output is multiplied by, or say that the factor is right."


@dataclass(frozen=True)
class OtherUnit:
    """``words``: the doubt, a sentence; ``hint``: what is asked; ``button``: what mends it; ``problem``: with that.

    ``every``: with all outputs mended to which the very same is to be done, if there are others, by ``every_button``. ``same``:
    with those of them that are compared in the same unit, by ``same_button``. ``known``: another output that is
    compared in this unit is multiplied so already, or the predictions are as large as what was measured with the opposite sign.
    ``caption``: the question in short.
    """

    words: str
    button: str
    problem: d.Problem
    every: d.Problem | None = None
    every_button: str = ""
    hint: str = UNIT
    same: d.Problem | None = None
    same_button: str = ""
    known: bool = False
    caption: str = "Is an output in another unit?"
    turns: bool = False  # the sign is another one
    only_sign: bool = False  # ... and nothing else
    field: str = ""  # of the comparison, where only the user can mend it
    keep: str = ""  # words by which nothing is to be mended, where they are none of factors


def other_unit(
    problem: d.Problem, index: int, report: TrialRunReport | None, lines: Sequence[str] = ()
) -> OtherUnit | None:
    """What speaks for another unit or sign in comparison ``index`` of the newest test run; None: nothing, or not known.

    ``lines``: those of the data files around their tables.
    """
    return _found(problem, index, report, changes_of(problem, report), lines)


def _found(
    problem: d.Problem,
    index: int,
    report: TrialRunReport | None,
    changes: Mapping[int, Change],
    lines: Sequence[str] = (),
) -> OtherUnit | None:
    if index in changes and changes[index].mate in changes:
        index = changes[index].mate or 0  # one output, one question
    found = _single(problem, index, report, changes, lines)
    if found is not None and found.field:
        return found
    return None if found is None else _with_mates(_with_every(found, problem, index, changes), problem, index, changes)


def _single(
    problem: d.Problem, index: int, report: TrialRunReport | None, changes: Mapping[int, Change], lines: Sequence[str]
) -> OtherUnit | None:
    change = changes.get(index)
    if change is None or not isinstance(problem.meaning, d.Predictions):
        return None
    matches = problem.meaning.matches
    match, name = matches[index], one_line(matches[index].output, 30)
    made = OtherUnit("", f"M&ultiply by {shown(change.times)}", _changed(problem, {index: change}),
                     turns=change.turned and change.alike is None)  # fmt: skip
    if change.mate is not None:
        words = f"{_beside_mate(matches[change.mate], match)} One output has one unit."
        return _with_the_same(replace(made, words=words, hint="", known=True), problem, index, changes)
    if change.units is not None:
        now = f" It is multiplied by {shown(match.factor)}." if match.factor != 1.0 or match.offset else " It is taken as it is."
        words = change.units.words + now if change.units.sure else change.units.words
        called = one_line(match.output, LONGEST_ON_BUTTON).replace("&", "&&")
        untold = sign_matters(match) and not change.units.offset and compared(problem, index, report) is None
        hint = SIGN_LATER if untold else ""
        return replace(made, words=words, button=_by_units(called, change.units.factor, change.units.offset), hint=hint)
    if (substance := change.molar) is not None:
        made = replace(made, words=substance.words(match), button=substance.button(match, LONGEST_ON_BUTTON), hint="", known=True)
        return _with_the_other_substances(made, problem, index, changes)
    if change.alike is not None:
        words = _beside_words(matches, index, change.alike, changes)
        return _with_the_same(replace(made, words=words, hint="", known=change.alike not in changes), problem, index, changes)
    if change.zero:
        return _of_zero(made, problem, index, change)
    if change.offset and abs(change.times) != 1.0:
        return _of_level(made, matches, index, changes)
    if change.offset:
        return _of_offset(made, problem, index, changes, lines)
    by = abs(change.times)
    if change.asked:
        return _of_asked_size(made, problem, index, change)
    if by == 1.0:
        sides = sides_of(problem, index, report)
        sure = sides is not None and sides.sized and abs(float(np.median(sides.powers))) < LIKE_SIZE
        made = replace(made, words=opposite_words(match.output), hint=DIRECTION, known=sure, only_sign=True, caption=SIGN)
        return _with_the_same(made, problem, index, changes)
    usual = not change.seen or abs(math.log10(change.seen / by)) < USUAL_SEEN
    size = by if usual else change.seen
    how_many = f"{float(f'{max(size, 1.0 / size):.2g}'):,.0f} times {'smaller' if by > 1.0 else 'larger'}"
    nearest = f"{UNIT} {max(by, 1.0 / by):,.0f} is the nearest factor that is usual between units."
    made = made if usual else replace(made, hint=nearest)
    turned = ", and has the opposite sign" if change.turned else ""
    values = "Nearly every value" if change.nearly else "Every value"
    words = f"{values} of “{name}” is some {how_many} than what was measured{turned}."
    return _with_the_same(replace(made, words=words), problem, index, changes)


def opposite_words(output: str) -> str:
    return f"“{one_line(output, 30)}” has the opposite sign to what was measured."


def _of_asked_size(made: OtherUnit, problem: d.Problem, index: int, change: Change) -> OtherUnit:
    """A factor that nothing tells; its words stay the same from one test run to the next, so that an answer lasts."""
    assert isinstance(problem.meaning, d.Predictions)
    match, by = problem.meaning.matches[index], max(change.seen, 1.0 / change.seen)
    name, side = one_line(match.output, 30), "smaller" if change.seen > 1.0 else "larger"
    own, unit = change.strangers
    if own:
        turned = " It has the opposite sign, too." if change.turned else ""
        words = f"Is “{name}” in the unit of the data? It is in {own}, what was measured is in {unit}.{turned}"
    else:
        turned = ", and has the opposite sign" if change.turned else ""
        words = f"Nearly every value of “{name}” is far {side} than what was measured{turned}."
    caption = "By what is an output multiplied?" if own else made.caption
    hint = f"In the test run it is some {float(f'{by:.2g}'):,.0f} times {side}. {'' if own else UNIT + ' '}{ASKED}"
    if change.turned:
        return replace(made, words=words, hint=hint, caption=caption, known=bool(own))
    return replace(made, words=words, hint=hint, caption=caption, known=bool(own), button="", field="factor")


def _by_units(called: str, factor: float, offset: float) -> str:
    """Words for a button that multiplies an output and adds to it."""
    if not offset:
        return f"M&ultiply {called} by {shown(factor)}"
    return f"&Add {shown(offset)} to {called}" if factor == 1.0 else f"M&ultiply {called} by {shown(factor)}, add {shown(offset)}"


def _of_level(made: OtherUnit, matches: tuple[d.Match, ...], index: int, changes: Mapping[int, Change]) -> OtherUnit:
    """A constant beside one factor for all in this unit, as of depths below a mark against drawdowns."""
    change, name = changes[index], one_line(matches[index].output, 30)
    unit = unit_in(matches[index].column)
    others = [i for i, m in enumerate(matches) if i != index and i in changes and unit_in(m.column) == unit]
    times, constant = shown(change.times), shown(change.offset)
    beside = f" as for {_listed(matches, others)}, where" if others else ", if"
    words = (
        f"One factor does not explain all that is compared in {unit}. What was measured for “{name}” is about {times} times the "
        f"prediction{beside} a constant of its own is added, here about {constant}."
    )
    hint = f"{LEVEL} {constant} is what the test run tells: type the exact one as its factor, {times} + {constant}."
    return replace(made, words=words, hint=hint, button=_by_units(one_line(matches[index].output, LONGEST_ON_BUTTON).replace(
        "&", "&&"), change.times, change.offset), caption="Do the two count from different zeros?")  # fmt: skip


def _of_zero(made: OtherUnit, problem: d.Problem, index: int, change: Change) -> OtherUnit:
    """A constant beside the one factor that units tell; its words stay the same from one test run to the next."""
    assert isinstance(problem.meaning, d.Predictions)
    match = problem.meaning.matches[index]
    name, after, units = one_line(match.output, 30), change.of(match), implied(problem, index)
    said = f"{units.words} " if units is not None and abs(change.times) != 1.0 else ""
    turned = " with the opposite sign" if change.turned else ""
    words = f"{said}“{name}” changes like what was measured{turned}, but a constant lies between the two."
    typed = f"{shown(after.factor)} {'+' if after.offset > 0 else '-'} {shown(abs(after.offset))}"
    hint = f"{ZERO} About {shown(change.offset)} is what the test run tells: type the exact one as its factor, {typed}."
    called = one_line(match.output, LONGEST_ON_BUTTON).replace("&", "&&")
    button = _by_units(called, change.times, change.offset)
    return replace(made, words=words, hint=hint, button=button, known=True, caption="Do the two count from different zeros?")


def _of_offset(
    made: OtherUnit, problem: d.Problem, index: int, changes: Mapping[int, Change], lines: Sequence[str]
) -> OtherUnit:
    """A constant between both sides of comparison ``index``, as the file says it where it does."""
    assert isinstance(problem.meaning, d.Predictions)
    match, change = problem.meaning.matches[index], changes[index]
    stated, name = stated_offset(lines, match.column, change.offset), one_line(match.output, 30)
    side, offset = "smaller" if change.offset > 0 else "larger", change.offset if stated is None else stated[0]
    if abs(change.offset) == ICE:
        words = f"“{name}” is about 273 {side} than what was measured, as kelvins are against degrees Celsius."
        return _with_the_same(replace(made, words=words, button=f"&Add {shown(offset)}"), problem, index, changes)
    words = f"“{name}” is {shown(abs(offset))} {side} than what was measured, but for small differences."
    if stated is None:
        return _with_the_same(replace(made, words=words, button=f"&Add {shown(offset)}", hint=ZERO), problem, index, changes)
    mended = _changed(problem, {index: replace(change, offset=offset)})
    return replace(made, words=f"{words} The data file says “{one_line(stated[1], 60)}”.", button=f"&Add {shown(offset)}",
                   hint="", problem=mended, known=True)  # fmt: skip


def _with_every(found: OtherUnit, problem: d.Problem, index: int, changes: Mapping[int, Change]) -> OtherUnit:
    """``found`` with all others of which the very same is to be done, in whatever unit they are compared."""
    assert isinstance(problem.meaning, d.Predictions)
    matches, change = problem.meaning.matches, changes[index]
    if change.molar is not None:
        return replace(found, every=found.same, every_button=found.same_button.replace("&", ""))
    done = {i: _done(one, matches[i]) for i, one in changes.items() if one.molar is None}
    alike = [i for i in done if done[i] == done[index] and (done[i][0] > 0.0 or one_direction(matches[i], matches[index]))]
    sure = change.units is not None and change.units.sure
    by_units = [i for i, one in changes.items() if sure and one.units is not None and one.units.sure]
    if len(by_units) > len(alike):
        says = "unit and sign say" if any(changes[i].turned for i in by_units) else "unit says"
        button = f"{_all_of(len(by_units)).capitalize()}, each as its {says}"
        every, more = _changed(problem, {i: changes[i] for i in by_units}), len(by_units) - 1
        words = f"{found.words} {more} more {'is' if more == 1 else 'are'} in another unit than what was measured, too."
        return replace(found, words=words, every=every, every_button=button, same=every, same_button=button)
    if len(alike) < 2 or found.problem != _changed(problem, {index: change}):
        return found
    (factor, offset), many = done[index], _all_of(len(alike))
    button = f"Multiply {many} by {shown(factor)}" if not offset else f"Add {shown(offset)} to {many}"
    button = f"{button}, add {shown(offset)}" if offset and factor != 1.0 else button
    every = _changed(problem, {i: changes[i] for i in alike})
    unit = unit_in(matches[index].column)
    like = all(one_unit(unit, unit_in(matches[i].column)) for i in alike)
    if like and (change.units is not None or (not unit and found.same is None)):
        return replace(found, every=every, every_button=button, same=every, same_button=button)  # one question, one answer
    return replace(found, every=every, every_button=button)


def _with_mates(found: OtherUnit, problem: d.Problem, index: int, changes: Mapping[int, Change]) -> OtherUnit:
    """``found`` of comparison ``index`` with all others of the same output of which the same is to be done: it has one factor."""
    assert isinstance(problem.meaning, d.Predictions)
    matches, done = problem.meaning.matches, _done(changes[index], problem.meaning.matches[index])
    mates = [i for i, one in changes.items() if matches[i].output == matches[index].output and _done(one, matches[i]) == done]
    both = _changed(problem, {i: changes[i] for i in mates})
    if len(mates) < 2 or found.problem != _changed(problem, {index: changes[index]}):
        return found
    others = [i for i in mates if matches[i].column != matches[index].column]  # of one column there may be several summaries
    words = f"{found.words} The same for {_columns(matches, others)}." if others else found.words
    button = found.same_button if found.same == both else found.button
    every = found.every if found.every != both else None
    same, same_button = (both, button) if found.same is None else (found.same, found.same_button)
    return replace(found, words=words, problem=both, button=button, every=every, every_button=found.every_button if every else "",
                   same=same, same_button=same_button)  # fmt: skip


def _columns(matches: tuple[d.Match, ...], rows: Sequence[int]) -> str:
    return and_last(", ".join(f"“{one_line(matches[i].column, 30)}”" for i in rows))


def columns_changed(problem: d.Problem, after: d.Problem | None) -> str:
    """The columns whose comparisons ``after`` changes, where they are of several outputs; '' else."""
    if after is None or not isinstance(problem.meaning, d.Predictions) or not isinstance(after.meaning, d.Predictions):
        return ""
    pairs = enumerate(zip(problem.meaning.matches, after.meaning.matches, strict=True))
    rows = [i for i, (one, other) in pairs if one != other]
    return _columns(problem.meaning.matches, rows) if len({problem.meaning.matches[i].output for i in rows}) > 1 else ""


def _beside_mate(mate: d.Match, match: d.Match) -> str:
    """How differently one output is taken in two comparisons."""
    name, columns = one_line(match.output, 30), [one_line(m.column, 30) for m in (mate, match)]
    how = ["as it is" if m.factor == 1.0 else f"times {shown(m.factor)}" for m in (mate, match)]
    return f"“{name}” is compared with “{columns[0]}” {how[0]}, and with “{columns[1]}” {how[1]}."


def _done(change: Change, match: d.Match) -> tuple[float, float]:
    """By what the change multiplies an output, and what it adds."""
    after = change.of(match)
    factor = after.factor / match.factor if match.factor else after.factor
    return float(f"{factor:.12g}"), float(f"{after.offset - match.offset:.15g}")


def _all_of(count: int) -> str:
    return "both" if count == 2 else f"all {count}"


def _beside_words(matches: tuple[d.Match, ...], index: int, beside: int, changes: Mapping[int, Change]) -> str:
    """That an output whose values tell nothing is not multiplied as the one ``beside`` it is, or is to be."""
    match, other = matches[index], matches[beside]
    name, whose = one_line(match.output, 30), f"“{one_line(other.output, 30)}”, of the same file and also compared in"
    factor = shown(changes[beside].of(other).factor if beside in changes else other.factor)
    needs = f"{whose} {unit_in(match.column)}, {'needs the factor' if beside in changes else 'is multiplied by'} {factor}"
    now = "is taken as it is" if match.factor == 1.0 else f"is multiplied by {shown(match.factor)}"
    return f"{needs}. “{name}” {now}, and what was measured for it is too near zero to tell."


def _with_the_same(found: OtherUnit, problem: d.Problem, index: int, changes: Mapping[int, Change]) -> OtherUnit:
    """``found`` of comparison ``index``, with what others that are compared in the same unit say: they are off alike, or are
    multiplied so already."""
    assert isinstance(problem.meaning, d.Predictions)
    matches, change = problem.meaning.matches, changes[index]
    mine, unit = change.of(matches[index]), unit_in(matches[index].column)
    whose = matches[index].output
    beside = [i for i, m in enumerate(matches) if i != index and unit and one_unit(unit, unit_in(m.column))]
    like = [i for i in beside if i in changes and _alike(changes[i], change)]
    same = {i: changes[i] for i in like if change.times > 0.0 or one_direction(matches[i], matches[index])}
    sized = bool(change.offset) or (change.alike is None and abs(change.times) != 1.0)
    fit = [i for i in beside if sized and i not in changes and matches[i].output != whose]
    so = next((matches[i] for i in fit if _scaling(matches[i]) == _scaling(mine)), None)
    others = [i for i in same if matches[i].output != whose]
    told = [i for i in others if changes[i].alike is None]
    verb = ("has", "have") if abs(change.times) == 1.0 and not change.offset else ("is", "are")
    words, known = found.words, found.known or so is not None
    if told:
        words += f" So {verb[len(told) > 1]} {_listed(matches, told)}."
    if (near := [i for i in others if i not in told]) and change.alike is None:
        words += f" {_listed(matches, near)} {'is' if len(near) == 1 else 'are'} in the same unit, too near zero to tell."
    if so is not None:
        words += f" “{one_line(so.output, 30)}”, also compared in {unit}, is multiplied so already."
    elif (of_size := next((matches[i] for i in fit if abs(matches[i].factor) == abs(mine.factor)), None)) is not None:
        words += f" “{one_line(of_size.output, 30)}”, also compared in {unit}, is multiplied by {shown(of_size.factor)} already."
        known = True
    if not same:
        return replace(found, words=words, known=known)
    every = _all_of(len(same) + 1)
    button = f"&Add {shown(change.offset)} to {every}" if change.offset else f"M&ultiply {every} by {shown(change.times)}"
    return replace(found, words=words, same=_changed(problem, {index: change, **same}), same_button=button, known=known)


def _with_the_other_substances(
    found: OtherUnit, problem: d.Problem, index: int, changes: Mapping[int, Change]
) -> OtherUnit:
    """``found`` of comparison ``index`` with the others whose factor is the molar mass of a substance, each of its own."""
    assert isinstance(problem.meaning, d.Predictions)
    others = [i for i, change in changes.items() if i != index and change.molar is not None]
    if not others:
        return found
    words = f"{found.words} So {'are' if len(others) > 1 else 'is'} {_listed(problem.meaning.matches, others)}, in theirs."
    every = _all_of(len(others) + 1)
    changed = _changed(problem, {i: changes[i] for i in (index, *others)})
    return replace(found, words=words, same=changed, same_button=f"M&ultiply {every}, each by its molar mass")


def _alike(one: Change, other: Change) -> bool:
    return (one.times, one.offset, one.units, one.molar) == (other.times, other.offset, other.units, other.molar)


def _listed(matches: tuple[d.Match, ...], rows: list[int]) -> str:
    return and_last(", ".join(f"“{one_line(name, 30)}”" for name in dict.fromkeys(matches[i].output for i in rows)))


def _scaling(match: d.Match) -> tuple[float, float]:
    return match.factor, match.offset


def doubtful_columns(
    problem: d.Problem, report: TrialRunReport | None, kept: Collection[str] = (), lines: Sequence[str] = ()
) -> list[str]:
    """The measured columns that seem to have another unit than what is predicted for them, but for doubts in ``kept``."""
    matches = problem.meaning.matches if isinstance(problem.meaning, d.Predictions) else ()
    changes = changes_of(problem, report)
    found = {matches[i].column: _found(problem, i, report, changes, lines) for i in changes}
    return [column for column, doubt in found.items() if doubt is not None and doubt.words not in kept]


def turned(problem: d.Problem, index: int, report: TrialRunReport | None, kept: Collection[str]) -> bool:
    """Whether what is predicted in comparison ``index`` has the opposite sign to what was measured, and it is not among the
    doubts ``kept`` to which the user said no."""
    found = other_unit(problem, index, report) if opposite(problem, index, report) else None
    return found is not None and found.turns and found.words not in kept


def first_by_headings(
    problem: d.Problem, report: TrialRunReport | None, kept: Collection[str] = ()
) -> tuple[int, OtherUnit] | None:
    """The first comparison whose factor is not the one that units in headings imply, and what mends it, but for doubts in
    ``kept``; None: there is none of which the output's own name or the test run says so."""
    changes = changes_of(problem, report)
    for i, change in changes.items():
        known = change.units is not None and (change.units.sure or sides_of(problem, i, report) is not None)
        if known and (found := _found(problem, i, report, changes)) is not None and found.words not in kept:
            return i, found
    return None


def first_far_off(
    problem: d.Problem, report: TrialRunReport | None, lines: Sequence[str] = (), kept: Collection[str] = ()
) -> tuple[int, OtherUnit] | None:
    """The first comparison whose predictions of the newest test run are so far off that unit or sign may be another one: one
    that waits for an answer before others; but for doubts in ``kept``."""
    changes = changes_of(problem, report)
    off = [i for i, change in changes.items() if change.units is None]
    found = [(i, one) for i in off if (one := _found(problem, i, report, changes, lines)) is not None]
    return min(_open(problem, found, kept), key=lambda one: (not one[1].known, changes[one[0]].alike is not None), default=None)


def _changed(problem: d.Problem, changes: Mapping[int, Change]) -> d.Problem:
    assert isinstance(problem.meaning, d.Predictions)
    matches = tuple(changes[i].of(m) if i in changes else m for i, m in enumerate(problem.meaning.matches))
    return msgspec.structs.replace(problem, meaning=msgspec.structs.replace(problem.meaning, matches=matches))


def _open(problem: d.Problem, found: Sequence[tuple[int, OtherUnit]], kept: Collection[str]) -> list[tuple[int, OtherUnit]]:
    """Those of the doubts ``found``, by comparison, that are not answered: one in ``kept`` answers for all it speaks of."""
    answered: set[int] = set()
    for i, one in found:
        if one.words in kept:
            answered |= {i, *_mended(problem, one.same or one.problem)}
    return [(i, one) for i, one in found if i not in answered]


def _mended(problem: d.Problem, by: d.Problem) -> list[int]:
    """The comparisons that are others in ``by``."""
    assert isinstance(problem.meaning, d.Predictions)
    assert isinstance(by.meaning, d.Predictions)
    pairs = zip(problem.meaning.matches, by.meaning.matches, strict=True)
    return [i for i, (now, then) in enumerate(pairs) if now != then]
