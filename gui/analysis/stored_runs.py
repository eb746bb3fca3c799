"""What is read from the session file about its runs: past answers, outputs, runs made again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bayescope.gui.analysis.reports import Reports
from bayescope.gui.analysis.run_data import Answer
from bayescope.gui.analysis.run_link import RunLink
from bayescope.gui.analysis.session_file import OpenFile

if TYPE_CHECKING:
    from bayescope.engine.answer.best_fit import BestFit
    from bayescope.engine.answer.other_methods import OtherMethod
    from bayescope.engine.answer.sensitivity import Sensitivity
    from bayescope.engine.session.replayed import Replay


class StoredRuns:
    """Short reads of the file that is open now, safe while the engine writes."""

    def __init__(self, link: RunLink, opened: OpenFile, reports: Reports) -> None:
        self._link, self._opened, self._reports = link, opened, reports

    @property
    def where(self) -> str:
        """The name of the place whose computer runs the simulator; "": this one."""
        return self._opened.now.where

    @where.setter
    def where(self, name: str) -> None:
        self._opened.now.where = name

    def jobs_left(self) -> tuple[int, str]:
        """How many jobs elsewhere could not be cancelled yet when they should, and the name of their place."""
        return self._opened.now.jobs_left()

    def past_answer(self, iteration: int) -> Answer | None:
        """An older answer from the session file (a short read, safe while the engine writes); None if it is not there."""
        answer = self._link.data.answer
        if answer is not None and answer.iteration == iteration:
            return answer
        try:
            return self._opened.now.past_answer(iteration)
        except Exception as error:
            self._reports.failed(f"Iteration {iteration} could not be read from the session file.", error)
            return None

    def outputs(self) -> dict[int, dict[str, Any]]:
        """Outputs of all good runs by evaluation index, from the session file, for predictions over data."""
        return self._opened.now.stored_outputs()

    def best_fit(self) -> BestFit | None:
        """The best of the runs in the session file."""
        return self._opened.now.best_fit()

    def other_methods(self) -> tuple[OtherMethod, ...]:
        """What other methods made of the newest answer's runs, from the session file."""
        return self._opened.now.other_methods()

    def sensitivity(self) -> Sensitivity | None:
        """Sensitivities of the newest answer, from the session file; None: not worked out."""
        return self._opened.now.sensitivity()

    def last_replay(self) -> Replay | None:
        """How stored runs came out when they were made again last, from the session file; None: never."""
        try:
            return self._opened.now.replay()
        except Exception as error:
            self._reports.failed("What runs made again gave could not be read.", error)
            return None

    def outputs_of(self, index: int) -> dict[str, Any]:
        """What was read from one run, good or failed, from the session file."""
        return self._opened.now.outputs_of(index)
