"""Which parameters decide what, which data taught it, what to measure next: worked out by the engine, kept in the session."""

from __future__ import annotations

import math
from typing import Annotated, Literal

import msgspec

from ..session.codec import CodecError
from ..session.errors import DamagedSession
from ..session.file import storable
from ..session.store import SessionStore

MAX_BYTES = 4 * 1024 * 1024
_KEY = "sensitivity"
_Name = Annotated[str, msgspec.Meta(max_length=1000)]
_Text = Annotated[str, msgspec.Meta(max_length=4000)]
Finite = Annotated[float, msgspec.Meta(ge=-1e300, le=1e300)]
Range = tuple[Finite, Finite, Finite]  # value, low and high end of 90 %
Over = Literal["prior", "posterior"]
Kind = Literal["output", "log density"]
LOG_DENSITY = "log density"


class Indices(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Of one quantity: an output's values together, one of them (``row`` from 1), or the log density.

    ``first`` and ``total``: one of each parameter. ``known``: the share of the variance between parameter values that is not
    the surrogate's own doubt. ``sd``: of the quantity, root mean square over its values, in its unit.
    """

    name: _Name
    kind: Kind
    over: Over
    first: tuple[Range, ...]
    total: tuple[Range, ...]
    known: Finite
    sd: Finite
    row: int = 0
    place: _Name = ""  # of the row, in words


class DataPart(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Measured values taken out together. ``bits``: what they add to the others (Kullback-Leibler divergence of the posterior
    from that without them). ``widening``: sd of each parameter without them / with them; ``share``: of what is known of each
    parameter beyond the prior (precision), None where that is nothing; ``shift``: of each mean without them, in its sd with them.

    ``pareto_k``: of the weights that take them out; ``how``: by those weights, by new draws where they fail, or not at all.
    ``bounded``: without them the posterior reaches where the outputs are not known: figures are lower bounds.
    """

    title: _Name
    column: _Name
    bits: Finite
    widening: tuple[Finite, ...]
    share: tuple[Finite | None, ...]
    shift: tuple[Finite, ...]
    pareto_k: Finite | None
    how: Literal["weights", "draws", "failed"]
    bounded: bool = False
    whole: bool = False  # all values of a column that also has parts
    led_back: bool = False  # new draws that gave the answer again; those of earlier versions could lose a mode


class NextMeasurement(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One more measured value. ``bits``: information on the parameters that is expected of it (Lindley 1956), ``bits_sd``: error
    of that. ``times``: how many times smaller the sd of each parameter is expected to be."""

    title: _Name
    column: _Name
    row: int  # from 1; 0: between two rows
    bits: Finite
    bits_sd: Finite
    times: tuple[Finite, ...]


class Sensitivity(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """``iteration``: of the answer it belongs to. ``plausible``: parameters whose plausible range stood for their prior.
    ``interval``: what the intervals of indices cover. ``notes``: what was not worked out, and why."""

    iteration: int
    parameters: tuple[_Name, ...]
    indices: Annotated[tuple[Indices, ...], msgspec.Meta(max_length=1000)] = ()
    parts: Annotated[tuple[DataPart, ...], msgspec.Meta(max_length=200)] = ()
    next: Annotated[tuple[NextMeasurement, ...], msgspec.Meta(max_length=500)] = ()
    plausible: tuple[_Name, ...] = ()
    interval: _Text = ""
    notes: Annotated[tuple[_Text, ...], msgspec.Meta(max_length=20)] = ()
    seconds: Finite = 0.0
    at: Finite = 0.0


_decoder = msgspec.json.Decoder(Sensitivity)


def sensitivity_of(data: bytes) -> Sensitivity:
    """Raises CodecError."""
    if len(data) > MAX_BYTES:
        raise CodecError("the record of sensitivities is too long")
    try:
        found = _decoder.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise CodecError(f"the record of sensitivities cannot be read: {error}") from error
    d = len(found.parameters)
    lengths = {len(x) for i in found.indices for x in (i.first, i.total)} | {len(n.times) for n in found.next}
    lengths |= {len(x) for p in found.parts for x in (p.widening, p.share, p.shift)}
    if lengths - {d}:
        raise CodecError("the record of sensitivities does not fit its own parameters")
    return found


def stored_sensitivity(store: SessionStore) -> Sensitivity | None:
    """Of the newest answer; None where it was not worked out, or in a way that could lose a mode (then it is to be worked out
    again), or cannot be read (see ``store.damage``)."""
    try:
        data = store._meta(_KEY)
        found = None if data is None else sensitivity_of(data)
    except (CodecError, DamagedSession) as error:
        store.damage.append(f"The record of sensitivities was left out: {error}")
        return None
    record = store.last_iteration()
    if found is None or record is None or found.iteration != record.iteration:
        return None
    return None if any(p.how == "draws" and not p.led_back for p in found.parts) else found


def save_sensitivity(store: SessionStore, made: Sensitivity) -> None:
    """In place of an earlier one. Raises SessionError."""
    with storable(store.path):
        data = msgspec.json.encode(made)
        sensitivity_of(data)
    store._set_meta(**{_KEY: data})


def finite(value: float, instead: float = 0.0) -> float:
    return float(value) if math.isfinite(value) else instead
