"""What an open session file holds: answers, runs, what other methods made of them, jobs elsewhere. Only read here."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bayescope.gui.analysis import session_files
from bayescope.gui.analysis.jobs_there import elsewhere_words, jobs_left, jobs_of
from bayescope.gui.analysis.run_data import Answer

if TYPE_CHECKING:
    from bayescope.engine.answer.best_fit import BestFit
    from bayescope.engine.answer.other_methods import OtherMethod
    from bayescope.engine.answer.sensitivity import Sensitivity
    from bayescope.engine.session.replayed import Replay
    from bayescope.engine.session.store import SessionStore


class StoredRecords:
    """Of the file that is open; nothing while none is."""

    def __init__(self) -> None:
        self.path: Path | None = None
        self._store: SessionStore | None = None
        self.where = ""  # the place that runs the simulator; the engine writes it into the file when a run starts

    @property
    def folder(self) -> Path:
        """Relative paths are from here; the drafts' own folder, where no file of the user's is, while it is not saved."""
        return session_files.home() / "drafts" if self.path is None else self.path.parent

    @property
    def jobs_elsewhere(self) -> int:
        """How many jobs of the analysis there still are on other computers."""
        return 0 if self._store is None else jobs_of(self._store)

    def jobs_left(self) -> tuple[int, str]:
        """How many of them are still to be cancelled, and where."""
        return (0, "") if self._store is None else jobs_left(self._store)

    @property
    def elsewhere_words(self) -> str:
        """How many jobs of the analysis still wait or run on another computer, or wait to be collected; "": none."""
        return "" if self._store is None else elsewhere_words(self._store, self.where)

    @property
    def interrupted_words(self) -> str:
        """What a crash of the last run interrupted and what is saved; empty if it ended in good order."""
        return "" if self._store is None else self._store.interrupted_words

    def past_answer(self, iteration: int) -> Answer | None:
        """One older answer: its mixture is kept, draws and slices of the last few only."""
        record = None if self._store is None else self._store.iteration(iteration)
        return None if record is None else Answer.of_record(record)

    def stored_outputs(self) -> dict[int, dict[str, NDArray[np.float64]]]:
        """Outputs of good runs by evaluation index; may be called from any thread."""
        if self._store is None:
            return {}
        return {e.index: e.outputs for e in self._store.evaluations() if e.outcome == "ok" and e.outputs}

    def best_fit(self) -> BestFit | None:
        """Of the runs stored so far; may be called from any thread."""
        from bayescope.engine.answer.best_fit import best_fit_of

        return None if self._store is None else best_fit_of(self._store)

    def other_methods(self) -> tuple[OtherMethod, ...]:
        """What other methods made of the newest answer's runs; may be called from any thread."""
        from bayescope.engine.answer.other_methods import stored_methods

        return () if self._store is None else stored_methods(self._store)

    def sensitivity(self) -> Sensitivity | None:
        """Sensitivities of the newest answer; may be called from any thread. None: not worked out."""
        from bayescope.engine.answer.sensitivity import stored_sensitivity

        return None if self._store is None else stored_sensitivity(self._store)

    def keep_sensitivity(self, record_json: bytes) -> None:
        """In place of earlier ones. Raises SessionError, CodecError."""
        from bayescope.engine.answer.sensitivity import save_sensitivity, sensitivity_of

        if self._store is not None:
            save_sensitivity(self._store, sensitivity_of(record_json))

    def keep_other_method(self, record_json: bytes) -> None:
        """In place of an earlier one of the same method. Raises SessionError, CodecError."""
        from bayescope.engine.answer.other_methods import other_methods_of, save_method

        if self._store is not None:
            for made in other_methods_of(b"[%b]" % record_json):
                save_method(self._store, made)

    def replay(self) -> Replay | None:
        """How stored runs came out when they were made again last; None: never."""
        return None if self._store is None else self._store.replay()

    def outputs_of(self, index: int) -> dict[str, NDArray[np.float64]]:
        """What was read from one run, good or failed; may be called from any thread."""
        found = None if self._store is None else self._store.evaluation(index)
        return {} if found is None else found.outputs
