"""Every test run: a home folder of its own, and what is said at the end: attacks tried, tests skipped and what they need."""

from __future__ import annotations

import gc
import os
import re
import shutil
import signal
import tempfile
from bisect import bisect
from collections import Counter
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path

import pytest

# Before anything is imported: libraries look for their folders when they are, and two workers must not share a cache
if (Path.home() / ".pyenv").is_dir():
    os.environ.setdefault("PYENV_ROOT", str(Path.home() / ".pyenv"))  # where its Python looks for itself
_HOME = tempfile.mkdtemp(prefix="bayescope-tests-home-")
for _name in [n for n in os.environ if n.startswith("XDG_") and n.endswith("_HOME")]:
    del os.environ[_name]
os.environ |= {"HOME": _HOME, "USERPROFILE": _HOME, "MPLCONFIGDIR": os.path.join(_HOME, "matplotlib")}

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a shell's "&" and nohup start us so; children would inherit it
    signal.signal(signal.SIGINT, signal.default_int_handler)

TESTS = Path(__file__).resolve().parent
COLLECT_AFTER = (10_000, 10, 10)  # as the program itself has it (gui/__main__.py)
PROGRAMS = {  # words of a reason -> Debian package
    "bubblewrap": "bubblewrap", "no D-Bus": "dbus", "no desktop-file-validate": "desktop-file-utils", "ngspice": "ngspice",
    "slurm-wlm": "slurm-wlm munge", "openssh-server": "openssh-server",
}  # fmt: skip


@pytest.fixture(autouse=True)
def ctrl_c_is_as_it_was() -> Iterator[None]:
    """A test that leaves Ctrl-C ignored makes those after it fail."""
    before = signal.getsignal(signal.SIGINT)
    yield
    after = signal.getsignal(signal.SIGINT)
    if after is not before:
        signal.signal(signal.SIGINT, before)
        pytest.fail(f"Ctrl-C was left to {after} instead of {before}.")


def pytest_configure(config: pytest.Config) -> None:
    """Workers begin to read the tests at different places: most of that is to compile them, and who comes later finds it done."""
    worker = getattr(config, "workerinput", None)
    if worker is None or [Path(argument).resolve() for argument in config.args] != [TESTS]:
        return
    files = sorted(TESTS.rglob("test_*.py"))
    read = list(accumulate(file.stat().st_size for file in files))
    first = bisect(read, read[-1] * int(worker["workerid"].removeprefix("gw")) / worker["workercount"])
    config.args[:] = [str(file) for file in files[first:] + files[:first]]


def pytest_unconfigure(config: pytest.Config) -> None:
    _remove_trial_folders(str(getattr(getattr(config, "_tmp_path_factory", None), "_basetemp", None) or _HOME))
    shutil.rmtree(_HOME, ignore_errors=True)


def _remove_trial_folders(basetemp: str) -> None:
    """Those of test runs whose data folder was one of these tests', in processes of their own too."""
    from bayescope.engine.session import trial_folders

    trial_folders.remove_those(lambda maker: maker.home.startswith((_HOME, basetemp)))


def pytest_collection_finish() -> None:
    """Torch, Qt and the tests themselves live to the end; looking at them in every round takes a quarter of a window test."""
    gc.enable()
    gc.set_threshold(*COLLECT_AFTER)
    gc.collect()
    gc.freeze()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.path.parts)  # all workers have to hand over the same list
    for item in items:
        mark = item.get_closest_marker("attack")
        if mark is not None:
            item.user_properties.append(("attack", mark.args[0]))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    _tell_attacks(terminalreporter)
    _tell_skipped(terminalreporter)


def _tell_attacks(reporter: pytest.TerminalReporter) -> None:
    """By kind: how many were tried, and how many succeeded (a failed test)."""
    tried, succeeded = Counter[str](), Counter[str]()
    for outcome in ("passed", "failed", "error"):
        for report in reporter.stats.get(outcome, []):
            kind = dict(getattr(report, "user_properties", [])).get("attack")
            if kind is not None and getattr(report, "when", "") == "call":
                tried[kind] += 1
                succeeded[kind] += outcome != "passed"
    if tried:
        reporter.section("attacks")
        for kind in sorted(tried):
            reporter.write_line(f"{kind:<12} {tried[kind]:>4} tried {succeeded[kind]:>4} succeeded")
        reporter.write_line(f"{'all':<12} {sum(tried.values()):>4} tried {sum(succeeded.values()):>4} succeeded")


def _tell_skipped(reporter: pytest.TerminalReporter) -> None:
    """How many tests were skipped and why; in one line what to install for those that need a program."""
    reasons = Counter(str(r.longrepr[2]).removeprefix("Skipped: ") for r in reporter.stats.get("skipped", []))
    if not reasons:
        return
    packages: set[str] = set()
    reporter.section("skipped")
    for reason, count in reasons.most_common():
        reporter.write_line(f"{count:>4}  {reason}")
        packages.update(re.findall(r"apt-get install -y ([\w.+-]+)", reason))
        packages.update(package for words, package in PROGRAMS.items() if words in reason)
    if packages:
        reporter.write_line(f"      These programs make more of them run: apt-get install -y {' '.join(sorted(packages))}")
