"""Runs that leave no trace in the analysis: test runs, how random a program is, other methods, archives, runs made again."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal, SignalInstance

from bayescope.engine import protocol
from bayescope.gui.analysis.analysis_file import AnalysisFile
from bayescope.gui.analysis.declared_problem import DeclaredProblem
from bayescope.gui.analysis.run_link import RunLink

if TYPE_CHECKING:
    from bayescope.engine.archive.interpret import Imported

NOT_AGREED = "Nothing was run, because you did not agree to run this program."


class UnrecordedRuns(QObject):
    """What the engine is asked beside the analysis itself, and its answers."""

    trial_run_finished = Signal(object)  # protocol.TrialRunReport
    noise_progress = Signal(int, int)  # runs ended, runs in all
    noise_checked = Signal(object)  # protocol.NoiseReport
    trial_run_failed = Signal(str)  # the engine could not even try; words
    baseline_ready = Signal(object)  # protocol.BaselineReady of the file shown
    baseline_failed = Signal(object)  # protocol.BaselineFailed of the file shown; no words: cancelled
    archive_checked = Signal(object)  # protocol.ArchiveChecked
    replay_changed = Signal()  # runs are being made again, and how many have been
    replay_done = Signal(object)  # protocol.ReplayDone, also of another file than the one shown

    def __init__(
        self,
        problem: DeclaredProblem,
        file: AnalysisFile,
        link: RunLink,
        active: Callable[[], bool],
        where: Callable[[], str],
        parent: QObject | None = None,
    ) -> None:
        """``active``: whether the analysis itself runs; ``where``: the name of the place chosen for its runs."""
        super().__init__(parent)
        self._problem, self._file, self._link, self._active, self._where = problem, file, link, active, where
        self._alone: Callable[[protocol.TrialRunReport | str], None] | None = None  # who asked for a run that is no test run
        link.trial_finished.connect(lambda report: self._trial_ended(self.trial_run_finished, report))
        link.noise_progress.connect(self.noise_progress)
        link.noise_checked.connect(self.noise_checked)
        link.trial_failed.connect(lambda words: self._trial_ended(self.trial_run_failed, words))
        link.comparing.ready.connect(lambda found: self._pass_on(self.baseline_ready, found))
        link.comparing.failed.connect(lambda found: self._pass_on(self.baseline_failed, found))
        link.archive_checked.connect(self.archive_checked)
        link.replaying.changed.connect(self.replay_changed)
        link.replaying.done.connect(self.replay_done)

    def trial_run(self, values: dict[str, float], repeat: int = 1, where: str = "", alone: bool = False) -> None:
        """One evaluation at ``values`` (all parameters, user's units); nothing is recorded. See ``trial_run_finished``.

        ``where``: the name of a place; "": this computer. ``alone``: each parameter is moved alone too.
        """
        held = self._problem.held("simulator")
        signed = None if held else self._file.consent()
        if signed is None:
            self._trial_ended(self.trial_run_failed, held[0].message if held else NOT_AGREED)
        else:
            self._link.trial_run(self._problem.declared, values, self._file.folder, signed, repeat, where, alone)

    def run_here(self, values: dict[str, float], then: Callable[[protocol.TrialRunReport | str], None]) -> None:
        """As ``trial_run``, where the analysis runs, but told to ``then`` alone: a report, or words why there is none."""
        if self.trial_running or self.noise_running or self.replaying:
            then("Another run beside the analysis is under way; wait for its end and try again.")
            return
        self._alone = then
        self.trial_run(values, where=self._where())

    def _trial_ended(self, usual: SignalInstance, found: protocol.TrialRunReport | str) -> None:
        then, self._alone = self._alone, None
        (usual.emit if then is None else then)(found)

    def check_noise(self, values: dict[str, float], runs: int, where: str = "") -> None:
        """``runs`` runs at ``values`` to see how random the program is; nothing is recorded. ``noise_checked`` follows."""
        signed = self._file.consent()
        if signed is None:
            self.noise_checked.emit(protocol.NoiseReport(runs=0, good=0, words=(NOT_AGREED,)))
        else:
            self._link.check_noise(self._problem.declared, values, self._file.folder, signed, runs, where)

    @property
    def noise_running(self) -> bool:
        return self._link.noise_running

    def cancel_trial_run(self) -> None:
        self._link.cancel_trial_run()

    @property
    def trial_running(self) -> bool:
        return self._link.trial_running

    def compare_with(self, method: protocol.BaselineMethod) -> bool:
        """What another method makes of the runs so far, computed by the engine. False: nothing is stored yet; else
        ``baseline_ready`` or ``baseline_failed`` follows."""
        if self._file.on_disk is None:
            return False
        self._link.compare(self._file.on_disk, method)
        return True

    def cancel_compare(self) -> None:
        self._link.cancel_compare()

    def check_archive(self, found: Imported) -> None:
        """One or two simulator runs at rows of an archive; nothing is recorded. ``archive_checked`` follows."""
        from bayescope.engine.archive.sample_rows import rows_to_check

        signed = self._file.consent()
        if signed is None:
            self.archive_checked.emit(protocol.ArchiveChecked(agrees=None, words=NOT_AGREED))
            return
        rows = rows_to_check(found, self._problem.declared)
        self._link.check_archive(self._problem.declared, self._file.folder, signed, rows, found.record.meaning)

    def replay(self, runs: int) -> bool:
        """Make ``runs`` stored runs again, where the analysis runs, and compare; nothing of the analysis changes.

        False: not now; else ``replay_done`` follows. ``cancel_trial_run`` ends it.
        """
        if self._active() or self.replaying or self._file.on_disk is None:
            return False
        signed = self._file.consent()
        if signed is None:
            self.replay_done.emit(protocol.ReplayDone(session=str(self._file.on_disk), words=NOT_AGREED))
        else:
            self._link.replay(self._file.on_disk, runs, signed, self._where())
        return True

    @property
    def replaying(self) -> bool:
        return bool(self._link.replaying.session)

    @property
    def replayed(self) -> tuple[int, int]:
        """Runs made again so far, and in all."""
        return self._link.replaying.ended, self._link.replaying.total

    def _pass_on(self, signal: Any, found: protocol.BaselineReady | protocol.BaselineFailed) -> None:
        """Of the file shown only: another may have been opened meanwhile."""
        if self._file.on_disk is not None and found.session == str(self._file.on_disk):
            signal.emit(found)
