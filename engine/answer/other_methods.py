"""What other methods made of the runs of an analysis, kept in the session as JSON: numbers and words, not their draws."""

from __future__ import annotations

from typing import Annotated

import msgspec

from ..session.codec import CodecError
from ..session.errors import DamagedSession
from ..session.file import storable
from ..session.store import SessionStore

MOST = 20  # records kept; there are fewer methods
MAX_BYTES = 256 * 1024
_KEY = "compared"
_Text = Annotated[str, msgspec.Meta(max_length=4000)]


class OtherMethod(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One method. ``iteration``: of the answer it stands beside; ``distance``: mean marginal total variation from it; None: its
    marginals are not known. ``two_sample``: share of draws that a classifier assigns to the right one of the two, and its
    standard error. ``trusted``: its own checks are passed."""

    method: Annotated[str, msgspec.Meta(max_length=40)]
    name: Annotated[str, msgspec.Meta(max_length=80)]
    iteration: int
    evaluations: Annotated[int, msgspec.Meta(ge=0)]
    log_evidence: float | None
    log_evidence_sd: float | None
    trusted: bool
    reasons: Annotated[tuple[_Text, ...], msgspec.Meta(max_length=20)] = ()
    distance: float | None = None
    two_sample: tuple[float, float] | None = None
    moments: dict[str, tuple[float, float]] = {}  # mean and standard deviation of each parameter, in its unit
    seconds: float = 0.0
    at: float = 0.0


_decoder = msgspec.json.Decoder(tuple[OtherMethod, ...])


def other_methods_of(data: bytes) -> tuple[OtherMethod, ...]:
    """Raises CodecError."""
    if len(data) > MAX_BYTES:
        raise CodecError("the record of other methods is too long")
    try:
        return _decoder.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise CodecError(f"the record of other methods cannot be read: {error}") from error


def stored_methods(store: SessionStore) -> tuple[OtherMethod, ...]:
    """Of the newest answer, in the order they were asked for; none where the record cannot be read (see ``store.damage``)."""
    try:
        data = store._meta(_KEY)
        found = () if data is None else other_methods_of(data)
    except (CodecError, DamagedSession) as error:
        store.damage.append(f"The record of other methods was left out: {error}")
        return ()
    record = store.last_iteration()
    return tuple(c for c in found if record is not None and c.iteration == record.iteration)


def save_method(store: SessionStore, made: OtherMethod) -> None:
    """In place of an earlier one of the same method. Raises SessionError."""
    others = [c for c in stored_methods(store) if c.method != made.method]
    with storable(store.path):
        data = msgspec.json.encode([*others, made][-MOST:])
        other_methods_of(data)
    store._set_meta(**{_KEY: data})
