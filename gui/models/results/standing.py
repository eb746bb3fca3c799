"""How the newest answer stands, in one word for every place that says it: the banner of the results, the bar of steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bayescope.engine.answer.check_titles import not_passed
from bayescope.engine.answer.words import Level
from bayescope.gui.analysis.run_data import Answer, RunData
from bayescope.gui.models.results.summary import chip_of

if TYPE_CHECKING:
    from bayescope.engine.answer.checks import AnswerChecks, Check


def poor_checks(data: RunData, answer: Answer) -> tuple[Check, ...]:
    """The checks of ``answer`` that are not passed: as the results have found, else as far as the answer itself tells."""
    from bayescope.engine.answer.checks import answer_checks

    if data.checked is None or data.checked[0] is not answer:
        t = answer.trace
        made = answer_checks(
            t.converged, t.log_evidence, t.log_evidence_sd, answer.agreement, answer.diagnostics, answer.slices, None,
            evaluations=t.n_evaluations,
        )
        data.checked = answer, made.not_passed
    return data.checked[1]


def failed_checks(data: RunData, answer: Answer) -> tuple[str, ...]:
    """Of every check that is not passed its name, its figure and what it found, a sentence or two."""
    return tuple(f"Check not passed: {c.title} ({c.figure}). {c.words}" for c in poor_checks(data, answer))


def note_checks(data: RunData, answer: Answer, found: AnswerChecks) -> None:
    """What the results found, with what is not stored in the answer itself: other methods, regions that nobody looked at."""
    data.looked_at = True
    if data.answer is answer:
        data.checked = answer, found.not_passed


def standing_of(data: RunData, answer: Answer) -> tuple[Level, str]:
    """The verdict in a few words, with the checks that are not passed."""
    level, words = chip_of(answer)
    poor = poor_checks(data, answer) if level == "ok" else ()
    if not poor:
        return level, words
    return "warning", f"{words}, but {not_passed([c.title for c in poor])}"


def results_status(data: RunData, answer: Answer) -> tuple[bool, str]:
    """Whether the results are done, and what is said of them beside the step: not before all checks of an answer are known."""
    level, words = standing_of(data, answer)
    if level == "ok":
        return data.looked_at, words.lower() if data.looked_at else "ready to look at"
    return False, not_passed([c.title for c in poor_checks(data, answer)]) if chip_of(answer)[0] == "ok" else words.lower()
