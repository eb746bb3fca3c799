"""Words in columns of numbers that say that there is none."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.data.files.data_files import ALL_PARTS, DataFile, DataFileError, Options, parse_with
from bayescope.engine.problem.data.tables.measured_cells import missing_words


def read(text: str, **said: frozenset[str]) -> DataFile:
    return parse_with(text.encode(), "m.csv", Options(named=True, **said))


def test_words_that_say_why_there_is_no_value_count_as_missing_and_are_counted() -> None:
    found = read("t,u,v\n0,filtered,1\n1,2,Filtered\n2,3,n.d.\n3,,4\n4,5,6\n")
    assert found.table.columns["u"] == (None, 2.0, 3.0, None, 5.0)
    assert found.table.columns["v"] == (1.0, None, None, 4.0, 6.0)
    assert found.preview.missing == "4 cells missing (1 “filtered”, 1 “Filtered”, 1 “n.d.”, …)"


def test_the_same_words_are_labels_and_names_elsewhere() -> None:
    found = read("t,state,raw,filtered\n0,valid,1,2\n1,rejected,3,4\n2,valid,5,6\n").table
    assert found.texts == {"state": ("valid", "rejected", "valid")}
    assert found.columns["filtered"] == (2.0, 4.0, 6.0)
    assert read("t,state\n0,rejected\n1,rejected\n").table.texts == {"state": ("rejected", "rejected")}


def test_other_words_are_asked_for_with_all_of_them_and_count_once_they_were_said() -> None:
    text = "t,u,v\n0,dog ate it,1\n1,2,zzz\n2,3,4\n3,5,6\n"
    with pytest.raises(DataFileError, match="dog ate it") as caught:
        read(text)
    assert caught.value.bad_cells == {"dog ate it", "zzz"}
    found = read(text, nothing=caught.value.bad_cells)
    assert found.table.columns["u"] == (None, 2.0, 3.0, 5.0)
    assert found.preview.missing == "2 cells missing (1 “dog ate it”, 1 “zzz”)"
    with pytest.raises(DataFileError, match="zzz"):
        read(text, nothing=frozenset({"dog ate it"}))


def test_a_table_that_cannot_be_read_tells_which_other_tables_the_file_holds() -> None:
    text = "t,u\n0,1\n1,zzz\n2,3\n\nSecond\nx,w\n1,2\n2,3\n3,4\n"
    with pytest.raises(DataFileError) as caught:
        read(text)
    assert len(caught.value.titles) == 2
    assert caught.value.part in (0, ALL_PARTS)


def test_words_are_counted_beside_the_usual_marks() -> None:
    assert missing_words(["1", "lost", "", "2"], ["lost"]) == "2 cells missing (1 “lost”, 1 empty)"
