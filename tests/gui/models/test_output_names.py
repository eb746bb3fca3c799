"""Proposed names of outputs: nothing that is read already is replaced by something else of the same name."""

from __future__ import annotations

import pytest

from bayescope.engine.problem import definition as d
from bayescope.gui.models.simulator.outputs.output_names import names_in_the_way

TIMES, LATER = "time p\n5 1.5\n10 2.5\n", "time q\n7 3.5\n14 4.5\n"
HERE = {"inj.txt": TIMES, "prod.txt": TIMES.replace("p", "q"), "late.txt": LATER}


def column(source: str, name: str = "time") -> d.Output:
    return d.Output(name="time", source=source, extractor=d.CsvColumn(column=name, delimiter=" ", header=True))


@pytest.mark.parametrize(
    ("source", "there", "free"),
    [
        ("inj.txt", {}, True),  # the same once more, perhaps read another way
        ("prod.txt", HERE, True),  # the same times in another file
        ("prod.txt", HERE | {"prod.txt": LATER}, False),  # they are others in the run at other values
        ("late.txt", {}, False),
        ("gone.txt", {}, False),
    ],
)
def test_a_name_is_free_only_for_the_same_numbers(source: str, there: dict[str, str], free: bool) -> None:
    declared = (column("inj.txt"), d.Output(name="p", source="inj.txt", extractor=d.LastNumber()))
    taken = names_in_the_way(declared, column(source), HERE, there)
    assert taken == ([] if free else ["time", "p"])


def test_another_table_of_the_same_text_gets_a_name_of_its_own() -> None:
    text = {"stdout": "flow 1.5\nend\nflow 2.5\n"}
    first, last = (
        d.Output(name="flow", source="stdout", extractor=d.LabelledNumber(label="flow", occurrence=k)) for k in (1, -1)
    )
    assert names_in_the_way((first,), last, text, {}) == ["flow"]
    assert names_in_the_way((first,), first, text, {}) == []
