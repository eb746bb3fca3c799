"""What a test run came to, what to do about it, and the button that does it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import msgspec
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from bayescope.engine.answer.no_effect import question
from bayescope.engine.answer.same_outputs import ONCE_MARKED
from bayescope.engine.problem.checks.twin_outputs import twins
from bayescope.engine.problem.definition import ExtraFile, is_noisy
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.dialogs.file_questions import ask
from bayescope.gui.models.data.errors.own_scatter import (
    DIFFER,
    IF_AVERAGE,
    KEEP_SEED,
    NEW_SEED,
    OWN_ERROR,
    seed_doubt,
    with_own_error,
)
from bayescope.gui.models.data.units.unit_doubts import first_doubts
from bayescope.gui.models.plain import in_quotes, one_line
from bayescope.gui.models.simulator.files.fixed_files import fixed_files
from bayescope.gui.models.simulator.files.loose_files import lacking, loose_files, put_over, written_by_program
from bayescope.gui.models.simulator.files.strayed_files import Strayed, strayed
from bayescope.gui.models.simulator.numbers.elsewhere import advice
from bayescope.gui.models.simulator.outputs.output_views import random_outputs, same_words
from bayescope.gui.models.simulator.trials.moved_alone import show_use
from bayescope.gui.models.simulator.trials.trial import Trial
from bayescope.gui.pages.original_notice import BUTTON, original_words, use_copies
from bayescope.gui.pages.script_notice import runs_it, script_button, start_with_interpreter
from bayescope.gui.style import words
from bayescope.gui.widgets.notices import Level, Notice

CORRECT_PLACE = "Correct the place…"
UNIT = "Another unit"
OTHERWISE = "Else…"  # short: beside the long first one
SAY_OR_FIX = "Say on the tab Meaning that the program is random, or fix its random seed."
BEFORE = "It worked before the last change."
NOTHING_CHANGED = (
    "The program left no file in the run's folder, and printed the same at other values.",
    "Does it read other inputs than the run's, or write elsewhere?",
)
NO_PROGRAM = ("search path", "The program “")  # in the reason: it was not found, so no file of its is missing


def _nothing() -> None:
    """What a button does that is not shown."""


@dataclass(frozen=True)
class Said:
    """``mend``: what the ``button`` does; ``leave``: what the ``other`` one does."""

    level: Level
    words: str
    suggestion: str = ""
    button: str = ""
    mend: Callable[[], object] = field(default=_nothing)
    other: str = ""
    leave: Callable[[], object] = field(default=_nothing)


class TrialMessage(Notice):
    """In the test run's panel. ``dismissed``: the file that tells why the run failed is to be shown."""

    marking_wanted = Signal()  # show where numbers are marked in what the program wrote
    file_wanted = Signal()  # show where a file that the run lacks is put into its folder
    place_wanted = Signal()  # show the form of the place where it was to run
    use_wanted = Signal(str)  # show where this parameter stands
    meaning_wanted = Signal()  # show where it is said what random results mean

    def __init__(self, trial: Trial, parent: QWidget | None = None) -> None:
        super().__init__(parent, two_below=True)
        self.trial = trial
        self._mend: Callable[[], object] = _nothing
        self._put_since: tuple[TrialRunReport, list[str]] | None = None  # files, and the run that lacked them
        self._leave: Callable[[], object] = _nothing
        self.pressed.connect(lambda: self._mend())
        self.dismissed.connect(lambda: self._leave())

    def refresh(self) -> None:
        trial, report = self.trial, self.trial.report
        if trial.waiting:
            self.say("info", trial.stage or "The simulator is running …")
        elif trial.words:
            self.say("error", trial.words)
        elif report is None:
            self.clear()
        else:
            said = self._of(report)
            self._mend, self._leave = said.mend, said.leave
            told = report.told if report.outcome == "failed" and _by_the_program(report) and not trial.stale else None
            look = said.other if told is None else f"Show {one_line(told.name, 30)}"
            level: Level = "info" if trial.stale and said.level == "ok" else said.level
            self.say(level, said.words, said.suggestion, said.button, look)

    def _of(self, report: TrialRunReport) -> Said:
        trial = self.trial
        said = _standing(trial, report)
        unread = report.outcome == "ok" and not trial.problem.declared.outputs
        if unread:
            said = replace(said, button="Mark numbers", mend=self.marking_wanted.emit)
        if report.outcome == "failed" and _by_the_program(report):
            said = self._of_failure(report, said)
        elif (lost := self._strayed(report)) is not None:
            said = self._of_strayed("warning", lost)
        elif said.level == "ok":
            said = self._of_doubt(report, said)
        if report.correct == "place" and said.mend is _nothing:
            said = replace(said, button=CORRECT_PLACE, mend=self.place_wanted.emit)
        return said

    def _of_failure(self, report: TrialRunReport, said: Said) -> Said:
        """What may be lacking in a run that failed, the surest cause first."""
        trial, simulator = self.trial, self.trial.problem.declared.simulator
        known = written_by_program(trial.reports, trial.problem.declared.outputs)
        absent = [name for name in loose_files(simulator, trial.file.folder) if name not in known]
        if trial.stale and self._put_since is not None and self._put_since[0] is report:
            return _put_now(self._put_since[1], absent, self.file_wanted.emit)
        if trial.stale:
            return replace(said, button="Put it there", mend=self.file_wanted.emit) if absent else said
        if (lost := self._strayed(report)) is not None:
            return self._of_strayed("error", lost)
        if (over := put_over(trial.problem.declared)) is not None:
            name = one_line(over.target or Path(over.path).name, 40)
            why = f"Each run is given “{name}”, which outputs are read from: the program may refuse to write over it."
            return replace(said, suggestion=why, button="Take it out", mend=partial(self._take_out, over))
        if lacks := self._lacks(report):
            them, lie = ("it", "lies") if len(lacks) == 1 else ("them", "lie")
            where = one_line(str(lacks[0].parent), 60)
            why = f"{in_quotes([p.name for p in lacks])} {lie} in {where}. Each run begins in a fresh folder."
            return replace(said, suggestion=why, button=f"Put {them} there", mend=partial(self._put, lacks))
        if absent:
            name, where = one_line(absent[0], 40), "arguments" if absent[0] in simulator.command else "script"
            why = f"Nothing puts “{name}”, named in the {where}, into the run's folder."
            return replace(said, suggestion=why, button="Put it there", mend=self.file_wanted.emit)
        if runs_it(simulator, trial.file):
            start = partial(start_with_interpreter, trial.problem, trial.file)
            return replace(said, button=script_button(simulator, trial.file), mend=start)
        return said

    def _of_doubt(self, report: TrialRunReport, said: Said) -> Said:
        """What is odd about a run that went well."""
        trial, declared = self.trial, self.trial.problem.declared
        if original := original_words(declared.simulator, trial.file):
            use = lambda: use_copies(trial.problem, trial.file)  # noqa: E731
            return replace(said, level="warning", words=original, button=BUTTON, mend=use)
        at_once = declared.outputs and ONCE_MARKED not in report.repeats_words  # not only lines of files that nobody reads
        differ = report.repeats_agree is False and (at_once or bool(random_outputs(declared, report)))
        if differ and (own := with_own_error(declared)):
            say = partial(trial.problem.replace, own, OWN_ERROR)
            return Said("warning", DIFFER, IF_AVERAGE, OWN_ERROR, say, OTHERWISE, self.meaning_wanted.emit)
        if differ and not is_noisy(declared.meaning):
            return Said("warning", DIFFER, SAY_OR_FIX, OTHERWISE, self.meaning_wanted.emit)
        if trial.idle and not trial.stale:
            why = advice(declared, trial.idle[0], trial.values())
            return Said("warning", question(trial.idle), why, show_use(trial.idle), partial(self.use_wanted.emit, trial.idle[0]))
        lines = trial.answers.lines
        known = (report.log_likelihood is not None or hasattr(declared.meaning, "summaries")) and not trial.stale
        off = first_doubts(declared, report, lines, trial.answers.settled.kept)[1] if known else None
        if off is not None:
            mended = off[1].same or off[1].problem
            button = off[1].same_button or off[1].button
            hint = "" if off[1].same is not None else off[1].hint
            return Said("warning", off[1].words, hint, button, partial(trial.problem.replace, mended, UNIT))
        seed, told = seed_doubt(declared), report.log_likelihood is not None or report.repeats_agree is True
        if seed is not None and told and not said.suggestion and seed.words not in trial.answers.settled.kept:
            mend, keep = partial(trial.problem.replace, seed.mended, NEW_SEED), partial(self._keep, seed.words)
            return replace(said, suggestion=f"{seed.words} {seed.hint}", button=NEW_SEED, mend=mend, other=KEEP_SEED, leave=keep)
        if not declared.outputs and nothing_changed(report, trial.second):
            happened, ask_about = NOTHING_CHANGED
            return replace(said, level="warning", words=happened, suggestion=ask_about)
        return said

    def _strayed(self, report: TrialRunReport) -> Strayed | None:
        """Files of the program that lie beside the run's folder."""
        idle = self.trial.stale or report.outcome == "cancelled"
        return None if idle else strayed(self.trial.problem.declared, report)

    def _of_strayed(self, level: Level, lost: Strayed) -> Said:
        return Said(level, lost.words, lost.hint, lost.button, partial(self._find, lost))

    # -------------------------------------------------------------- acts

    def _find(self, lost: Strayed) -> None:
        if lost.mended is None:
            self.file_wanted.emit()
        else:
            self.trial.problem.replace(lost.mended, lost.act)

    def _keep(self, words: str) -> None:
        """What these words ask is answered: as it is."""
        self.trial.answers.keep(words)
        self.refresh()

    def _lacks(self, report: TrialRunReport) -> list[Path]:
        """Files that the error of the run names and that lie beside the script."""
        said = report.told.words if report.told is not None else report.reason
        place = self.trial.file
        return lacking(self.trial.problem.declared.simulator, place.folder, said, ask.start(place.place))

    def _put(self, paths: list[Path]) -> None:
        simulator = self.trial.problem.declared.simulator
        new = fixed_files(paths, simulator, self.trial.file.folder)
        extended = msgspec.structs.replace(simulator, extra_files=(*simulator.extra_files, *new))
        if self.trial.report is not None:
            self._put_since = self.trial.report, [path.name for path in paths]
        self.trial.problem.edit("Add input files", simulator=extended)

    def _take_out(self, over: ExtraFile) -> None:
        simulator = self.trial.problem.declared.simulator
        left = tuple(f for f in simulator.extra_files if f != over)
        self.trial.problem.edit("Take a file out", simulator=msgspec.structs.replace(simulator, extra_files=left))


