"""What names of columns say is worked out once for each name and each table, however often it is asked for."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.data.errors import sd_pairs as pairs_module
from bayescope.engine.problem.data.errors.sd_pairs import sd_pairs
from bayescope.engine.problem.data.names import column_names
from bayescope.engine.problem.data.names.column_names import sd_columns, without_unit

COLUMNS = tuple(name for k in range(12) for name in (f"D{k} LF1 (mm)", f"D{k} LF1 sd (mm)"))


def test_a_table_is_read_once_however_many_comparisons_ask_for_its_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    real = column_names.says_sd_of

    def counted(sds: str, column: str, columns: tuple[str, ...] = ()) -> bool:
        asked.append(sds)
        return real(sds, column, columns)

    monkeypatch.setattr(column_names, "says_sd_of", counted)
    monkeypatch.setattr(pairs_module, "says_sd_of", counted)
    table = [f"{name} of this test" for name in COLUMNS]
    first, once = (sd_columns(table), sd_pairs(table)), len(asked)
    for _ in range(30):
        assert (sd_columns(list(table)), sd_pairs(list(table))) == first
    assert once > 0
    assert len(asked) == once


def test_who_changes_what_was_found_changes_it_for_nobody_else() -> None:
    sd_columns(COLUMNS).clear()
    sd_pairs(COLUMNS).clear()
    assert sd_columns(COLUMNS) == list(COLUMNS[1::2])
    assert sd_pairs(COLUMNS) == dict(zip(COLUMNS[::2], COLUMNS[1::2], strict=True))


def test_a_name_known_before_is_not_taken_apart_again() -> None:
    before = without_unit.cache_info()
    for _ in range(5):
        assert without_unit("deflection of this test (mm)") == "deflection of this test"
    after = without_unit.cache_info()
    assert after.misses == before.misses + 1
    assert after.hits == before.hits + 4


def test_a_word_for_errors_with_a_unit_behind_it_is_of_the_column_before_in_a_unit_of_its_kind() -> None:
    assert sd_pairs(["F_fN", "ext_um", "err_nm"]) == {"ext_um": "err_nm"}
    assert sd_columns(["x_mm", "sigma_mpa"]) == []  # a stress
