"""The analysis that a window shows: what is declared, its file, its run, what arrives for it. Each has signals of its own.

Pages never open files or talk to the engine. They take the parts that they need, read properties, call methods, listen to
signals. Methods that can fail because of the world (a full disk, a locked file, a damaged session) return False and report
it in words for a person (``reports``); they do not raise. All signals come on the window's thread.

For page writers
----------------
* ``controller.problem`` (``DeclaredProblem``): the declaration. ``problem.declared`` is an immutable record; change it with
  ``problem.edit("Rename", merge_key="name", name="x")``; undo and redo, autosave, dirty marker and ``problem.changed`` follow
  by themselves. ``problem.locked`` True: runs exist or are under way; only ``settings``, ``name`` and ``description`` may
  change. Show ``problem.locked_words`` and make inputs read-only. ``problem.findings("parameters")``: what
  ``engine.problem.checks.validate`` says under that prefix, cached per problem. ``problem.space``: transforms and priors.
* ``controller.file`` (``AnalysisFile``): new, open, save, drafts, the leave to run it. ``file.folder``: relative paths
  (simulator, extra files) are from here; ``file.duplicate()`` makes an editable copy without runs.
* ``controller.run`` (``AnalysisRun``): start, pause, stop, more runs, and results: ``run.data`` (``run_data.RunData``:
  evaluations, theta, log_density, trace, answer, progress), ``run.posterior()`` for a ``StoredPosterior`` of the newest
  answer. Test run: ``run.unrecorded.trial_run(values)``; wait for its ``trial_run_finished`` (a ``protocol.TrialRunReport``).
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject

from bayescope.gui.analysis.analysis_file import AnalysisFile
from bayescope.gui.analysis.analysis_run import AnalysisRun
from bayescope.gui.analysis.arrivals import Arrivals
from bayescope.gui.analysis.declared_problem import DeclaredProblem
from bayescope.gui.analysis.engine_link import EngineLink
from bayescope.gui.analysis.importing import Importing
from bayescope.gui.analysis.reports import Reports
from bayescope.gui.analysis.run_link import RunLink
from bayescope.gui.analysis.session_file import OpenFile
from bayescope.gui.analysis.stored_runs import StoredRuns
from bayescope.gui.analysis.watching import Watching


class SessionController(QObject):
    """See the module's text. One per window."""

    def __init__(self, parent: QObject | None = None, make_link: Callable[[QObject], EngineLink] | None = None) -> None:
        super().__init__(parent)
        self.reports = Reports(self)
        link, opened = RunLink(self, make_link), OpenFile()
        self.problem = DeclaredProblem(link, opened, self.reports, self)
        self.file = AnalysisFile(self.problem, link, opened, self.reports, self)
        stored = StoredRuns(link, opened, self.reports)
        self.run = AnalysisRun(self.problem, self.file, link, stored, self.reports, self)
        self.importing = Importing(self.file, opened, self.reports, self)
        self.arrivals = Arrivals(self.file, self.run, link, opened, self.reports, self)
        self.watching = Watching(self.problem, self.file, self.arrivals, opened, self)

    def shut_down(self) -> None:
        """The window closes: end the engine (its simulators end with it) and let go of the file."""
        self.file.finish_writing()
        self.run.end_engine()
        self.file.release()
