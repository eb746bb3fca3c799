"""Lines around a table that say what its columns are tell which output predicts which."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.data.names.explained_columns import told_by_lines

COLUMNS = ("travel", "LA", "P (um)", "LB")
LASERS = "# LA, LB: laser on free surface of pad A / pad B, mid height, outward = positive"
PROBE = "P: LVDT on rim of the steel plate, DOWNWARD = POSITIVE"


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ((LASERS, PROBE), {"BULGE_A": "LA", "BULGE_B": "LB", "PLATE": "P (um)"}),
        (("LA and LB = bulge of pad A / B", PROBE), {"BULGE_A": "LA", "BULGE_B": "LB", "PLATE": "P (um)"}),
        (("LA, LB: bulge of the pads",), {}),
        (("LA: bulge at the top", "LB: bulge at the bottom"), {}),
        (("P: plate", "P: another plate"), {}),
        (("Specimen: plate 7", "date = 3 May"), {}),
        (("LA: a plate", "P: a plate"), {}),
        ((), {}),
    ],
)
def test_words_that_one_column_alone_is_explained_by_tell_its_output(lines: tuple[str, ...], told: dict[str, str]) -> None:
    assert told_by_lines(("FORCE", "BULGE_A", "PLATE", "BULGE_B"), COLUMNS, lines) == told