def _put_now(names: list[str], absent: list[str], show: Callable[[], object]) -> Said:
    """After files were put into the run's folder; ``absent``: more that a script or the arguments name, asked about on the tab
    that ``show`` shows."""
    words = f"{in_quotes(names)} {'is' if len(names) == 1 else 'are'} put into each run's folder now."
    if not absent:
        return Said("info", words, "Run it again.")
    are, it = ("is", "it") if len(absent) == 1 else ("are", "them")
    more = f"{in_quotes(absent)} {are} named too: say on the tab Program whether the program reads {it}."
    return Said("info", words, f"Run it again. {more}", "Say it", show)


def _standing(trial: Trial, report: TrialRunReport) -> Said:
    """What the run came to, and whether that still holds."""
    level, came_to = verdict(report)
    declared = trial.problem.declared
    if report.outcome == "ok" and not report.outputs and declared.outputs:
        came_to = "The program ran."  # the numbers to read have been marked since
    faults = [f for f in trial.problem.findings("meaning", "error") if f.message.startswith("There is no output")]
    if level == "ok" and faults and report.outputs:
        level, came_to = "info", f"The program ran and its outputs were read, but {_lower(faults[0].message)}"
    if trial.stale and level == "ok":
        said = Said("info", BEFORE, "Run it again.")
    elif trial.stale:
        since = "Changed since: run it again."
        said = Said("info", f"Before the last change: {came_to}", since) if level == "error" else Said(level, came_to, since)
    else:
        warnings = report.warnings if report.outcome != "failed" and report.outputs else ()
        said = Said(level, came_to, " ".join(warnings))
    if said.level == "ok" and (same := twins(declared.outputs)):
        return Said("warning", *same_words(*same[0]))
    return said


def _by_the_program(report: TrialRunReport) -> bool:
    """Whether the program was found, so that what failed is a run of it."""
    return not any(part in report.reason for part in NO_PROGRAM)


def _lower(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]


def verdict(report: TrialRunReport) -> tuple[Level, str]:
    """Level and sentence for the banner."""
    match report.outcome:
        case "ok":
            if report.log_likelihood is not None:
                return "ok", f"It works. The log-likelihood here is {words.number(report.log_likelihood, 6)}."
            read = "It works: all outputs were read."
            return "ok", read if report.outputs else "The program ran. Now say which numbers to read from it."
        case "impossible":
            return "warning", report.reason or "The program says that these values are impossible (likelihood 0)."
        case "cancelled":
            return "info", report.reason or "The test run was cancelled."
        case _:
            return "error", report.reason or "The test run failed."


def nothing_changed(report: TrialRunReport, other: TrialRunReport | None) -> bool:
    """Whether nothing that the program wrote depends on the parameters, as far as two runs tell."""
    produced = any(f.role == "produced" for f in report.files)
    return other is not None and other.values != report.values and not produced and other.stdout == report.stdout
