"""What each headless command does with its arguments. What is heavy is imported when its command runs."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from .exit_status import OK, Failure
from .new_command import say_next
from .terminal import say


def run(arguments: argparse.Namespace) -> int:
    from . import headless

    a = arguments
    options = _pairs("--option", "NAME=VALUE", a.option)
    return headless.run_session(
        a.file, a.evaluations, a.workers, a.trust, a.method, a.confined, a.seed, a.where, a.goal, options, a.in_order
    )


def methods(arguments: argparse.Namespace) -> int:
    from .methods_command import print_methods

    return print_methods(arguments.method, arguments.json)


def test_run(arguments: argparse.Namespace) -> int:
    from . import headless

    at = _pairs("--at", "PARAMETER=VALUE", arguments.at)
    return headless.test_run(arguments.file, arguments.trust, at, arguments.repeat, arguments.where)


def noise_check(arguments: argparse.Namespace) -> int:
    from . import headless

    return headless.noise_check(arguments.file, arguments.runs, arguments.trust, arguments.where)


def replay(arguments: argparse.Namespace) -> int:
    from .replay_command import replay_session

    return replay_session(arguments.file, arguments.runs, arguments.trust, arguments.where)


def again(arguments: argparse.Namespace) -> int:
    from ..session.file import SUFFIX
    from .again_command import ask_again

    problem, new = arguments.problem, arguments.new
    if problem is not None and new is None and problem.suffix == SUFFIX:
        problem, new = None, problem
    return ask_again(arguments.file, problem, new, tuple(arguments.discrepancy), arguments.apart)


def compare(arguments: argparse.Namespace) -> int:
    from . import compare_command

    methods = [m.strip() for m in arguments.methods.split(",") if m.strip() not in ("", "none")]
    return compare_command.compare(arguments.file, arguments.others, methods)


def best_fit(arguments: argparse.Namespace) -> int:
    from .best_fit_command import check_peak, print_best_fit

    if arguments.check and (status := check_peak(arguments.file, arguments.trust)) != OK:
        return status
    return print_best_fit(arguments.file)


def taught(arguments: argparse.Namespace) -> int:
    from .taught_command import print_taught

    return print_taught(arguments.file, arguments.sensitivity)


def failures(arguments: argparse.Namespace) -> int:
    from .failures_command import make_again, print_failures

    return make_again(arguments.file) if arguments.again else print_failures(arguments.file)


def checks(arguments: argparse.Namespace) -> int:
    from .checks_command import print_checks

    return print_checks(arguments.file, [m.strip() for m in arguments.ask.split(",") if m.strip()])


def starts(arguments: argparse.Namespace) -> int:
    from .starts_command import set_starts

    at = _pairs("--at", "PARAMETER=VALUE", arguments.at)
    return set_starts(arguments.file, at, arguments.source, arguments.clear)


def import_earlier(arguments: argparse.Namespace) -> int:
    from .import_archive import import_archive

    pairs = _pairs("--column", "PARAMETER=COLUMN", arguments.column)
    columns = {name: column.strip() for name, column in pairs.items()}
    outputs = {name: column.strip() for name, column in _pairs("--output", "OUTPUT=COLUMN", arguments.output).items()}
    delimiter = {"tab": "\t", "\\t": "\t", "space": " "}.get(arguments.delimiter or "", arguments.delimiter)
    comma = {"yes": True, "no": False}.get(arguments.decimal_comma)
    return import_archive(
        arguments.file, arguments.sources, columns, arguments.value, arguments.meaning, arguments.sd,
        delimiter=delimiter, decimal_comma=comma, inside=arguments.table, outputs=outputs, add=arguments.add,
        dry=arguments.dry_run, check=not arguments.no_check, trust=arguments.trust,
    )  # fmt: skip


def example(arguments: argparse.Namespace) -> int:
    from ..session.store import SUFFIX, SessionStore
    from .headless import example_names, load_example

    if arguments.name is None or arguments.file is None:
        say("Bundled examples: " + ", ".join(example_names()))
        if arguments.name is not None:
            raise Failure(f"name the session to make: bayescope example {arguments.name} NAME{SUFFIX}")
        return OK
    with SessionStore.create(arguments.file, load_example(arguments.name), own=True):
        say_next(arguments.file)
    return OK


def self_test(arguments: argparse.Namespace) -> int:
    from .self_test import self_test as test

    return test()


def recover(arguments: argparse.Namespace) -> int:
    from ..session.salvage import salvage

    say(salvage(arguments.file, arguments.new).words())
    return OK


def support(arguments: argparse.Namespace) -> int:
    from ..report.support import export_support_bundle
    from ..session.store import SessionStore

    with SessionStore.open(arguments.file, mode="read") as store:
        export_support_bundle(arguments.zip, store, with_data=arguments.with_data, replace=arguments.force)
    say(f"Wrote {arguments.zip}. Look into it before you send it to anybody.")
    return OK


def _pairs(option: str, form: str, given: Sequence[str]) -> dict[str, str]:
    """``NAME=TEXT`` of an option that may be repeated, by name. Raises Failure for what has another form."""
    found: dict[str, str] = {}
    for pair in given:
        name, sign, text = pair.partition("=")
        if not sign:
            raise Failure(f"{option} {pair} is not {form}.")
        found[name.strip()] = text
    return found


def nothing(arguments: argparse.Namespace) -> int:
    """Of a command that has commands below it, each with work of its own."""
    return OK
