"""The headless commands. Imports at the top are light: ``--help`` and ``--engine`` must not wait for torch or numpy."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from .terminal import say, warn

if TYPE_CHECKING:
    from ..problem.definition import Problem

COMMANDS = {
    "run",
    "new",
    "test-run",
    "noise-check",
    "replay",
    "export",
    "compare",
    "import",
    "example",
    "self-test",
    "recover",
    "support",
    "--engine",
    "--guard-simulators",
    "--confine",
}
OK, FAILED, USAGE, INTERRUPTED = 0, 1, 2, 130


class Failure(Exception):
    """Ends a command with a sentence and exit status 1."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit status. Errors are sentences on stderr, never a traceback."""
    given = list(sys.argv[1:] if argv is None else argv)
    if given[:1] == ["--engine"]:
        from .worker import main as engine

        return engine()
    if given[:1] == ["--guard-simulators"]:
        from ..session.orphans import guard

        guard()
        return OK
    if given[:1] == ["--confine"]:
        from ..simulator.landlock import main as confine

        confine(given[1:])
    parser = _parser()
    try:
        arguments = parser.parse_args(given)
    except SystemExit as end:  # argparse has said why
        return int(end.code or 0)
    if getattr(arguments, "work", None) is None:
        parser.print_help()
        return OK
    return _guarded(arguments.work, arguments)


def _guarded(work: Callable[[argparse.Namespace], int], arguments: argparse.Namespace) -> int:
    from ..problem.errors import ProblemError
    from ..session.errors import SessionError

    try:
        return work(arguments)
    except (Failure, SessionError, ProblemError) as error:
        warn(f"bayescope: {error}")
        return FAILED
    except KeyboardInterrupt:
        warn("bayescope: interrupted.")
        return INTERRUPTED
    except BrokenPipeError:
        return FAILED
    except Exception as error:
        warn(f"bayescope: something unexpected went wrong ({type(error).__name__}: {error}). Details: {_log_fault()}")
        return FAILED


def _log_fault() -> str:
    """Write the traceback to the log folder; where it is, in words."""
    import time
    import traceback

    from ..session.places import logs_folder

    path = logs_folder() / "command.log"
    try:
        with path.open("a", encoding="utf-8") as file:
            file.write(f"{time.strftime('%Y-%m-%d %H:%M:%S')} {sys.argv[1:]}\n{traceback.format_exc()}\n")
    except OSError:
        return "they could not be written to the log folder."
    return f"{path}."


def _count(text: str) -> int:
    value = _integer(text)
    if value < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return value


def _whole(text: str) -> int:
    value = _integer(text)
    if value < 0:
        raise argparse.ArgumentTypeError("must be 0 or more")
    return value


