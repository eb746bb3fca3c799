"""Every test run: collected modules are kept out of garbage collection; the table of attacks is printed at the end."""

from __future__ import annotations

import gc
from collections import Counter

import pytest


def pytest_collection_finish() -> None:
    """Torch, Qt and the tests themselves live to the end; looking at them in every round takes a quarter of a window test."""
    gc.collect()
    gc.freeze()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        mark = item.get_closest_marker("attack")
        if mark is not None:
            item.user_properties.append(("attack", mark.args[0]))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Attacks by kind: how many were tried, and how many succeeded (a failed test)."""
    tried, succeeded = Counter[str](), Counter[str]()
    for outcome in ("passed", "failed", "error"):
        for report in terminalreporter.stats.get(outcome, []):
            kind = dict(getattr(report, "user_properties", [])).get("attack")
            if kind is not None and getattr(report, "when", "") == "call":
                tried[kind] += 1
                succeeded[kind] += outcome != "passed"
    if tried:
        terminalreporter.section("attacks")
        for kind in sorted(tried):
            terminalreporter.write_line(f"{kind:<12} {tried[kind]:>4} tried {succeeded[kind]:>4} succeeded")
        terminalreporter.write_line(f"{'all':<12} {sum(tried.values()):>4} tried {sum(succeeded.values()):>4} succeeded")
