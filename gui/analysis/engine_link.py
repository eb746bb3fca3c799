"""What the window needs of the client that talks to the engine process."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from PySide6.QtCore import QObject, SignalInstance

from bayescope.engine import protocol

if TYPE_CHECKING:
    from bayescope.engine.problem.definition import Problem
    from bayescope.engine.session.trust.consent import Signed


class EngineLink(Protocol):
    """What ``RunLink`` needs of the client; ``gui/engine_client.EngineClient`` is one, tests may bring another."""

    message: Any  # Signal(object): a protocol.Event
    died: Any  # Signal(str): the process ended without being asked to; words

    def start(self) -> None: ...
    def is_running(self) -> bool: ...
    def send(self, message: protocol.Command) -> None: ...
    def shut_down(self) -> None: ...


def make_client_of_this_program(parent: QObject) -> EngineLink:
    from bayescope.gui.analysis.engine_client import EngineClient

    return EngineClient(parent)


def connect(signal: SignalInstance, slot: Callable[..., None]) -> None:
    """Connect a signal that is known only by protocol."""
    signal.connect(slot)


def what_runs(problem: Problem, folder: Path, signed: Signed, where: str = "") -> dict[str, Any]:
    """The fields of a ``protocol.ProblemRuns``."""
    from bayescope.engine.problem.files import dumps

    consent = {"consent": signed.content, "signature": signed.signature}
    return {"problem_json": dumps(problem), "folder": str(folder), "where": where, **consent}
