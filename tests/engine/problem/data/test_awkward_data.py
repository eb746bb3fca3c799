"""Forty and more data files as people have them, named by what is awkward: what the window proposes is right, or a sentence says
what to do."""

from __future__ import annotations

import re

import pytest

from awkward_data import AWKWARD_DATA as FILES
from awkward_data import Awkward
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.files.data_files import DataFile, DataFileError, Options, parse_with
from bayescope.engine.problem.data.tables import long_form, naming_pairs


def proposed(file: Awkward) -> DataFile:
    """What the window proposes: the table as found out, split where the texts of a column name outputs."""
    found = parse_with(file.data, file.name, Options(missing=None, outputs=file.outputs, part=file.part, named=True))
    by = naming_pairs.proposed(found.table, file.outputs)
    return DataFile(long_form.split(found.table, by), found.preview) if by else found


def test_there_are_forty_and_more_and_each_has_its_name() -> None:
    assert len(FILES) >= 40
    assert len({file.name for file in FILES}) == len(FILES)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_what_the_window_proposes_is_right_or_a_sentence_says_what_to_do(file: Awkward) -> None:

    if file.columns is None:
        with pytest.raises(DataFileError) as caught:
            proposed(file)
        assert re.search(file.says, str(caught.value), re.IGNORECASE)
        assert caught.value.suggestion or file.says == "no"
        return
    found = proposed(file)
    assert found.table.columns == file.columns
    if file.texts:
        assert found.table.texts == file.texts
    if file.says:
        assert re.search(file.says, " ".join((*found.preview.notes, *found.preview.moments))), found.preview.notes
    lengths = {len(c) for c in (*found.table.columns.values(), *found.table.texts.values())}
    assert len(lengths) == 1
    assert isinstance(found.table, d.DataTable)
