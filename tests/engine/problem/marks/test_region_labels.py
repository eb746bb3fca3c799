"""Labels, times and dates beside the numbers of a table inside a report: read as keys by the region that reads the numbers."""

from __future__ import annotations

import msgspec
import pytest

from bayescope.engine.problem.data.rows.text_keys import code
from bayescope.engine.problem.definition import CsvColumn, Output, Region
from bayescope.engine.problem.extract import ExtractionError, extract, read_output
from bayescope.engine.problem.marks import Mark
from bayescope.engine.problem.marks.labels.number_label import Label, label_of

SERIES = """  <<< Link C1 >>>
  ----------------------------------------
                             Flow  Velocity
  Date        Time            CMS     m/sec
  ----------------------------------------
   06/14/2023 00:10:00      0.000     0.010
   06/14/2023 00:20:00      0.300     0.011

  <<< Link C2 >>>
  ----------------------------------------
                             Flow  Velocity
  Date        Time            CMS     m/sec
  ----------------------------------------
   06/14/2023 00:10:00      0.001     0.000
   06/14/2023 00:20:00      0.002     0.156

  Analysis ended on:  Mon Nov 23 06:37:22 2026
"""
NODES = """  Node Results at 8:00:00 hrs:
  ----------------------------------------------
                     Demand      Head  Pressure
  Node                  L/s         m    METERS
  ----------------------------------------------
  J1                   2.40    108.15     46.15
  Hydrant              0.00    100.83     53.83
  T1                   7.96    102.00      4.00  Tank
"""


def test_times_are_read_beside_the_numbers_of_the_table_that_is_meant() -> None:
    region = Region(anchor="<<< Link C2 >>>", by="word", form="ttnn", columns=(3,))
    assert extract(region, SERIES).values == (0.001, 0.002)
    times = extract(Region(anchor="<<< Link C2 >>>", by="word", form="ttnn", columns=(2,)), SERIES, labels=True)
    assert times.texts == ("00:10:00", "00:20:00")
    assert times.values == (600.0, 1200.0)
    assert [SERIES[a:b] for a, b in times.spans] == ["00:10:00", "00:20:00"]
    assert times.spans[0][0] > SERIES.index("Link C2")


def test_names_of_nodes_are_read_whatever_stands_behind_their_numbers() -> None:
    found = extract(Region(anchor="Node Results at 8:00:00 hrs:", form="tnnn*", columns=(1,)), NODES, labels=True)
    assert found.texts == ("J1", "Hydrant", "T1")
    assert found.values == tuple(map(code, found.texts))


def test_columns_of_characters_hold_labels_too() -> None:
    fields = ((3, 10), (20, 26), (30, 36), (40, 46))
    region = Region(anchor="Node Results at", characters=fields, columns=(1,))
    assert extract(region, NODES, labels=True).texts == ("J1", "Hydrant", "T1")


@pytest.mark.parametrize(
    ("region", "words"),
    [
        (Region(anchor="Node Results at", form="tnnn*", columns=(7,)), "line 6 has no column 7"),
        (Region(anchor="Node Results at", columns=(1,)), "labels need the form of the rows"),
        (Region(anchor="Link Results", form="tnnn*", columns=(1,)), "does not occur"),
    ],
)
def test_labels_that_are_not_there_are_an_error_in_words(region: Region, words: str) -> None:
    with pytest.raises(ExtractionError, match="The output “node” could not be read from stdout: .*" + words):
        read_output(Output(name="node", source="stdout", extractor=region, text=True), NODES)


def test_a_table_between_others_is_known_by_the_time_in_its_heading_if_another_run_has_it_too() -> None:
    steps = [NODES.replace("8:00:00", f"{hour}:00:00") for hour in (6, 8, 10)]
    text = "\n".join(steps)
    at = text.index("Pressure", text.index("8:00:00"))
    found = Mark(text, at + 3, at + 3, other=text.replace("46.15", "47.25")).offers("column")
    assert isinstance(found[0].proposals[0].extractor, Region)
    assert found[0].proposals[0].extractor.anchor == "Node Results at 8:00:00 hrs"
    assert "all" in [offer.repeat for offer in found]  # all the times can still be chosen
    later = "\n".join([NODES.replace("8:00:00", "7:00:00"), *steps])  # one more table before it
    assert extract(found[0].proposals[0].extractor, later).values == extract(found[0].proposals[0].extractor, text).values


def test_a_date_and_the_time_in_the_next_column_are_one_label_and_which_number_is_the_month_is_said() -> None:
    region = Region(anchor="<<< Link C2 >>>", by="word", form="ttnn", columns=(1,))
    output = Output(name="when", source="stdout", extractor=region, text=True, label_columns=2)
    read = read_output(output, SERIES)
    assert read.texts == ("06/14/2023 00:10:00", "06/14/2023 00:20:00")
    assert read.values == tuple(map(code, read.texts)), "nobody said which number is the month: it pairs with the same text"
    assert [SERIES[a:b] for a, b in read.spans] == list(read.texts)
    dated = read_output(msgspec.structs.replace(output, month="first"), SERIES)
    assert dated.texts == ("2023-06-14 00:10:00", "2023-06-14 00:20:00")
    assert dated.values == (code("2023-06-14 00:10"), code("2023-06-14 00:20"))
    table = "day,clock,q\n5/3/24,14:10,1\n5/3/24,14:20,2\n"
    cells = Output(name="when", source="x", extractor=CsvColumn(column=0), text=True, label_columns=2, month="second")
    assert read_output(cells, table).texts == ("2024-03-05 14:10", "2024-03-05 14:20")
    named = msgspec.structs.replace(cells, extractor=CsvColumn(column="day"))
    with pytest.raises(ExtractionError, match="only columns that are counted"):
        read_output(named, table)


PROBES = """---- probes on the upper face ----
TC1  x = 0.01 m   T = 349.833 K
TC2  x = 0.025 m   T = 339.863 K
TC3  x = 0.045 m   T = 329.883 K
heat into the fin 365.085 W/m
"""


def test_labels_before_the_numbers_of_each_row_name_their_columns_without_the_name_of_the_row() -> None:
    start, end = PROBES.index("TC1"), PROBES.index("heat") - 1
    table = Mark(PROBES, start, end, "stdout").offers("table")[0]
    assert table.names == ("x (m)", "T (K)")
    assert [p.values for p in table.proposals] == [(0.01, 0.025, 0.045), (349.833, 339.863, 329.883)]


def test_a_letter_that_is_a_unit_too_is_a_name_behind_the_unit_of_the_number_before() -> None:
    row = PROBES.splitlines()[1]
    assert label_of(row, row.index("349"), row.index(" K")) == Label("T", "K", signed=True)
    assert label_of("5.07 Eh = 138 eV", 10, 13) is None
