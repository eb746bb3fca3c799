"""An output that says no unit has that of those called alike in the same file: all of them are scaled alike."""

from __future__ import annotations

import msgspec
import pytest
from data_pages import PROBLEM

from bayescope.engine.problem import definition as d
from bayescope.gui.models.data.units.unit_doubts import first_unit_doubt


def compared(names: tuple[str, str], sources: tuple[str, str] = ("res.txt", "res.txt")) -> d.Problem:
    outputs = tuple(
        d.Output(name=name, source=source, extractor=d.CsvColumn(column=name), unit=unit)
        for name, source, unit in zip(names, sources, ("m", ""), strict=True)
    )
    columns = {"a [mm]": (7.0, 30.0), "b (piezometer) (drawdown [mm])": (3.0, 4.0)}
    matches = tuple(d.Match(output=o.name, column=c) for o, c in zip(outputs, columns, strict=True))
    meaning = d.Predictions(matches=matches, noise=d.GaussianKnown(sd=1.0))
    return msgspec.structs.replace(PROBLEM, outputs=outputs, data=d.DataTable(columns=columns), meaning=meaning)


def test_both_are_multiplied_where_one_says_its_unit() -> None:
    found = first_unit_doubt(compared(("head_change_1", "head_change_2")), None)
    assert found is not None
    assert found[1].same is not None
    assert isinstance(found[1].same.meaning, d.Predictions)
    assert [m.factor for m in found[1].same.meaning.matches] == [1000.0, 1000.0]
    assert isinstance(found[1].problem.meaning, d.Predictions)
    other = first_unit_doubt(found[1].problem, None)
    assert other is not None
    assert "“head_change_2” is in m, as “head_change_1” beside it says, and" in other[1].words


@pytest.mark.parametrize(
    ("names", "sources"),
    [(("x1", "x2"), ("res.txt", "res.txt")), (("head", "flow"), ("res.txt", "res.txt")), (("head_1", "head_2"), ("a", "b"))],
)
def test_another_quantity_and_another_file_tell_nothing(names: tuple[str, str], sources: tuple[str, str]) -> None:
    found = first_unit_doubt(compared(names, sources), None)
    assert found is not None
    assert isinstance(found[1].problem.meaning, d.Predictions)
    assert first_unit_doubt(found[1].problem, None) is None