def _integer(text: str) -> int:
    from ..problem.number_text import NumberError, whole

    try:
        return whole(text)
    except NumberError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _parser() -> argparse.ArgumentParser:
    from importlib import metadata

    from ..session.replayed import USUAL

    parser = argparse.ArgumentParser(
        prog="bayescope",
        description="Posterior distributions from expensive simulators. Without a command the window opens.",
    )
    try:
        version = metadata.version("bayescope")
    except metadata.PackageNotFoundError:
        version = "unknown"
    parser.add_argument("--version", "-V", action="version", version=f"bayescope {version}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")

    def command(name: str, words: str, work: Callable[[argparse.Namespace], int]) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=words, description=words)
        added.set_defaults(work=work)
        return added

    run = command("run", "Start or resume the analysis in a session file.", _run)
    run.add_argument("file", type=Path, metavar="FILE.bayescope")
    run.add_argument(
        "--runs", "--evaluations", dest="evaluations", type=_whole, metavar="N",
        help="budget of simulator runs, those already done included; 0: only imported evaluations",
    )
    run.add_argument("--workers", type=_count, metavar="K", help="simulator runs at a time")
    run.add_argument(
        "--method", metavar="NAME",
        help="before the first run: default, bvbmc, vbmc, svbmc, laplace (one Gaussian) or slice (Markov chains)",
    )
    run.add_argument("--seed", type=_whole, metavar="N", help="before the first run: of all random choices; same seed, same run")
    trust_help = "agree to run what a session from elsewhere runs"
    run.add_argument("--trust", action="store_true", help=trust_help)
    run.add_argument(
        "--confined", action=argparse.BooleanOptionalAction, default=None,
        help="runs in a sandbox: no network, home folder hidden, only the run folder writable (default: what is not yours)",
    )

    new = command("new", "Make a session file from a problem file (JSON).", _new)
    new.add_argument("--trust", action="store_true", help="the problem file is yours: its runs need no further question")
    new.add_argument("problem", type=Path, nargs="?", metavar="PROBLEM.json")
    new.add_argument("file", type=Path, nargs="?", metavar="FILE.bayescope")
    new.add_argument("--schema", action="store_true", help="print the JSON schema of problem files")

    trial = command(
        "test-run", "Run the simulator once in the middle of the plausible ranges and show everything.", _test_run
    )
    trial.add_argument("file", type=Path, metavar="FILE.bayescope")
    trial.add_argument("--at", action="append", default=[], metavar="PARAMETER=VALUE", help="another value; may be repeated")
    trial.add_argument(
        "--repeat", type=_count, default=1, metavar="N",
        help="run N times with the same values; 2 shows whether the program is random or reads old output",
    )
    trial.add_argument("--trust", action="store_true", help=trust_help)

    noise = command("noise-check", "Run the simulator several times at one point and show how random it is.", _noise_check)
    noise.add_argument("file", type=Path, metavar="FILE.bayescope")
    noise.add_argument("--runs", type=_count, default=20, metavar="N", help="how many runs (default 20)")
    noise.add_argument("--trust", action="store_true", help=trust_help)

    words = "Make stored runs again and compare: does the program still give the same? Status 1 if any differs."
    again = command("replay", words, _replay)
    again.add_argument("file", type=Path, metavar="FILE.bayescope")
    again.add_argument("--runs", type=_count, default=USUAL, metavar="K", help=f"how many (default {USUAL})")
    again.add_argument("--trust", action="store_true", help=trust_help)

    export = command("export", "Write samples, tables, figures or a report from a session.", _export)
    export.add_argument("file", type=Path, metavar="FILE.bayescope")
    export.add_argument(
        "--samples", type=Path, metavar="OUT.csv", help="posterior samples, with a JSON of provenance beside"
    )
    export.add_argument("-n", type=_count, default=10_000, metavar="N", help="how many samples (default 10000)")
    export.add_argument("--seed", type=_whole, default=0, help="same seed, same samples (default 0)")
    export.add_argument("--runs", "--evaluations", dest="evaluations", type=Path, metavar="OUT.csv", help="every simulator run")
    export.add_argument("--summary", type=Path, metavar="OUT.csv", help="mean, sd, quantiles per parameter")
    export.add_argument("--netcdf", type=Path, metavar="OUT.nc", help="samples as ArviZ reads them")
    export.add_argument("--report", type=Path, metavar="OUT.html", help="a report in one file")
    export.add_argument("--problem", type=Path, metavar="OUT.json", help="what was declared, as a problem file")
    export.add_argument("--figure", type=Path, metavar="OUT.png", help="the marginals as a picture")
    export.add_argument("--force", action="store_true", help="replace files that exist (an analysis never is)")

    compare = command(
        "compare", "Set an analysis beside other saved ones and beside what other methods make of its runs.", _compare
    )
    compare.add_argument("file", type=Path, metavar="FILE.bayescope")
    compare.add_argument("others", type=Path, nargs="*", metavar="OTHER.bayescope")
    compare.add_argument(
        "--with", dest="methods", default="laplace,mcmc", metavar="NAMES",
        help="laplace, mcmc (on the surrogate), stacking (of chains), separated by commas; none: only the files",
    )

    archive = command(
        "import", "Give a session evaluations made earlier: a table, a folder of run folders or a session.", _import
    )
    archive.add_argument("file", type=Path, metavar="FILE.bayescope")
    archive.add_argument("source", type=Path, metavar="TABLE|FOLDER|SESSION")
    archive.add_argument(
        "--column", action="append", default=[], metavar="PARAMETER=COLUMN", help="which column is which parameter"
    )
    archive.add_argument("--value", metavar="COLUMN", help="the column of the log density")
    archive.add_argument(
        "--meaning", choices=("log_likelihood", "log_posterior", "minus_two_log_likelihood"), help="what that column means"
    )
    archive.add_argument("--sd", metavar="COLUMN", help="the column of its noise (standard deviation)")
    archive.add_argument("--delimiter", metavar="CHARACTER", help="between columns; found out if left out")
    archive.add_argument(
        "--decimal-comma", choices=("yes", "no"), help="whether 1,5 means one and a half; found out if left out"
    )
    archive.add_argument("--dry-run", action="store_true", help="show what would be imported, change nothing")
    archive.add_argument("--no-check", action="store_true", help="do not recompute the best row by one simulator run")
    archive.add_argument("--trust", action="store_true", help=trust_help)

    example = command("example", "Make a session from a bundled example.", _example)
    example.add_argument("name", nargs="?", metavar="NAME", help="left out: list the examples")
    example.add_argument("file", type=Path, nargs="?", metavar="FILE.bayescope")

    test = command("self-test", "Run a bundled example with a small budget, save, reopen, export.", _self_test)
    test.add_argument("--evaluations", type=_count, default=24, metavar="N")

    recover = command("recover", "Copy everything readable of a damaged session into a new file.", _recover)
    recover.add_argument("file", type=Path, metavar="DAMAGED")
    recover.add_argument("new", type=Path, metavar="NEW.bayescope")

    support = command("support", "Write a support bundle (log, versions, settings) into a zip file.", _support)
    support.add_argument("file", type=Path, metavar="FILE.bayescope")
    support.add_argument("zip", type=Path, metavar="OUT.zip")
    support.add_argument("--with-data", action="store_true", help="put the whole session in")
    support.add_argument("--force", action="store_true", help="replace the file if it exists")
    return parser


