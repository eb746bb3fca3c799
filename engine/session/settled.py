"""What a person answered while setting up that is no part of the problem: which guesses stay, what is not needed."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from ..problem.definition import Output, Prior, Problem
from .read_files import ReadFile

if TYPE_CHECKING:
    from .store import SessionStore

_KEY = "settled"
MOST_BYTES = 1_000_000


class TriedOutput(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """``output``: as it was declared when a test run gave ``values`` (None: not a number); ``texts``: of labels."""

    output: Output
    values: tuple[float | None, ...]
    texts: tuple[str, ...] = ()


class Settled(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """``guesses``: priors made from a number in an input file, by parameter, and ``numbers``: these numbers; ``agreed``: those of
    the guesses that stay as they are.
    ``not_needed``: outputs and columns that need be in no comparison; ``kept``: faults of the summaries that were passed over.
    ``steady``: outputs, as they were read then, that were the same in test runs at two points. ``took``: what the newest good
    test run took (s), of the program ``ran``; 0: none was made. ``guessed_days``: days 0 (s since 1970) of dates that were
    proposed, not said by anybody. ``idle``: parameters that were found to change nothing in the outputs, of the program that
    ``idle_of`` is the fingerprint of. ``files``: how those of the measured data were read. ``divided``: columns of errors that
    were divided in the table, by what, and the sum of their numbers since then: with another sum that was taken back.
    ``typed``: what was typed as the prior of a parameter. ``tried``: what the newest test run gave, for as much as is kept of it,
    and ``tried_of``: the command of its program."""

    guesses: dict[str, Prior] = {}
    numbers: dict[str, float] = {}
    agreed: frozenset[str] = frozenset()
    not_needed: frozenset[str] = frozenset()
    kept: frozenset[str] = frozenset()
    steady: tuple[Output, ...] = ()
    took: float = 0.0
    ran: tuple[str, ...] = ()
    guessed_days: frozenset[float] = frozenset()
    idle: tuple[str, ...] = ()
    idle_of: str = ""
    files: tuple[ReadFile, ...] = ()
    divided: dict[str, tuple[float, float]] = {}
    typed: dict[str, str] = {}
    tried: tuple[TriedOutput, ...] = ()
    tried_of: tuple[str, ...] = ()


def program_of(problem: Problem) -> str:
    """A fingerprint of what the program is given, where, and what is read from it; ranges and priors make no difference."""
    given = problem.simulator, problem.outputs, [(p.name, p.fixed) for p in problem.parameters]
    return hashlib.sha256(msgspec.json.encode(given)).hexdigest()


def with_idle(known: Settled, problem: Problem, names: Sequence[str]) -> Settled:
    """``known``, and that these parameters of the program of ``problem`` are without effect; of none: nothing is known of any."""
    return msgspec.structs.replace(known, idle=tuple(names), idle_of=program_of(problem) if names else "")


def idle_in(known: Settled, problem: Problem) -> tuple[str, ...]:
    """Parameters without effect, as the program of ``problem`` is declared now."""
    return known.idle if known.idle and known.idle_of == program_of(problem) else ()


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
