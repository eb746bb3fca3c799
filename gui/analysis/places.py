"""Where the runs of the analysis shown happen: the place chosen, the places there are, and the test of one."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from bayescope.engine.problem.errors import SetupError
from bayescope.engine.session.errors import SessionError
from bayescope.engine.session.profiles import Profile, load_profiles, remove_profile, save_profile
from bayescope.gui.analysis.run_link import RunLink
from bayescope.gui.analysis.stored_runs import StoredRuns


class Places(QObject):
    """``step``, ``done``: of the test of a place (protocol.PlaceStep; whether it went well). ``stage``: of a test run."""

    stage = Signal(str)  # words
    changed = Signal()  # the place chosen, or the list of them
    step = Signal(object)
    done = Signal(bool)

    def __init__(self, link: RunLink, stored: StoredRuns, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._link, self._stored = link, stored
        self._bad: dict[str, Profile] = {}  # places that did not work when they were tried last, as they were then
        self._tried = ""
        link.trying.done.connect(lambda good: self.note(self._tried, good))
        link.trying.step.connect(self.step)
        link.trying.stage.connect(self.stage)
        link.trying.done.connect(self.done)

    @property
    def where(self) -> str:
        """The name of the place whose computer runs the simulator; "": this computer."""
        return self._stored.where

    @property
    def chosen(self) -> Profile | None:
        """The place ``where``; None: this computer, or it is not known here any more."""
        return next((p for p in self.known()[0] if p.name == self.where), None) if self.where else None

    def choose(self, where: str) -> None:
        """From the next start on."""
        if where != self.where:
            self._stored.where = where
            self.changed.emit()

    def note(self, name: str, good: bool) -> None:
        """How the place ``name`` was found by a test or a run."""
        self._bad.pop(name, None)
        if not good:
            self._bad |= {p.name: p for p in self.known()[0] if p.name == name}

    def is_bad(self, profile: Profile | None) -> bool:
        """Whether it did not work when it was tried last, and was not changed since."""
        return profile is not None and self._bad.get(profile.name) == profile

    @property
    def here_is_bad(self) -> bool:
        """``is_bad`` of the place chosen."""
        return any(self.is_bad(p) for p in self.known()[0] if p.name == self.where)

    def known(self) -> tuple[list[Profile], str]:
        """The places by name, and why they cannot be read, if so."""
        try:
            return load_profiles(), ""
        except SetupError as error:
            return [], str(error)

    def save(self, profile: Profile, before: str = "") -> str:
        """Keep it, in place of the one named ``before``. Why not, a sentence; "": it is kept."""
        try:
            if profile.name != before and any(p.name == profile.name for p in load_profiles()):
                return f"There is a place called “{profile.name}” already; choose another name."
            save_profile(profile)
            if before and before != profile.name:
                remove_profile(before)
        except (SetupError, SessionError) as error:
            return str(error)
        if before and before == self.where:
            self.choose(profile.name)
        self.changed.emit()
        return ""

    def remove(self, name: str) -> str:
        """Why not, a sentence; "": it is forgotten."""
        try:
            remove_profile(name)
        except (SetupError, SessionError) as error:
            return str(error)
        if name == self.where:
            self.choose("")
        self.changed.emit()
        return ""

    @property
    def trying(self) -> bool:
        return self._link.trying.running

    def try_place(self, profile: Profile) -> None:
        """One small job there; ``step`` and ``done`` follow."""
        self._tried = profile.name
        self._link.ask(self._link.trying.begin(profile))

    def give_up(self) -> None:
        """End the test."""
        self._link.cancel_trial_run()