# ------------------------------------------------------------------ commands


def _run(arguments: argparse.Namespace) -> int:
    from .headless import run_session

    return run_session(
        arguments.file,
        arguments.evaluations,
        arguments.workers,
        arguments.trust,
        arguments.method,
        arguments.confined,
        arguments.seed,
    )


def _new(arguments: argparse.Namespace) -> int:
    import json

    from ..problem import files, validate
    from ..session.store import SUFFIX, SessionStore

    if arguments.schema:
        say(json.dumps(files.schema(), indent=2))
        return OK
    if arguments.problem is None or arguments.file is None:
        raise Failure(f"give a problem file and the session to make: bayescope new PROBLEM.json NAME{SUFFIX}")
    problem = files.load(arguments.problem)
    findings = validate.check(problem, arguments.problem.parent)
    for finding in findings:
        warn(f"{finding.level} in {finding.where}: {finding.message} {finding.suggestion}".rstrip())
    if any(finding.level == "error" for finding in findings):
        raise Failure("no session was made; correct the errors above first.")
    if arguments.file.absolute().parent != arguments.problem.absolute().parent:
        from ..problem.relocate import relocate

        problem = relocate(problem, arguments.problem.absolute().parent, arguments.file.absolute().parent)
    own = _is_own(problem, arguments.file.absolute().parent, arguments.trust, files.made_elsewhere(arguments.problem))
    with SessionStore.create(arguments.file, problem, own=own):
        _say_next(arguments.file)
    return OK


def _is_own(problem: Problem, folder: Path, trust: bool, elsewhere: bool) -> bool:
    """Whether the user, who sees what it will run, says that a problem file is theirs: anybody may have written it."""
    from ..session.trust.sheet import trust_sheet
    from ..session.trust.what_runs import what_runs

    sheet = trust_sheet(problem.simulator, folder, what_runs(problem.simulator, folder), None)
    say("What its runs start, read and are given:", *sheet.lines()[1:], "")
    asked_later = "You are asked before the first run."
    if elsewhere:
        say(f"It was exported from an analysis that came from somebody else. {asked_later}")
        return False
    if trust:
        return True
    if sys.stdin.isatty() and input("Is this your own problem file? [y/N] ").strip().lower() in ("y", "yes"):
        return True
    say(f"It is taken for somebody else's. {asked_later} (If it is yours: bayescope new --trust)")
    return False


def _say_next(path: Path) -> None:
    from ..problem.command_text import command_text

    say(f"Made {path}. Next: {command_text(['bayescope', 'run', path])}")


def _test_run(arguments: argparse.Namespace) -> int:
    from .headless import test_run

    at: dict[str, str] = {}
    for pair in arguments.at:
        name, sign, value = pair.partition("=")
        if not sign:
            raise Failure(f"--at {pair} is not PARAMETER=VALUE.")
        at[name.strip()] = value
    return test_run(arguments.file, arguments.trust, at, arguments.repeat)


def _noise_check(arguments: argparse.Namespace) -> int:
    from .headless import noise_check

    return noise_check(arguments.file, arguments.runs, arguments.trust)


def _replay(arguments: argparse.Namespace) -> int:
    from .replay_command import replay_session

    return replay_session(arguments.file, arguments.runs, arguments.trust)


