"""Run settings that were given on the command line, put into the session before its first run."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from ..problem.checks import validate
from ..problem.definition import is_estimate
from ..problem.method_options import OptionError, option_named, record_of
from ..session.store import SessionStore
from .exit_status import Failure

MAX_SEED = 2**32 - 1  # as in a problem's settings


def choose_method(store: SessionStore, method: str) -> None:
    """Another method, as long as nothing has run. Raises Failure or SessionError."""
    from ..methods.loops import METHODS

    settings = store.problem.settings
    if method not in METHODS:
        raise Failure(f"there is no method “{method}”. Methods: {', '.join(METHODS)}.")
    if method != settings.method:
        changed = msgspec.structs.replace(settings, method=method, options={})
        store.save_problem(msgspec.structs.replace(store.problem, settings=changed))


def set_options(store: SessionStore, given: Mapping[str, str]) -> None:
    """Other options of the method, as long as nothing has run. Raises Failure or SessionError."""
    settings = store.problem.settings
    record = record_of(settings.method, is_estimate(store.problem.meaning))
    if record is None:
        raise Failure(f"the options of “{settings.method}”, which does not come with this version, are not known.")
    options = dict(settings.options)
    for name, text in given.items():
        try:
            one = option_named(record, name)
            options.pop(name, None)
            if text.strip():
                options[name] = one.of_text(text, record.METHOD)
        except OptionError as error:
            raise Failure(f"{error} (bayescope methods {settings.method} says what each is.)") from None
    changed = msgspec.structs.replace(settings, options=options)
    store.save_problem(msgspec.structs.replace(store.problem, settings=changed))


def sow(store: SessionStore, seed: int) -> None:
    """Another seed, as long as nothing has run. Raises Failure or SessionError."""
    if seed > MAX_SEED:
        raise Failure(f"the seed {seed} must be between 0 and {MAX_SEED}.")
    settings = store.problem.settings
    if seed != settings.seed:
        store.save_problem(msgspec.structs.replace(store.problem, settings=msgspec.structs.replace(settings, seed=seed)))


def aim(store: SessionStore, goal: str) -> None:
    """What the runs are for; it may change at any time. Raises Failure where the method cannot."""
    wanted = msgspec.structs.replace(store.problem.settings, goal=goal.replace("-", "_"))
    problem = msgspec.structs.replace(store.problem, settings=wanted)
    wrong = [f for f in validate.check(problem, store.path.absolute().parent) if f.where == "settings.goal"]
    if wrong:
        raise Failure(f"{wrong[0].message} {wrong[0].suggestion}")
    store.save_problem(problem)
