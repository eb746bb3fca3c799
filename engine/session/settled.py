"""What a person answered while setting up that is no part of the problem: which guesses stay, what is not needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from ..problem.definition import Output, Prior

if TYPE_CHECKING:
    from .store import SessionStore

_KEY = "settled"
MOST_BYTES = 1_000_000


class Settled(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """``guesses``: priors made from a number in an input file, by parameter; ``agreed``: those of them that stay as they are.
    ``not_needed``: outputs and columns that need be in no comparison; ``kept``: faults of the summaries that were passed over.
    ``steady``: outputs, as they were read then, that were the same in test runs at two points. ``guessed_days``: days 0 (s since
    1970) of dates that were proposed, not said by anybody."""

    guesses: dict[str, Prior] = {}
    agreed: frozenset[str] = frozenset()
    not_needed: frozenset[str] = frozenset()
    kept: frozenset[str] = frozenset()
    steady: tuple[Output, ...] = ()
    guessed_days: frozenset[float] = frozenset()


def settled_of(store: SessionStore) -> Settled:
    """Nothing where none was stored, or it cannot be read: then it is asked again."""
    content = store._meta(_KEY)
    if content is None or len(content) > MOST_BYTES:
        return Settled()
    try:
        return msgspec.json.decode(content, type=Settled)
    except msgspec.MsgspecError:
        return Settled()


def note(store: SessionStore, settled: Settled) -> None:
    """Nothing is written where nothing changed. Raises SessionError."""
    if settled != settled_of(store):
        store._set_meta(**{_KEY: msgspec.json.encode(settled)})
