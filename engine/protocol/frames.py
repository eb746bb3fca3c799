"""Messages as frames: a 4-byte big-endian length, then a msgpack Envelope; the length is capped."""

from __future__ import annotations

import struct

import msgspec

from .commands import Command
from .events import Event

PROTOCOL_VERSION = 2
MAX_FRAME_BYTES = 64 * 1024 * 1024


class Envelope(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``run_id`` tells runs apart (frames of an older run are dropped); ``sequence`` counts up from 0 per process."""

    version: int
    run_id: str
    sequence: int
    message: Command | Event


class ProtocolError(Exception):
    """The stream is damaged; the words say how."""


_HEADER = struct.Struct(">I")
_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(Envelope)


def encode_frame(message: Command | Event, run_id: str, sequence: int) -> bytes:
    """One frame. Raises ProtocolError if it would exceed MAX_FRAME_BYTES."""
    body = _encoder.encode(Envelope(PROTOCOL_VERSION, run_id, sequence, message))
    if len(body) > MAX_FRAME_BYTES:
        raise ProtocolError(f"a message of {len(body)} bytes is larger than the limit of {MAX_FRAME_BYTES}")
    return _HEADER.pack(len(body)) + body


class FrameReader:
    """Cuts a byte stream into envelopes: ``feed`` bytes, get whole messages; half frames wait for the rest."""

    def __init__(self, max_bytes: int = MAX_FRAME_BYTES) -> None:
        self._buffer = bytearray()
        self._max = max_bytes

    def feed(self, data: bytes) -> list[Envelope]:
        """Envelopes completed by ``data``. Raises ProtocolError on a bad length, content or version."""
        self._buffer += data
        found: list[Envelope] = []
        start = 0
        while len(self._buffer) - start >= _HEADER.size:
            (length,) = _HEADER.unpack_from(self._buffer, start)
            if length > self._max:
                raise ProtocolError(f"a message claims {length} bytes, more than the limit of {self._max}")
            end = start + _HEADER.size + length
            if len(self._buffer) < end:
                break
            body = bytes(memoryview(self._buffer)[start + _HEADER.size : end])
            try:
                envelope = _decoder.decode(body)
            except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
                raise ProtocolError(f"a message could not be understood: {error}") from error
            if envelope.version != PROTOCOL_VERSION:
                raise ProtocolError(f"protocol version {envelope.version} is not {PROTOCOL_VERSION}")
            found.append(envelope)
            start = end
        del self._buffer[:start]
        return found
