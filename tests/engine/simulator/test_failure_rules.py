"""The words of a sign of failure: which line it stands in, and what else that line says."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.definition import FailurePattern, FailureRules
from bayescope.engine.simulator.failure_rules import text_reason

LOG = "step 1\n*** ERROR 317: singular matrix ***\nERROR 318\n"


@pytest.mark.parametrize(
    ("pattern", "regex", "words"),
    [
        ("ERROR", False, "occurs in log.txt, line 2: “*** ERROR 317: singular matrix ***”."),
        (r"ERROR\s+\d+:", True, "occurs in log.txt, line 2: “*** ERROR 317: singular matrix ***”."),
        ("ERROR 318", False, "occurs in log.txt, line 3."),
    ],
    ids=["a text", "a search pattern", "the line is the text"],
)
def test_the_line_with_the_sign_of_failure_is_told(pattern: str, regex: bool, words: str) -> None:
    rules = FailureRules(patterns=(FailurePattern(source="log.txt", pattern=pattern, regex=regex),))
    assert text_reason(rules, lambda source: LOG).endswith(words)


def test_of_a_very_long_line_the_part_with_the_sign_is_told() -> None:
    rules = FailureRules(patterns=(FailurePattern(source="log.txt", pattern="ERROR"),))
    said = text_reason(rules, lambda source: "x " * 5000 + "ERROR 317: no room" + " y" * 5000)
    assert "ERROR 317: no room" in said
    assert len(said) < 400
