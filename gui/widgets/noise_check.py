"""Noise check: how much the log-likelihood of a random program changes from run to run, in words."""

from __future__ import annotations

import msgspec
from PySide6.QtWidgets import QProgressBar, QPushButton, QVBoxLayout, QWidget

from bayescope.engine.answer.same_outputs import SEED_FIXED, same_again
from bayescope.engine.answer.usual_scatter import scatter_words
from bayescope.engine.problem.definition import Problem, Summary, is_noisy, is_scattered
from bayescope.engine.problem.fixed_seed import fixed_seed
from bayescope.engine.problem.numbers.shown_digits import spoken
from bayescope.engine.protocol import NoiseReport
from bayescope.gui.models.data.errors.own_scatter import (
    DECLARED,
    NEW_SEED,
    OWN_ERROR,
    with_own_error,
    with_seed_and_error,
)
from bayescope.gui.models.data.summary_faults import button
from bayescope.gui.models.simulator.trials.trial import Trial
from bayescope.gui.widgets.forms import beside
from bayescope.gui.widgets.notices import Level, Notice, label
from bayescope.gui.widgets.number_boxes import CountBox

USE_MEASURED = "Use the measured one"
FEWEST, USUAL, MOST = 3, 20, 1000
OLD = "Something was changed since: make the check again."
GOOD_ENOUGH = 1.5  # standard deviation of the log-likelihood that needs no more runs
MOST_OFFERED = 1000  # repeats per point beyond which another estimate is better advice than more repeats


class NoiseCheckPart(QWidget):
    """A button, progress, and the result; several of these on one trial show the same."""

    def __init__(self, trial: Trial, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.trial = trial
        self.runs = CountBox(FEWEST, MOST, USUAL, groups=False)
        self.runs.setAccessibleName("Runs of the noise check")
        self.runs.setToolTip("20 runs show the spread to about a fifth of itself.")
        self.runs.valueChanged.connect(lambda count: self.refresh())
        self.button = QPushButton()
        self.button.setToolTip("Runs the program several times at the values of the test run; nothing is recorded.")
        self.button.clicked.connect(self._pressed)
        self.progress = QProgressBar()
        self.progress.setAccessibleName("Runs of the noise check that have ended")
        self.progress.setTextVisible(False)  # it is too low for words: they stand below
        self.message = Notice()
        self.message.pressed.connect(self._mend)
        self._out: int | None = None  # the summary that the message offers to leave out
        self.scales = QPushButton("Use these spreads as the summaries' typical spreads")
        self.scales.setToolTip("Distances between simulated and measured summaries are then counted in these units.")
        self.scales.clicked.connect(self._use_scales)
        self.words = label("", "", wrap=True)
        self.learnt = label("", "", wrap=True)  # by all runs of the analysis
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 8, 0, 0)
        box.setSpacing(8)
        self.about = label("", "hint", wrap=True)
        box.addWidget(self.about)
        box.addWidget(beside(self.button, label("Runs", "hint"), self.runs, 1))
        box.addWidget(self.progress)
        box.addWidget(self.message)
        box.addWidget(self.words)
        box.addWidget(self.learnt)
        self._scales_row = beside(self.scales, 1)
        box.addWidget(self._scales_row)
        box.addStretch(1)
        trial.changed.connect(self.refresh)
        trial.analysis.answer_changed.connect(self.refresh)  # what all runs tell
        self.refresh()

    def refresh(self) -> None:
        trial, problem = self.trial, self.trial.problem.declared
        checking = trial.checking_noise
        self.about.setText(about(problem))
        self.button.setText("Cancel the noise check" if checking else f"Run {self.runs.value()} times at one point")
        self.button.setEnabled(checking or (bool(problem.outputs and problem.simulator.command) and not trial.waiting))
        self.runs.setEnabled(not checking)
        self.progress.setVisible(checking)
        done, total = trial.noise_done
        self.progress.setRange(0, max(total, 1))
        self.progress.setValue(done)
        report = trial.noise
        answer = trial.analysis.data.answer
        learnt = "" if answer is None else scatter_words(problem, answer.slices)
        self.learnt.setText(learnt)
        self.learnt.setVisible(bool(learnt))
        offered = not checking and self._scaled() is not None
        self.scales.setVisible(offered)
        self._scales_row.setVisible(offered)
        if checking or report is None:
            self.message.clear()
            first = "" if problem.outputs else "Say first which numbers to read (Outputs tab)."
            self.words.setText(f"{done} of {total} runs have ended." if checking else first)
            self.words.setVisible(bool(self.words.text()))
            return
        if report.stated_off and getattr(problem.meaning, "noise_sd", None) is None:
            report = msgspec.structs.replace(report, stated_off="")  # it counts no more
        level, said = verdict(report, is_noisy(problem.meaning), same_again(problem))
        more, fault, old = self._repeats(), trial.fault(), trial.noise_stale
        self._out = fault[1] if fault is not None and not trial.problem.locked else None
        if fault is not None:
            action = button(problem, self._out) if self._out is not None else ""
            self.message.say("warning", fault[0].message, fault[0].suggestion, action)
        else:
            offer = NEW_SEED if self._reseeded() else OWN_ERROR if self._said_so() else ""
            offer = USE_MEASURED if self._measured() is not None else f"Use {more} runs per point" if more else offer
            self.message.say("info" if old else level, said, OLD if old else "", "" if old else offer)
        self.words.setText("\n\n".join(report.words))
        self.words.show()

    def _said_so(self) -> Problem | None:
        """With predictions said to have a statistical error of their own, where the check shows that they have."""
        report, problem = self.trial.noise, self.trial.problem
        return with_own_error(problem.declared) if report is not None and report.sd and not problem.locked else None

    def _reseeded(self) -> Problem | None:
        """With another seed in each run, where the check shows that a fixed one may hide what is random."""
        report, problem = self.trial.noise, self.trial.problem
        if report is None or not report.identical or problem.locked or fixed_seed(problem.declared) is None:
            return None
        return with_seed_and_error(problem.declared)

    def _measured(self) -> Problem | None:
        """With the spread of the runs in place of the standard error that the program states, where that is another one."""
        report, problem = self.trial.noise, self.trial.problem
        meaning = problem.declared.meaning
        if report is None or not report.stated_off or problem.locked or getattr(meaning, "noise_sd", None) is None:
            return None
        repeats: int = getattr(meaning, "repeats", 1)  # more than one tell their own spread
        changed = msgspec.structs.replace(meaning, noise_sd=None, random=repeats < 2)
        return msgspec.structs.replace(problem.declared, meaning=changed)

    def _repeats(self) -> int:
        """Repeats worth offering: the meaning has such a setting, and it is too small; 0: none."""
        report, meaning = self.trial.noise, self.trial.problem.declared.meaning
        now = getattr(meaning, "repeats", None)
        if report is None or now is None or self.trial.problem.locked or (report.sd or 0.0) <= GOOD_ENOUGH:
            return 0
        needed = report.repeats_needed or 0
        return needed if now < needed <= MOST_OFFERED else 0

    def _scaled(self) -> tuple[Summary, ...] | None:
        """The summaries with the spreads of the pilot runs as scales; None: nothing to change."""
        report, problem = self.trial.noise, self.trial.problem
        now: tuple[Summary, ...] = getattr(problem.declared.meaning, "summaries", ())
        if report is None or problem.locked or not now or len(report.summary_counts) != len(now):
            return None
        if len(report.summary_spread) != sum(report.summary_counts) or min(report.summary_spread) <= 0.0:
            return None
        spreads = iter(report.summary_spread)
        found = tuple(
            msgspec.structs.replace(s, scale=tuple(float(f"{next(spreads):.3g}") for _ in range(count)))
            for s, count in zip(now, report.summary_counts, strict=True)
        )
        return found if found != now else None

    def _use_scales(self) -> None:
        found, problem = self._scaled(), self.trial.problem
        if found is not None:
            meaning = msgspec.structs.replace(problem.declared.meaning, summaries=found)
            problem.replace(
                msgspec.structs.replace(problem.declared, meaning=meaning), "Use the spreads of the pilot runs"
            )
            self.refresh()

    def _pressed(self) -> None:
        if self.trial.checking_noise:
            self.trial.cancel()
        else:
            self.trial.check_noise(self.runs.value())

    def _mend(self) -> None:
        repeats, problem = self._repeats(), self.trial.problem
        if self._out is not None:
            self.trial.answers.leave_out(self._out)
        elif (measured := self._measured()) is not None:
            problem.replace(measured, USE_MEASURED)
            self.refresh()
        elif not repeats and (reseeded := self._reseeded()) is not None:
            problem.replace(reseeded, NEW_SEED)
            self.refresh()
        elif not repeats and (said := self._said_so()) is not None:
            problem.replace(said, OWN_ERROR)
            self.refresh()
        elif repeats:
            meaning = msgspec.structs.replace(problem.declared.meaning, repeats=repeats)
            problem.replace(
                msgspec.structs.replace(problem.declared, meaning=meaning), f"Use {repeats} runs per point"
            )
            self.refresh()