def _export(arguments: argparse.Namespace) -> int:
    from ..session.store import SessionStore

    wanted = ("samples", "evaluations", "summary", "netcdf", "report", "figure", "problem")
    if not any(getattr(arguments, name) for name in wanted):
        raise Failure("say what to write: " + ", ".join(f"--{name}" for name in wanted) + ".")
    from ..session import atomic, export, figures, report

    file, force = arguments.file, arguments.force
    beside = [export.provenance_file(arguments.samples)] if arguments.samples else []
    with SessionStore.open(file, mode="read") as store:
        for path in [*(getattr(arguments, name) for name in wanted), *beside]:
            if path is not None:
                _refuse_existing(path, force)
        if arguments.samples:
            export.export_samples(store, arguments.samples, arguments.n, arguments.seed, replace=force)
            say(f"Wrote {arguments.n} samples to {arguments.samples}, their provenance to {beside[0]}.")
        if arguments.evaluations:
            export.export_evaluations(store, arguments.evaluations, replace=force)
            say(f"Wrote {store.evaluation_count} simulator runs to {arguments.evaluations}.")
        if arguments.summary:
            export.export_summary(store, arguments.summary, replace=force)
            say(f"Wrote the summary to {arguments.summary}.")
        if arguments.netcdf:
            export.export_netcdf(store, arguments.netcdf, arguments.n, arguments.seed, replace=force)
            say(f"Wrote {arguments.netcdf}.")
        if arguments.report:
            report.export_report(store, arguments.report, replace=force)
            say(f"Wrote the report to {arguments.report}.")
        if arguments.problem:
            elsewhere = store.foreign or not store.agreed
            export.export_problem(store.problem, store.path.parent, arguments.problem, elsewhere=elsewhere, replace=force)
            say(f"Wrote the problem to {arguments.problem}.")
        if arguments.figure:
            atomic.write(arguments.figure, figures.png(figures.marginals(store)), replace=force)
            say(f"Wrote the marginals to {arguments.figure}.")
    return OK


def _refuse_existing(path: Path, force: bool) -> None:
    from ..session import atomic
    from ..session.errors import FileIsThere

    try:
        atomic.refuse_existing(path, replace=force)
    except FileIsThere as error:
        hint = "" if force or atomic.is_session(path) else " With --force it is replaced."
        raise Failure(f"{error}{hint} Nothing was written.") from None


def _compare(arguments: argparse.Namespace) -> int:
    from .compare_command import compare

    methods = [m.strip() for m in arguments.methods.split(",") if m.strip() not in ("", "none")]
    return compare(arguments.file, arguments.others, methods)


def _import(arguments: argparse.Namespace) -> int:
    from .import_archive import import_archive

    columns: dict[str, str] = {}
    for pair in arguments.column:
        name, sign, column = pair.partition("=")
        if not sign:
            raise Failure(f"--column {pair} is not PARAMETER=COLUMN.")
        columns[name.strip()] = column.strip()
    delimiter = {"tab": "\t", "\\t": "\t", "space": " "}.get(arguments.delimiter or "", arguments.delimiter)
    comma = {"yes": True, "no": False}.get(arguments.decimal_comma)
    return import_archive(
        arguments.file, arguments.source, columns, arguments.value, arguments.meaning, arguments.sd,
        delimiter=delimiter, decimal_comma=comma, dry=arguments.dry_run, check=not arguments.no_check, trust=arguments.trust,
    )  # fmt: skip


def _example(arguments: argparse.Namespace) -> int:
    from ..session.store import SUFFIX, SessionStore
    from .headless import example_names, load_example

    if arguments.name is None or arguments.file is None:
        say("Bundled examples: " + ", ".join(example_names()))
        if arguments.name is not None:
            raise Failure(f"name the session to make: bayescope example {arguments.name} NAME{SUFFIX}")
        return OK
    with SessionStore.create(arguments.file, load_example(arguments.name), own=True):
        _say_next(arguments.file)
    return OK


def _self_test(arguments: argparse.Namespace) -> int:
    from .headless import self_test

    return self_test(arguments.evaluations)


def _recover(arguments: argparse.Namespace) -> int:
    from ..session.salvage import salvage

    say(salvage(arguments.file, arguments.new).words())
    return OK


def _support(arguments: argparse.Namespace) -> int:
    from ..session.store import SessionStore
    from ..session.support import export_support_bundle

    with SessionStore.open(arguments.file, mode="read") as store:
        export_support_bundle(arguments.zip, store, with_data=arguments.with_data, replace=arguments.force)
    say(f"Wrote {arguments.zip}. Look into it before you send it to anybody.")
    return OK
