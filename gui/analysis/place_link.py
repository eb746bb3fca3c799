"""The test of a place by the engine process, as the window follows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from bayescope.engine import protocol

if TYPE_CHECKING:
    from bayescope.engine.session.profiles import Profile


class PlaceLink(QObject):
    """``running``: a place is being tried."""

    stage = Signal(str)  # what becomes of a test run at a place, in words
    step = Signal(object)  # protocol.PlaceStep
    done = Signal(bool)  # whether a job went all the way

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.running = False

    def begin(self, profile: Profile) -> protocol.TestPlace:
        """The command for the engine."""
        import msgspec

        self.running = True
        return protocol.TestPlace(profile_json=msgspec.json.encode(profile))

    def take(self, message: protocol.PlaceStep | protocol.PlaceTested | protocol.TrialStage) -> None:
        """A message of the engine."""
        if isinstance(message, protocol.TrialStage):
            self.stage.emit(message.words)
        elif isinstance(message, protocol.PlaceStep):
            self.step.emit(message)
        else:
            self.running = False
            self.done.emit(message.good)

    def lost(self, words: str) -> None:
        """The engine died."""
        if self.running:
            self.take(protocol.PlaceStep(step="test", good=False, words=words))
            self.take(protocol.PlaceTested(good=False))
