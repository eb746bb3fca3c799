"""The engine process seen from the window: starting it, frames in and out, and what state it is in.

The engine is this same program with ``--engine``, so it works from source and frozen. Frames are decoded in the slot that Qt
calls, never more than a few milliseconds per turn of the event loop, and of snapshots and progress only the newest of a turn is
passed on; so even an engine that floods its pipe leaves the window responsive.
"""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from typing import Literal, get_args

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, QTimer, Signal

from bayescope.engine import protocol
from bayescope.engine.machine.frozen import this_program
from bayescope.engine.session import adoption, orphans

TURN_SECONDS = 0.008  # decoding and slots per turn of the event loop
CHUNK_BYTES = 32 * 1024
MAX_BACKLOG_BYTES = 256 * 1024 * 1024
MISSED_HEARTBEATS = 10  # so many ticks without any frame: not responding
QUIT_MS, TERMINATE_MS = 4000, 1500  # patience before the next harder step
_STDERR_KEPT = 4000
_EVENTS = get_args(protocol.Event)
_COALESCED = (protocol.SnapshotReady, protocol.Progress, protocol.Heartbeat)

EngineState = Literal["off", "starting", "ready", "busy", "not responding", "gone"]


def engine_command() -> list[str]:
    """Program and arguments that start the engine."""
    return [*this_program(), "--engine"]


