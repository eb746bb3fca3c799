"""What the newest test run tells against the pairing of rows: nothing starts until it is mended or said to be right."""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from bayescope.engine.problem.data.rows.order_places import Unproved, unproved_orders
from bayescope.engine.problem.definition import Problem
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.keys.against_order import first_against_order
from bayescope.gui.models.data.keys.by_places import ByPlaces
from bayescope.gui.models.data.keys.mirrored_key import first_mirrored
from bayescope.gui.models.data.keys.other_file import first_of_other_file
from bayescope.gui.models.data.keys.part_keys import first_contradiction
from bayescope.gui.models.data.keys.same_pairing import paired_anew

if TYPE_CHECKING:
    from bayescope.gui.models.simulator.set_up_answers import SetUpAnswers

UNTRIED = "A test run tells: the button on the Data page makes one. There the order can be said to be right, too."
UNSAID = "Rows may be compared with values of other places. The Data page has the button that pairs them, or that lets them be."
_said: WeakKeyDictionary[SetUpAnswers, tuple[tuple[object, ...], ByPlaces | None]] = WeakKeyDictionary()  # newest


def order_doubt(
    answers: SetUpAnswers, report: TrialRunReport | None, second: TrialRunReport | None
) -> ByPlaces | None:
    """The first comparison whose order a key or places contradict, or whose key seems mirrored or is of another file, and nobody
    said that it is right; None: there is none.

    ``report``: the newest test run; ``second``: one at other values.
    """
    problem, settled = answers.problem.declared, answers.settled
    of = problem, report, second, settled.kept, settled.files
    known = _said.get(answers)
    if known is None or any(a is not b for a, b in zip(known[0], of, strict=True)):
        _said[answers] = known = of, _found(problem, report, second, answers)
    return None if answers.problem.locked else known[1]


def order_unproved(answers: SetUpAnswers, report: TrialRunReport | None) -> Unproved | None:
    """The first comparison in order beside a column that says where, of which no test run, of this window or an earlier one, can
    have told anything, and nobody said that it is right; None: there is none."""
    if report is not None or answers.run_seconds is not None or answers.problem.locked:
        return None
    kept = answers.settled.kept
    return next((one for one in unproved_orders(answers.problem.declared) if one.words not in kept), None)


def _found(
    problem: Problem, report: TrialRunReport | None, second: TrialRunReport | None, answers: SetUpAnswers
) -> ByPlaces | None:
    kept = answers.settled.kept
    key = first_contradiction(problem, report)
    if key is not None and key[3] not in kept:
        row, mended, column, words = key
        return ByPlaces(row, column, words, mended, count=max(paired_anew(problem, mended), 1))
    found = first_against_order(problem, report, second, answers.keys, kept)
    return found or first_of_other_file(problem, report, second, kept) or first_mirrored(problem, report, kept)
