"""The consent to run a problem's simulator on this computer: signed, checked, and handed to the runner as a ``Permit``.

A consent says what was typed or approved here: the simulator as declared and its files by content. ``sign`` is the only
function that signs, ``permit_for`` the only one that makes a Permit, and the runner starts nothing without one
(checked by packaging/forbidden.py). A stranger who has one of our signed sessions can only make us run the same again.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from ...problem.definition import Simulator
from .. import machine
from ..errors import SessionError
from .changes_shown import summary
from .kept import keep_texts
from .what_runs import NOT_THERE, Found, RunFile, what_runs

VERSION = 1


class Consent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``foreign``: it came from elsewhere and was approved here. ``confined``: its runs are to be in a sandbox."""

    simulator: Simulator
    files: tuple[RunFile, ...]
    foreign: bool = False
    confined: bool = False
    version: int = VERSION


@dataclass(frozen=True)
class Signed:
    """``content``: JSON of a Consent; what a session file and a message to the engine carry."""

    content: bytes = b""
    signature: str = ""

    def consent(self) -> Consent | None:
        """What was agreed to; None if this user on this computer did not sign it."""
        if not self.content or not machine.is_signed(self.content, self.signature):
            return None
        try:
            return msgspec.json.decode(self.content, type=Consent)
        except msgspec.MsgspecError:
            return None

    def is_of_old_format(self, simulator: Simulator) -> bool:
        """Whether this is the signature of an earlier version, which covered the declaration but no file."""
        return not self.content and machine.is_signed(msgspec.json.encode(simulator), self.signature)


UNSIGNED = Signed()


class NotAgreed(SessionError):
    """Nobody on this computer agreed to run this. ``before``: what was agreed to last, None if nothing was."""

    def __init__(self, simulator: Simulator, folder: Path, found: Found, before: Consent | None) -> None:
        self.simulator, self.folder, self.found, self.before = simulator, folder, found, before
        changed = "" if before is None else changed_words(before, simulator, found)
        super().__init__(
            changed or "This analysis comes from another computer, another person, or was changed there",
            "",
            "Nothing was started. Look at what it runs, and agree to it first.",
        )


@dataclass(frozen=True)
class Permit:
    """Leave to run ``simulator`` with relative paths from ``folder``. Made by ``permit_for`` only."""

    simulator: Simulator
    folder: Path
    foreign: bool
    confined: bool
    found: Found
    _states: dict[str, object] = field(default_factory=dict)
    _guard: threading.Lock = field(default_factory=threading.Lock)

    @property
    def compares_compiled(self) -> bool:
        """Whether Python's caches beside the script are part of what was agreed to; else runs must not use them."""
        return self.foreign or self.confined

    def refusal(self, simulator: Simulator, folder: Path) -> str:
        """Why a run is not covered, a sentence; empty if it is. Cheap enough for every run: files are looked at, and read
        only if they seem changed."""
        if simulator != self.simulator or folder.absolute() != self.folder:
            return "Nobody agreed to run this on this computer."
        with self._guard:
            states = self.found.states()
            if states == self._states:
                return ""
            now = what_runs(simulator, folder)
            if _compared(now.files, self.compares_compiled) == _compared(self.found.files, self.compares_compiled):
                self._states.clear()
                self._states.update(states)
                return ""
        return f"{_changed(self.found.files, now, self.foreign)}."


def sign(
    simulator: Simulator, folder: Path, *, foreign: bool = False, confined: bool = False, shown: Found | None = None
) -> Signed:
    """What the user typed or approved just now, signed. Only for what a person on this computer did.

    ``shown``: the files as they were when the person looked at them; what changed since is not agreed to.
    """
    found = what_runs(simulator, folder) if shown is None else shown
    keep_texts(found)
    content = msgspec.json.encode(Consent(simulator, found.files, foreign, confined))
    return Signed(content, machine.sign(content))


def permit_for(signed: Signed, simulator: Simulator, folder: Path) -> Permit:
    """Leave to run, if ``signed`` covers the simulator and its files as they are now. Raises NotAgreed."""
    folder = folder.absolute()
    found = what_runs(simulator, folder)
    states = found.states()
    consent = signed.consent()
    if consent is not None and consent.simulator == simulator and _covers(consent, found):
        return Permit(simulator, folder, consent.foreign, consent.confined, found, states)
    if _is_untouched_example(simulator):
        return Permit(simulator, folder, False, False, found, states)
    raise NotAgreed(simulator, folder, found, consent)


def _covers(consent: Consent, found: Found) -> bool:
    compiled = consent.foreign or consent.confined
    looked_for = {(file.role, file.name) for file in found.files}
    before = tuple(f for f in consent.files if f.digest != NOT_THERE or (f.role, f.name) in looked_for)  # absent: it never ran
    return _compared(before, compiled) == _compared(found.files, compiled)


def _compared(files: tuple[RunFile, ...], compiled: bool) -> tuple[RunFile, ...]:
    """Python's caches change whenever the user runs a script: beside their own it is not told to use them instead."""
    return files if compiled else tuple(file for file in files if file.role != "compiled module")


def _is_untouched_example(simulator: Simulator) -> bool:
    """Exactly the simulator of a bundled example that runs a bundled program."""
    from ...problem.bundled import example_simulators, is_bundled

    return bool(simulator.command) and is_bundled(simulator.command[0]) and simulator in example_simulators()


SINCE = "since this analysis was last set up or run here"
SINCE_AGREED = "since you agreed to run it here"


def changed_words(before: Consent, simulator: Simulator, found: Found) -> str:
    """What differs from what was agreed to, a sentence without its full stop: first what changed outside of Bayescope."""
    return _changed(before.files, found, before.foreign, before.simulator != simulator)


def _changed(before: tuple[RunFile, ...], now: Found, foreign: bool, other_way: bool = False) -> str:
    paths = dict(zip(now.files, now.paths, strict=True))
    return summary(before, now.files, paths, other_way, SINCE_AGREED if foreign else SINCE)
