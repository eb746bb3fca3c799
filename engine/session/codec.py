"""Numbers, arrays and loop states as bytes, and back without ever executing anything.

Arrays are ``.npy`` bytes (format 1.0) of plain bool, integer or float numbers; object arrays are refused both ways.
Nested states are msgpack with arrays as extension type 1 (their ``.npy`` bytes) and big integers as type 2.
Everything is capped, since a session file may come from a stranger.
"""

from __future__ import annotations

import io
import math
import re
import zlib
from functools import lru_cache
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

MAX_ARRAY_BYTES = 512 * 1024 * 1024
MAX_STATE_BYTES = 1024 * 1024 * 1024
MAX_TEXT_BYTES = 64 * 1024 * 1024
_MAX_HEADER = 4096
_ARRAY_EXT = 1
_BIGINT_EXT = 2
_MAGIC = b"\x93NUMPY\x01\x00"
_HEADER = re.compile(
    rb"\{'descr': '([<|][biuf][1248])', 'fortran_order': False, 'shape': \(((?:[0-9]{1,15},? ?)*)\), \} *\n"
)


class CodecError(ValueError):
    """The bytes are not what they should be; the words say how."""


def encode_array(array: NDArray[Any]) -> bytes:
    """``.npy`` bytes of a bool, integer or float array. Raises CodecError for anything else."""
    a = np.asarray(array)
    if a.dtype.kind not in "biuf" or a.dtype.itemsize > 8:
        raise CodecError(f"an array of type {a.dtype} cannot be stored")
    if not a.flags.c_contiguous:
        a = np.array(a, order="C")
    if a.dtype.byteorder == ">":
        a = a.astype(a.dtype.newbyteorder("<"))
    return _npy_header(a.dtype.str, a.shape) + a.tobytes()


@lru_cache(maxsize=256)
def _npy_header(descr: str, shape: tuple[int, ...]) -> bytes:
    buffer = io.BytesIO()
    np.lib.format.write_array_header_1_0(buffer, {"descr": descr, "fortran_order": False, "shape": shape})
    return buffer.getvalue()


@lru_cache(maxsize=256)
def _parse_header(header: bytes) -> tuple[tuple[int, ...], np.dtype[Any]]:
    """Shape and type from the header of ``.npy`` bytes, by a pattern and nothing cleverer: the file may be hostile."""
    found = _HEADER.fullmatch(header[10:])
    if found is None:
        raise CodecError("an array's header is not one of plain numbers in row order")
    try:
        dtype = np.dtype(found[1].decode("ascii"))
    except TypeError as error:
        raise CodecError("an array holds numbers of an unknown kind") from error
    shape = tuple(int(n) for n in found[2].decode("ascii").split(",") if n.strip())
    if len(shape) > 8:
        raise CodecError("an array has too many dimensions")
    return shape, dtype


def decode_array(data: bytes) -> NDArray[Any]:
    """A read-only array from ``.npy`` bytes. Raises CodecError when damaged, oversized or not plain numbers."""
    if not isinstance(data, bytes) or len(data) < 10 or not data.startswith(_MAGIC):
        raise CodecError("an array does not start as it should")
    if len(data) > MAX_ARRAY_BYTES:
        raise CodecError(f"an array of {len(data)} bytes is larger than the limit of {MAX_ARRAY_BYTES}")
    start = 10 + int.from_bytes(data[8:10], "little")
    if start > min(len(data), _MAX_HEADER):
        raise CodecError("an array's header is longer than it may be")
    shape, dtype = _parse_header(data[:start])
    if math.prod(shape) * dtype.itemsize != len(data) - start:
        raise CodecError(f"an array of shape {shape} cannot be made of {len(data) - start} bytes")
    return np.frombuffer(data, dtype=dtype, offset=start).reshape(shape)


def decode_floats(data: bytes, *shape: int | None) -> NDArray[np.float64]:
    """A float64 array whose dimensions must be ``shape`` (None: any). Raises CodecError."""
    array = decode_array(data)
    if array.dtype != np.float64:
        raise CodecError(f"an array holds {array.dtype} where 64-bit numbers are expected")
    if array.ndim != len(shape) or any(
        want is not None and want != got for want, got in zip(shape, array.shape, strict=True)
    ):
        raise CodecError(f"an array has shape {array.shape} where {shape} is expected")
    return array


def decode_number(data: bytes | None) -> float:
    """Of its decimal digits; 0 where there are none, or no number that is finite."""
    try:
        value = float(data or b"0")
    except ValueError:
        return 0.0
    return value if math.isfinite(value) else 0.0


def _to_ext(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return msgspec.msgpack.Ext(_ARRAY_EXT, encode_array(value))
    if isinstance(value, np.bool_):
        return bool(value)
    if isinstance(value, np.integer):
        return int(value)
    if isinstance(value, np.floating):
        return float(value)
    raise CodecError(f"a value of type {type(value).__name__} cannot be stored in a session")


def _from_ext(code: int, data: memoryview) -> Any:
    if code == _ARRAY_EXT:
        return decode_array(bytes(data)).copy()
    if code == _BIGINT_EXT:
        if len(data) > 4096:
            raise CodecError("an integer is longer than it may be")
        return int.from_bytes(bytes(data), "big", signed=True)
    raise CodecError(f"an unknown kind of content ({code})")


_encoder = msgspec.msgpack.Encoder(enc_hook=_to_ext)
_decoder = msgspec.msgpack.Decoder(ext_hook=_from_ext)


def _wrap_big_integers(value: Any) -> Any:
    """msgpack has no integers beyond 64 bits (random generator states have): they travel as an extension."""
    if isinstance(value, bool):
        return value
    if isinstance(value, int) and not -(2**63) <= value < 2**64:
        return msgspec.msgpack.Ext(_BIGINT_EXT, value.to_bytes(value.bit_length() // 8 + 1, "big", signed=True))
    if isinstance(value, dict):
        return {k: _wrap_big_integers(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_wrap_big_integers(v) for v in value]
    return value


def encode_state(state: Any) -> bytes:
    """Nested dicts / lists of plain values and numpy arrays as bytes. Tuples come back as lists. Raises CodecError."""
    try:
        try:
            return _encoder.encode(state)
        except OverflowError:
            return _encoder.encode(_wrap_big_integers(state))
    except (TypeError, RecursionError, OverflowError, msgspec.MsgspecError) as error:
        raise CodecError(f"a state cannot be stored: {error}") from error


def decode_state(data: bytes) -> Any:
    """Back from ``encode_state``; arrays are fresh and writable. Raises CodecError."""
    if len(data) > MAX_STATE_BYTES:
        raise CodecError(f"a state of {len(data)} bytes is larger than the limit of {MAX_STATE_BYTES}")
    try:
        return _decoder.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, ValueError, OverflowError, MemoryError) as error:
        raise CodecError(f"a state cannot be read: {error}") from error


def checksum(*cells: Any) -> int:
    """CRC-32 of one row's cells (None, int, float, str, bytes), so that a flipped bit is seen and not believed."""
    return zlib.crc32(_encoder.encode(cells))
