"""Records to table rows and back, every cell checked: a session file may be damaged or come from a stranger."""

from __future__ import annotations

import math
from typing import Any, TypeVar

import msgspec
import numpy as np

from ..problem.definition import Problem
from . import codec
from .codec import CodecError
from .records import ArchiveRecord, AskRecord, EvaluationRecord, IterationRecord
from .replayed import MAX_BYTES, Replay
from .schema import EVALUATION_COLUMNS
from .watched import Watched

_BULKY = ("draws", "draw_weights", "slices")
_values_decoder = msgspec.json.Decoder(dict[str, float])
_problem_decoder = msgspec.json.Decoder(Problem)
_replay_decoder = msgspec.json.Decoder(Replay)
_watched_decoder = msgspec.json.Decoder(Watched)
_arrived_decoder = msgspec.msgpack.Decoder(list[tuple[Any, ...]])
_Record = TypeVar("_Record")


def _number(value: Any, what: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise CodecError(f"{what} is not a number")
    return float(value)


def _optional(value: Any, what: str) -> float | None:
    return None if value is None else _number(value, what)


def _count(value: Any, what: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**53:
        raise CodecError(f"{what} is not a whole number from 0")
    return value


def _text(value: Any, what: str) -> str:
    if not isinstance(value, str) or len(value) > codec.MAX_TEXT_BYTES:
        raise CodecError(f"{what} is not a text")
    return value


def _sealed(cells: tuple[Any, ...]) -> tuple[Any, ...]:
    return (*cells, codec.checksum(*cells))


def _opened(row: tuple[Any, ...], what: str) -> tuple[Any, ...]:
    *cells, crc = row
    try:
        good = crc == codec.checksum(*cells)
    except (CodecError, TypeError, OverflowError, msgspec.MsgspecError):
        good = False
    if not good:
        raise CodecError(f"{what} does not agree with its checksum")
    return tuple(cells)


def problem_bytes(problem: Problem) -> bytes:
    """JSON of a problem that reads back as the same problem. Raises CodecError (an infinity or NaN has no JSON)."""
    data = msgspec.json.encode(problem)
    if problem_of(data) != problem:
        raise CodecError("the problem holds a number that a file cannot hold (an infinity or not-a-number)")
    return data


def problem_of(data: bytes) -> Problem:
    return _of_json(data, _problem_decoder, codec.MAX_TEXT_BYTES, "the problem")


def replay_bytes(replay: Replay) -> bytes:
    """JSON of the record of a replay that reads back as the same. Raises CodecError."""
    data = msgspec.json.encode(replay)
    if replay_of(data) != replay:
        raise CodecError("the record of the runs made again holds a number that a file cannot hold")
    return data


def replay_of(data: bytes) -> Replay:
    return _of_json(data, _replay_decoder, MAX_BYTES, "the record of the runs made again")


def watched_of(data: bytes) -> Watched:
    """Raises CodecError."""
    return _of_json(data, _watched_decoder, codec.MAX_TEXT_BYTES, "what is watched")


def _of_json(data: bytes, decoder: msgspec.json.Decoder[_Record], most: int, what: str) -> _Record:
    """At most so many bytes. Raises CodecError, in which the record is called ``what``."""
    if len(data) > most:
        raise CodecError(f"{what} is larger than it may be")
    try:
        return decoder.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, ValueError) as error:
        raise CodecError(f"{what} cannot be read: {error}") from error


def archive_row(archive: ArchiveRecord, number: int = 1) -> tuple[Any, ...]:
    arrays = [codec.encode_array(np.asarray(a, float)) for a in (archive.points, archive.values, archive.sds)]
    names, notes = (msgspec.json.encode(t).decode() for t in (archive.names, archive.notes))
    return _sealed((int(number), names, archive.meaning, *arrays, archive.source, notes))


def archive_of(row: tuple[Any, ...]) -> ArchiveRecord:
    _, names, meaning, points, values, sds, source, notes = _opened(row, "the archive of imported evaluations")
    try:
        called = msgspec.json.decode(_text(names, "the names"), type=tuple[str, ...])
        said = msgspec.json.decode(_text(notes, "the notes"), type=tuple[str, ...])
    except msgspec.MsgspecError as error:
        raise CodecError(f"the archive of imported evaluations cannot be read: {error}") from error
    if meaning not in ("log_likelihood", "log_posterior"):
        raise CodecError("the archive's values have no known meaning")
    places = codec.decode_floats(points, None, len(called))
    n = len(places)
    return ArchiveRecord(
        called, places, codec.decode_floats(values, n), codec.decode_floats(sds, n), meaning, _text(source, "the source"), said
    )


def ask_row(ask: AskRecord) -> tuple[Any, ...]:
    return _sealed((int(ask.index), codec.encode_array(np.asarray(ask.u, float)), int(ask.told_before), ask.purpose))


def ask_of(row: tuple[Any, ...]) -> AskRecord:
    index, u, told, purpose = _opened(row, "a planned run")
    return AskRecord(
        _count(index, "index"), codec.decode_floats(u, None), _count(told, "told_before"), _text(purpose, "purpose")
    )


def evaluation_row(e: EvaluationRecord) -> tuple[Any, ...]:
    outputs = codec.encode_state({name: np.asarray(values) for name, values in e.outputs.items()})

    def plain(value: float | None) -> float | None:  # SQLite makes NaN NULL and -0.0 0.0: done before the checksum
        return None if value is None or math.isnan(value) else float(value) + 0.0

    return _sealed(
        (
            int(e.index),
            int(e.order),
            codec.encode_array(np.asarray(e.u, float)),
            msgspec.json.encode(e.values).decode(),
            e.outcome,
            plain(e.log_likelihood),
            plain(e.log_prior),
            plain(e.log_target),
            float(e.noise_sd) + 0.0,
            float(e.duration_s) + 0.0,
            float(e.started_at) + 0.0,
            e.reason.encode("utf-8", "replace").decode(),
            e.run_folder,
            outputs,
            e.purpose,
        )
    )


def evaluation_of(row: tuple[Any, ...]) -> EvaluationRecord:
    """Raises CodecError, in words, when any cell is not what it should be."""
    what = "a run"
    (index, order, u, values, outcome, log_likelihood, log_prior, log_target, noise_sd, duration, started, reason, folder,
     outputs, purpose) = _opened(row, what)  # fmt: skip
    if outcome not in ("ok", "failed", "impossible"):
        raise CodecError(f"{what} has the unknown outcome {outcome!r}")
    try:
        named = _values_decoder.decode(_text(values, "values"))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise CodecError(f"{what} has unreadable values") from error
    read = codec.decode_state(outputs)
    if not isinstance(read, dict) or not all(isinstance(v, np.ndarray) for v in read.values()):
        raise CodecError(f"{what} has unreadable outputs")
    target = _optional(log_target, "log_target")
    if (outcome == "ok") != (target is not None and math.isfinite(target)):
        raise CodecError(f"{what} has outcome {outcome!r} but log density {target}")
    prior = _optional(log_prior, "log_prior")
    return EvaluationRecord(
        index=_count(index, "index"),
        order=_count(order, "order"),
        u=codec.decode_floats(u, None),
        values=named,
        outcome=outcome,
        log_likelihood=_optional(log_likelihood, "log_likelihood"),
        log_prior=math.nan if prior is None else prior,
        log_target=target,
        noise_sd=_number(noise_sd, "noise_sd"),
        duration_s=_number(duration, "duration"),
        started_at=_number(started, "start"),
        reason=_text(reason, "reason"),
        run_folder=_text(folder, "run folder"),
        outputs=read,
        purpose=_text(purpose, "purpose"),
    )


def packed(evaluations: list[tuple[Any, ...]]) -> bytes:
    """Rows of evaluations as one cell."""
    return msgspec.msgpack.encode(evaluations)


def unpacked(content: bytes | None) -> list[tuple[Any, ...]]:
    """Raises CodecError."""
    if not content:
        return []
    if len(content) > codec.MAX_STATE_BYTES:
        raise CodecError("the runs that wait are larger than they may be")
    try:
        found = _arrived_decoder.decode(content)
    except (msgspec.MsgspecError, RecursionError, ValueError) as error:
        raise CodecError(f"the runs that wait cannot be read: {error}") from error
    if any(len(row) != len(EVALUATION_COLUMNS) + 1 for row in found):
        raise CodecError("the runs that wait cannot be read: one has other columns")
    return found


def iteration_row(r: IterationRecord) -> tuple[Any, ...]:
    answer = {f: getattr(r, f) for f in r.__dataclass_fields__ if f not in _BULKY}
    for name in ("weights", "means", "covariances"):
        answer[name] = np.asarray(answer[name], dtype=np.float64)
    answer["reasons"] = list(r.reasons)
    bulky = None
    if r.draws is not None or r.slices:
        bulky = codec.encode_state({f: getattr(r, f) for f in _BULKY})
    cells = (int(r.iteration), int(r.n_evaluations), codec.encode_state(answer))
    return (*cells, bulky, codec.checksum(*cells))


def _floats(value: Any, shape: tuple[int | None, ...], what: str) -> Any:
    if not isinstance(value, np.ndarray) or value.dtype != np.float64 or value.ndim != len(shape):
        raise CodecError(f"{what} is not an array as expected")
    if any(want is not None and want != got for want, got in zip(shape, value.shape, strict=True)):
        raise CodecError(f"{what} has shape {value.shape}, not {shape}")
    return value


def iteration_of(row: tuple[Any, ...]) -> IterationRecord:
    """``row``: iteration, n_evaluations, answer, bulky, crc. ``bulky`` is outside the checksum: it is pruned later."""
    iteration, n, answer, bulky, crc = row
    _opened((iteration, n, answer, crc), "an iteration")
    content = codec.decode_state(answer)
    if not isinstance(content, dict) or set(content) != set(IterationRecord.__dataclass_fields__) - set(_BULKY):
        raise CodecError("an iteration has unknown contents")
    weights = _floats(content["weights"], (None,), "weights")
    means = _floats(content["means"], (len(weights), None), "means")
    d = means.shape[1]
    _floats(content["covariances"], (len(weights), d, d), "covariances")
    content["reasons"] = tuple(_text(t, "reason") for t in content["reasons"])
    for name in ("elbo", "elbo_sd", "log_evidence", "log_evidence_sd", "elapsed_s", "created_at"):
        content[name] = _number(content[name], name)
    if not isinstance(content["diagnostics"], dict):
        raise CodecError("an iteration has unreadable diagnostics")
    if bulky is not None:
        content |= _bulky_of(bulky, d)
    return IterationRecord(**content)


def _bulky_of(data: bytes, d: int) -> dict[str, Any]:
    bulky = codec.decode_state(data)
    if not isinstance(bulky, dict) or set(bulky) != set(_BULKY) or not isinstance(bulky["slices"], dict):
        raise CodecError("an iteration has unknown contents")
    if bulky["draws"] is not None:
        _floats(bulky["draws"], (None, d), "draws")
        if bulky["draw_weights"] is not None:
            _floats(bulky["draw_weights"], (len(bulky["draws"]),), "draw weights")
    for name, array in bulky["slices"].items():
        if not isinstance(array, np.ndarray):
            raise CodecError(f"slice {name!r} is not an array")
    return bulky
