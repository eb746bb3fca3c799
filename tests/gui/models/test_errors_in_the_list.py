"""The list of comparisons says whose errors are used, where they are not those of the column that is compared."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.definition import GaussianKnown, Match
from bayescope.gui.models.data.comparison_rows import errors_words


@pytest.mark.parametrize(
    ("column", "sds", "said"),
    [
        ("Psi 70", "Psi_err 70", "own sd"),
        ("Psi 70", "Psi_err 65", "Psi_err 65"),
        ("Psi (°) (angle: 70)", "Psi_err (angle: 70)", "own sd"),
        ("Psi (°) (angle: 70)", "Psi_err (angle: 65)", "Psi_err (angle: 65)"),
        ("Psi 70", None, "0.1"),
    ],
)
def test_errors_of_another_table_are_named(column: str, sds: str | None, said: str) -> None:
    assert errors_words(Match(output="psi", column=column, sd_column=sds), GaussianKnown(sd=0.1)) == said
