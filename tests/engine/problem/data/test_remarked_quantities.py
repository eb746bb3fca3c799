"""A remark that names a quantity speaks against that one alone; one that names none speaks against its row."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.data.tables.remarked_quantities import marks_a_value, remarked_quantities

COLUMNS = ("Effluent volume (mL)", "Na (mg/L)", "K (mg/L)", "Cl (mg/L)", "pH", "As (µg/L)")


@pytest.mark.parametrize(
    ("remark", "named"),
    [
        ("* Na: contaminated vial, do not use", ("Na",)),
        ("pH electrode drift", ("pH",)),
        ("Cl n.d.", ("Cl",)),
        ("K vial lost", ("K",)),
        ("Na, K and Cl contaminated", ("Na", "K", "Cl")),
        ("Na contaminated, K fine", ("Na",)),
        ("Na contaminated; pH fine", ("Na",)),
        ("Na: contaminated, vial broken", ("Na",)),
        ("all contaminated except Na", ("Effluent volume", "K", "Cl", "pH", "As")),
        ("volume doubtful", ("Effluent volume",)),
        ("As: below threshold", ("As",)),
        ("bottle warmed in transit, Na no good", ("Na",)),
        ("Na bad", ("Na",)),
        ("Na fine", ()),
        ("no drift of pH", ()),
        ("rain, noise", ()),
        ("Na re-measured", ()),
    ],
)
def test_a_remark_is_of_the_quantities_that_it_names(remark: str, named: tuple[str, ...]) -> None:
    found = remarked_quantities(remark, COLUMNS)
    assert found is not None
    assert tuple(c.split(" (")[0] for c in found) == named


@pytest.mark.parametrize(
    "remark", ["sensor fault", "filter disc stuck to slice - invalid", "Na low, bottle broken", "As usual the pump failed",
               "Na contaminated; sample discarded"],
)  # fmt: skip
def test_a_remark_that_names_none_is_of_its_row(remark: str) -> None:
    assert remarked_quantities(remark, COLUMNS) is None


def test_a_word_that_one_column_alone_has_names_it() -> None:
    columns = ("Centre from inlet (mm)", "K exch", "Ca exch", "Na exch")
    assert remarked_quantities("K vial lost", columns) == ("K exch",)
    assert remarked_quantities("exch column saturated", columns) is None


def test_a_name_in_capitals_is_no_word_of_a_sentence() -> None:
    columns = ("travel", "LA", "U(LA)", "LB", "NO")
    assert remarked_quantities("LA out of range", columns) == ("LA",)
    assert remarked_quantities("no signal, la sonde défaut", columns) is None
    assert remarked_quantities("NO RECORD, SENSOR BROKEN", columns) is None


def test_a_footnote_marks_a_value() -> None:
    assert marks_a_value("* contaminated vial")
    assert not marks_a_value("contaminated vial")