def about(problem: Problem) -> str:
    """What the check is for, by what is declared."""
    if is_scattered(problem.meaning):
        return f"{DECLARED} Several runs at the same values show how large that is beside the measurement's error."
    asked = "Your program is declared as random." if is_noisy(problem.meaning) else "Is your program random?"
    return f"{asked} Several runs at the same values show how much its answer changes, and how many runs per point are enough."


def verdict(report: NoiseReport, noisy: bool = True, again: str = "") -> tuple[Level, str]:
    """One short sentence for the banner; the report's own words say the rest. ``noisy``: the program was declared random;
    ``again``: what it may mean that runs at the same values agree."""
    if report.good < 1:
        return "error", "The noise check came to no result."
    if report.identical and not noisy:
        fixed = again.startswith(SEED_FIXED)  # that hides whether the program is random
        return "info" if fixed else "ok", f"Every run gave exactly the same, as declared. {again}".rstrip()
    if report.identical:
        return "warning", "Every run gave exactly the same: nothing here is random, or the random seed is fixed."
    if report.scatter:
        return ("info" if report.scatter_is_large else "ok"), report.scatter
    if report.sd is None:
        return "info", f"{report.good} good runs."
    if report.stated_off:
        return "warning", report.stated_off
    if report.sd and not noisy:
        return "warning", f"The log-likelihood varies by ± {spoken(report.sd, 2)}, but it is declared as exact."
    if report.gaussian is False:
        return "warning", f"The log-likelihood varies by ± {spoken(report.sd, 2)}, and not normally."
    return "ok", f"The log-likelihood varies by ± {spoken(report.sd, 2)} (one standard deviation)."