class EngineClient(QObject):
    """One engine at a time; ``start`` after ``died`` starts a fresh one.

    ``message``: a protocol.Event. ``died``: the engine ended without being asked to; a sentence.
    ``state_changed``: an EngineState, "busy" and "not responding" told apart by heartbeats.
    """

    message = Signal(object)
    died = Signal(str)
    state_changed = Signal(str)

    def __init__(self, parent: QObject | None = None, command: list[str] | None = None) -> None:
        super().__init__(parent)
        self._command = command or engine_command()
        self._process: QProcess | None = None
        self._id = ""
        self._reader = protocol.FrameReader()
        self._backlog: deque[bytes] = deque()
        self._backlog_bytes = 0
        self._sent = 0
        self._heard = -1  # sequence number of the last frame
        self._stderr = b""
        self._asked_to_end = False
        self._broken = ""  # a sentence, once the stream cannot be trusted any more
        self._terminated = False
        self._missed = 0
        self._state: EngineState = "off"
        self._again = QTimer(self, singleShot=True, interval=0)
        self._again.timeout.connect(self._work_off)
        self._watch = QTimer(self, interval=int(1000 * protocol.HEARTBEAT_SECONDS))
        self._watch.timeout.connect(self._tick)
        self._harder = QTimer(self, singleShot=True)
        self._harder.timeout.connect(self._end_harder)
        adoption.become_subreaper()

    # ---------------------------------------------------------------- commands

    @property
    def state(self) -> EngineState:
        return self._state

    @property
    def process_id(self) -> int:
        """0 when no engine runs."""
        return int(self._process.processId()) if self._process is not None else 0

    def is_running(self) -> bool:
        return self._process is not None

    def start(self) -> None:
        """Start an engine unless one runs."""
        if self._process is not None:
            return
        self._id = orphans.new_engine_id()
        self._reader = protocol.FrameReader()
        self._backlog.clear()
        self._backlog_bytes = self._sent = self._missed = 0
        self._heard, self._stderr, self._broken, self._asked_to_end = -1, b"", "", False
        self._terminated = False
        process = QProcess(self)
        environment = QProcessEnvironment.systemEnvironment()
        environment.insert(orphans.ENGINE_VARIABLE, self._id)
        process.setProcessEnvironment(environment)
        process.setProgram(self._command[0])
        process.setArguments(self._command[1:])
        process.readyReadStandardOutput.connect(self._read)
        process.readyReadStandardError.connect(self._read_stderr)
        process.finished.connect(self._on_finished)
        process.errorOccurred.connect(self._on_error)
        self._process = process
        self._set_state("starting")
        process.start()
        self._watch.start()

    def send(self, command: protocol.Command) -> None:
        """Send a command; nothing happens when no engine runs (``died`` has said so). Never blocks."""
        if self._process is None:
            return
        self._process.write(protocol.encode_frame(command, self._id, self._sent))
        self._sent += 1

    def end(self) -> None:
        """Ask the engine to end; if it does not, end it by force. Returns at once."""
        if self._process is None or self._asked_to_end:
            return
        self.send(protocol.Quit())
        self._asked_to_end = True
        self._process.closeWriteChannel()
        self._harder.start(QUIT_MS)

    def kill(self) -> None:
        """End the engine and its simulators now. What it had committed is safe."""
        if self._process is not None:
            self._process.kill()

    def shut_down(self) -> None:
        """End the engine and wait for it (a few seconds at most): for closing the window."""
        process = self._process
        if process is None:
            return
        self.end()
        self._harder.stop()
        if not process.waitForFinished(QUIT_MS):
            process.terminate()
            if not process.waitForFinished(TERMINATE_MS):
                process.kill()
                process.waitForFinished(TERMINATE_MS)
        if self._process is process:  # finished() may not have been delivered yet
            self._forget()
        orphans.end_tagged(self._id, seconds=2.0)

    def _end_harder(self) -> None:
        if self._process is None:
            return
        if not self._terminated:
            self._terminated = True
            self._process.terminate()
            self._harder.start(TERMINATE_MS)
        else:
            self._process.kill()

    # ---------------------------------------------------------------- frames

    def _read(self) -> None:
        if self._process is None:
            return
        data = bytes(self._process.readAllStandardOutput().data())
        if self._broken:
            return
        self._backlog.extend(data[k : k + CHUNK_BYTES] for k in range(0, len(data), CHUNK_BYTES))
        self._backlog_bytes += len(data)
        if self._backlog_bytes > MAX_BACKLOG_BYTES:
            self._break("it sent more than the window could take in")
        elif not self._again.isActive():
            self._work_off()

    def _work_off(self) -> None:
        """Decode for a few milliseconds, pass on what came, and come back later for the rest."""
        began = time.perf_counter()
        found: list[protocol.Envelope] = []
        while self._backlog and not self._broken:
            chunk = self._backlog.popleft()
            self._backlog_bytes -= len(chunk)
            try:
                found += self._reader.feed(chunk)
            except protocol.ProtocolError as error:
                self._break(str(error))
            if time.perf_counter() - began > TURN_SECONDS / 2:
                break
        newest: dict[type, int] = {type(e.message): e.sequence for e in found if isinstance(e.message, _COALESCED)}
        for envelope in found:
            if not self._accept(envelope):
                return
            message = envelope.message
            if newest.get(type(message), envelope.sequence) == envelope.sequence:
                self.message.emit(message)
        if self._backlog:
            self._again.start()

    def _accept(self, envelope: protocol.Envelope) -> bool:
        """Only events of this engine, in order; anything else means that the stream cannot be trusted."""
        if self._broken or self._process is None:
            return False
        if envelope.run_id != self._id or not isinstance(envelope.message, _EVENTS):
            self._break("it sent a message that does not belong here")
            return False
        if envelope.sequence <= self._heard:
            self._break("its messages came out of order")
            return False
        self._heard = envelope.sequence
        self._missed = 0
        message = envelope.message
        if isinstance(message, protocol.Hello):
            self._set_state("ready")
        elif isinstance(message, protocol.Heartbeat):
            self._set_state("busy" if message.activity else "ready")
        elif self._state == "not responding":
            self._set_state("ready")
        return True

    def _break(self, words: str) -> None:
        if not self._broken:
            self._broken = words
            self._backlog.clear()
            self._backlog_bytes = 0
            self.kill()

    # ---------------------------------------------------------------- its state

    def _tick(self) -> None:
        """Counted in ticks of our own timer: after a sleep of the computer, or a busy window, the engine is not blamed."""
        adoption.reap_adopted(keep=(self.process_id,))
        if self._state in ("ready", "busy"):
            self._missed += 1
            if self._missed > MISSED_HEARTBEATS:
                self._set_state("not responding")

    def _read_stderr(self) -> None:
        if self._process is not None:
            self._stderr = (self._stderr + bytes(self._process.readAllStandardError().data()))[-_STDERR_KEPT:]

    def _on_error(self, error: QProcess.ProcessError) -> None:
        if error == QProcess.ProcessError.FailedToStart and self._process is not None:
            words = f"The engine could not be started ({self._process.errorString()}). Program: {self._command[0]}."
            self._forget()
            self.died.emit(words)

    def _on_finished(self, code: int, status: QProcess.ExitStatus) -> None:
        if self._process is None:
            return
        self._read()
        while self._backlog and not self._broken:  # the last words of an engine that ended in good order
            self._work_off()
        self._read_stderr()
        asked, words = self._asked_to_end, self._words(code, status)
        self._forget()
        # Its simulators may outlive a killed engine for a moment; sweeping takes milliseconds but is no work for this thread.
        try:
            threading.Thread(target=orphans.end_tagged, args=(self._id,), daemon=True).start()
        except RuntimeError:  # no room for another thread
            orphans.end_tagged(self._id)
        if not asked:
            self.died.emit(words)

    def _forget(self) -> None:
        process, self._process = self._process, None
        self._watch.stop()
        self._again.stop()
        self._harder.stop()
        if process is not None:
            process.deleteLater()
        self._set_state("off" if self._asked_to_end else "gone")

    def _words(self, code: int, status: QProcess.ExitStatus) -> str:
        safe = "Every finished run is saved; the analysis can be resumed from there."
        if self._broken:
            return f"The engine was stopped because {self._broken}. {safe}"
        if status == QProcess.ExitStatus.CrashExit:
            how = f"it was ended by signal {code}" if os.name == "posix" else "it crashed"
            hint = " This also happens when the computer's memory is full." if code == 9 else ""
            return f"The engine stopped unexpectedly: {how}.{hint} {safe}"
        last = [line for line in self._stderr.decode("utf-8", "replace").splitlines() if line.strip()]
        because = f" Its last words were: {last[-1].strip()[:300]}." if last else ""
        return f"The engine ended unexpectedly with status {code}.{because} {safe}"

    def _set_state(self, state: EngineState) -> None:
        if state != self._state:
            self._state = state
            self.state_changed.emit(state)
