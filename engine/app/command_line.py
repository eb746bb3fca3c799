"""The command line: every headless command with its arguments, as ``--help`` shows them."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from . import commands
from .cuda_command import cuda_arguments
from .export_command import export
from .new_command import new
from .where_command import where_arguments

TRUST_HELP = "agree to run what a session from elsewhere runs"


def command_parser() -> argparse.ArgumentParser:
    """The parser of all commands; ``work`` of what it parses does the command and gives the exit status."""
    from importlib import metadata

    parser = argparse.ArgumentParser(
        prog="bayescope",
        usage="%(prog)s [FILE.bayescope]\n       %(prog)s COMMAND ...",
        description="Posterior distributions from expensive simulators. Without a command the window opens, with an analysis or "
        "a problem file (.json) if one is named.",
    )
    try:
        version = metadata.version("bayescope")
    except metadata.PackageNotFoundError:
        version = "unknown"
    parser.add_argument("--version", "-V", action="version", version=f"bayescope {version}")
    added = parser.add_subparsers(title="commands", metavar="COMMAND", prog=parser.prog)
    for name, words, work, arguments in _COMMANDS:
        command = added.add_parser(name, help=words, description=words)
        command.set_defaults(work=work)
        arguments(command)
    return parser


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
    from ..problem.numbers.number_text import NumberError, whole

    try:
        return whole(text)
    except NumberError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _run_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("file", type=Path, metavar="FILE.bayescope")
    command.add_argument(
        "--runs", "--evaluations", dest="evaluations", type=_whole, metavar="N",
        help="budget of simulator runs, those already done included; 0: only imported evaluations",
    )
    command.add_argument("--workers", type=_count, metavar="K", help="simulator runs at a time")
    command.add_argument(
        "--method", metavar="NAME",
        help="before the first run: default, bvbmc, vbmc, svbmc, laplace (one Gaussian) or slice (Markov chains)",
    )
    command.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE",
        help="before the first run: an option of the method, see “bayescope methods”; may be repeated; NAME= is its default",
    )
    command.add_argument(
        "--goal", choices=("posterior", "best-fit"),
        help="what for; the best fit alone needs fewer runs, and the posterior can be asked for later (default: as last time)",
    )
    command.add_argument(
        "--seed", type=_whole, metavar="N", help="before the first run: of all random choices; same seed, same run"
    )
    command.add_argument("--trust", action="store_true", help=TRUST_HELP)
    command.add_argument(
        "--in-order", action="store_true",
        help="before the first run: rows compared in order are right, whatever places the program prints beside its values",
    )
    _where(command)
    command.add_argument(
        "--confined", action=argparse.BooleanOptionalAction, default=None,
        help="runs in a sandbox: no network, home folder hidden, only the run folder writable (default: what is not yours)",
    )


def _where(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--where", metavar="PLACE",
        help="where the simulator runs: a place of “bayescope where list”, or here (default: as last time)",
    )


def _new_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("--trust", action="store_true", help="the problem file is yours: its runs need no further question")
    command.add_argument("problem", type=Path, nargs="?", metavar="PROBLEM.json")
    command.add_argument("file", type=Path, nargs="?", metavar="FILE.bayescope")
    command.add_argument("--schema", action="store_true", help="print the JSON schema of problem files")


def _test_run_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("file", type=Path, metavar="FILE.bayescope")
    command.add_argument("--at", action="append", default=[], metavar="PARAMETER=VALUE", help="another value; may be repeated")
    command.add_argument(
        "--repeat", type=_count, default=1, metavar="N",
        help="run N times with the same values; 2 shows whether the program is random or reads old output",
    )
    command.add_argument("--trust", action="store_true", help=TRUST_HELP)
    _where(command)


def _noise_check_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("file", type=Path, metavar="FILE.bayescope")
    command.add_argument("--runs", type=_count, default=20, metavar="N", help="how many runs (default 20)")
    command.add_argument("--trust", action="store_true", help=TRUST_HELP)
    _where(command)


def _replay_arguments(command: argparse.ArgumentParser) -> None:
    from ..session.replayed import USUAL

    command.add_argument("file", type=Path, metavar="FILE.bayescope")
    command.add_argument("--runs", type=_count, default=USUAL, metavar="K", help=f"how many (default {USUAL})")
    command.add_argument("--trust", action="store_true", help=TRUST_HELP)
    _where(command)


def _export_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("file", type=Path, metavar="FILE.bayescope")
    command.add_argument(
        "--samples", type=Path, metavar="OUT.csv", help="posterior samples, with a JSON of provenance beside"
    )
    command.add_argument("-n", type=_count, default=10_000, metavar="N", help="how many samples (default 10000)")
    command.add_argument("--seed", type=_whole, default=0, help="same seed, same samples (default 0)")
    command.add_argument("--runs", "--evaluations", dest="evaluations", type=Path, metavar="OUT.csv", help="every simulator run")
    command.add_argument("--summary", type=Path, metavar="OUT.csv", help="mean, sd, quantiles per parameter")
    command.add_argument("--predictions", type=Path, metavar="OUT.csv", help="what is predicted for each measured value")
    command.add_argument("--best-fit", type=Path, metavar="OUT.csv", help="the best run and its distance from the data")
    command.add_argument("--taught", type=Path, metavar="OUT.csv", help="each parameter before and after the data")
    command.add_argument("--sensitivity", type=Path, metavar="OUT.csv", help="Sobol indices and more; see taught --sensitivity")
    command.add_argument("--netcdf", type=Path, metavar="OUT.nc", help="samples as ArviZ reads them")
    command.add_argument("--report", type=Path, metavar="OUT.html|OUT.pdf", help="a report in one file")
    command.add_argument("--notebook", type=Path, metavar="OUT.ipynb", help="a Jupyter notebook that makes every figure again")
    command.add_argument("--problem", type=Path, metavar="OUT.json", help="what was declared, as a problem file")
    command.add_argument("--figure", type=Path, metavar="OUT.png", help="the marginals as a picture")
    command.add_argument("--force", action="store_true", help="replace files that exist (an analysis never is)")


def _methods_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("method", nargs="?", metavar="METHOD", help="left out: all methods")
    command.add_argument("--json", action="store_true", help="print the same for programs")


def _file_argument(command: argparse.ArgumentParser) -> None:
    command.add_argument("file", type=Path, metavar="FILE.bayescope")


def _taught_arguments(command: argparse.ArgumentParser) -> None:
    _file_argument(command)
    command.add_argument(
        "--sensitivity", action="store_true",
        help="work out and keep what decides the outputs (Sobol indices), which data taught it, what to measure next; no run",
    )


def _best_fit_arguments(command: argparse.ArgumentParser) -> None:
    _file_argument(command)
    command.add_argument("--check", action="store_true", help="make one run at the surrogate's maximum first")
    command.add_argument("--trust", action="store_true", help=TRUST_HELP)


def _failures_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("file", type=Path, metavar="FILE.bayescope")
    command.add_argument("--again", action="store_true", help="the program was mended: the next run makes the failed ones anew")


def _checks_arguments(command: argparse.ArgumentParser) -> None:
    _file_argument(command)
    command.add_argument(
        "--ask", default="", metavar="METHODS",
        help="other methods first, separated by commas: laplace, mcmc, stacking, wsabi, wsabi_m, flow, or all; no run is made",
    )


def _starts_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("file", type=Path, metavar="FILE.bayescope")
    command.add_argument("--at", action="append", default=[], metavar="PARAMETER=VALUE", help="one point: give every parameter")
    command.add_argument("--from", dest="source", type=Path, metavar="TABLE|SESSION", help="rows of a table, or the best run")
    command.add_argument("--clear", action="store_true", help="forget those there are")


def _again_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("file", type=Path, metavar="FILE.bayescope")
    command.add_argument(
        "problem", type=Path, nargs="?", metavar="PROBLEM.json", help="the changed problem (see export --problem)"
    )
    command.add_argument("new", type=Path, nargs="?", metavar="NEW.bayescope", help="where the answer is kept (default: beside)")
    command.add_argument(
        "--discrepancy", action="append", default=[], metavar="COLUMN",
        help="the program may be off where it is compared with this data column; “all”: everywhere",
    )
    command.add_argument(
        "--apart", action="store_true", help="... by a curve that has no part in what the parameters can do at the best fit"
    )


def _compare_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("file", type=Path, metavar="FILE.bayescope")
    command.add_argument("others", type=Path, nargs="*", metavar="OTHER.bayescope")
    command.add_argument(
        "--with", dest="methods", default="laplace,mcmc", metavar="NAMES",
        help="laplace, mcmc (on the surrogate), stacking (of chains), wsabi, wsabi_m, flow (of particles), separated by commas; "
        "none: only the files",
    )


def _import_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("file", type=Path, metavar="FILE.bayescope")
    command.add_argument(
        "sources", type=Path, nargs="+", metavar="TABLE|FOLDER|SESSION", help="several are joined by the names of their columns"
    )
    command.add_argument(
        "--column", action="append", default=[], metavar="PARAMETER=COLUMN", help="which column is which parameter"
    )
    command.add_argument("--value", metavar="COLUMN", help="the column of the log density")
    command.add_argument(
        "--output", action="append", default=[], metavar="OUTPUT=COLUMN",
        help="in place of a log density: which column is which output of the program; of a vector the name before the numbers "
        "(curve for curve[0], curve[1]...)",
    )
    command.add_argument(
        "--meaning", choices=("log_likelihood", "log_posterior", "minus_log_likelihood", "minus_two_log_likelihood"),
        help="what that column means",
    )
    command.add_argument("--sd", metavar="COLUMN", help="the column of its noise (standard deviation)")
    command.add_argument("--delimiter", metavar="CHARACTER", help="between columns; found out if left out")
    command.add_argument(
        "--decimal-comma", choices=("yes", "no"), help="whether 1,5 means one and a half; found out if left out"
    )
    command.add_argument("--table", metavar="NAME", help="which table of an HDF5 file with several")
    command.add_argument(
        "--add", action="store_true", help="to those imported before, also once there are runs; the next run takes them in"
    )
    command.add_argument("--dry-run", action="store_true", help="show what would be imported, change nothing")
    command.add_argument("--no-check", action="store_true", help="do not recompute the best row by one simulator run")
    command.add_argument("--trust", action="store_true", help=TRUST_HELP)


def _example_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("name", nargs="?", metavar="NAME", help="left out: list the examples")
    command.add_argument("file", type=Path, nargs="?", metavar="FILE.bayescope")


def _self_test_arguments(command: argparse.ArgumentParser) -> None:
    """None."""


def _recover_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("file", type=Path, metavar="DAMAGED")
    command.add_argument("new", type=Path, metavar="NEW.bayescope")


def _support_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("file", type=Path, metavar="FILE.bayescope")
    command.add_argument("zip", type=Path, metavar="OUT.zip")
    command.add_argument("--with-data", action="store_true", help="put the whole session in")
    command.add_argument("--force", action="store_true", help="replace the file if it exists")


_Work = Callable[[argparse.Namespace], int]
_COMMANDS: tuple[tuple[str, str, _Work, Callable[[argparse.ArgumentParser], None]], ...] = (
    ("run", "Start or resume the analysis in a session file.", commands.run, _run_arguments),
    ("new", "Make a session file from a problem file (JSON).", new, _new_arguments),
    ("methods", "List the methods and the options of each: what they mean, defaults, ranges, sources.", commands.methods,
     _methods_arguments),
    (
        "test-run", "Run the simulator once in the middle of the plausible ranges and show everything.",
        commands.test_run, _test_run_arguments,
    ),
    (
        "noise-check", "Run the simulator several times at one point and show how random it is.",
        commands.noise_check, _noise_check_arguments,
    ),
    (
        "replay", "Make stored runs again and compare: does the program still give the same? Status 1 if any differs.",
        commands.replay, _replay_arguments,
    ),
    (
        "best-fit", "Show the best run so far, whether it is as near to the data as they allow, and the surrogate's maximum.",
        commands.best_fit, _best_fit_arguments,
    ),
    (
        "taught", "Show what the data taught: each parameter before and after, and the combinations that are known.",
        commands.taught, _taught_arguments,
    ),
    (
        "failures", "Show which runs failed, why, what they share and what may mend it; have them made again.",
        commands.failures, _failures_arguments,
    ),
    (
        "checks", "Show why an answer can be trusted, or not yet: every check of it; other methods if asked.",
        commands.checks, _checks_arguments,
    ),
    ("export", "Write samples, tables, figures or a report from a session.", export, _export_arguments),
    (
        "again", "Ask again without running: other noise, data or priors, answered from the runs there are.",
        commands.again, _again_arguments,
    ),
    (
        "compare", "Set an analysis beside other saved ones and beside what other methods make of its runs.",
        commands.compare, _compare_arguments,
    ),
    (
        "import", "Give a session evaluations made earlier: a table, a folder of run folders or a session.",
        commands.import_earlier, _import_arguments,
    ),
    (
        "starts", "Values that are known to work, before the first run: the first runs are made there.",
        commands.starts, _starts_arguments,
    ),
    ("example", "Make a session from a bundled example.", commands.example, _example_arguments),
    (
        "self-test", "Prove that this installation works: run an example, kill and resume it, compare with a stored answer.",
        commands.self_test, _self_test_arguments,
    ),
    ("where", "Places besides this computer where runs may happen: add, test, list.", commands.nothing, where_arguments),
    (
        "cuda", "The CUDA build of PyTorch, for a computer with an NVIDIA card: status, install, remove.",
        commands.nothing, cuda_arguments,
    ),
    ("recover", "Copy everything readable of a damaged session into a new file.", commands.recover, _recover_arguments),
    (
        "support", "Write a support bundle (log, versions, settings) into a zip file.",
        commands.support, _support_arguments,
    ),
)  # fmt: skip
