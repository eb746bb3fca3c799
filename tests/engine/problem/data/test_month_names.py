"""Dates with the names of months, in the languages that loggers write them in."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.data.rows.text_keys import seconds_of
from bayescope.engine.problem.numbers.dates_in_text import dates_in

DAY = 86400.0


@pytest.mark.parametrize(("text", "iso"), [
    ("3. März 2026", "2026-03-03"), ("3 Maerz 2026", "2026-03-03"), ("12. Dez. 2025 14:30", "2025-12-12 14:30"),
    ("1 févr. 2026", "2026-02-01"),
    ("1er août 2026", "2026-08-01"), ("15 AOÛT 2026", "2026-08-15"), ("15 aout 2026", "2026-08-15"),
    ("3 de mayo de 2026", "2026-05-03"), ("3 ene 2026", "2026-01-03"), ("9 giugno 2026", "2026-06-09"),
    ("30 set 2026", "2026-09-30"), ("7 de março de 2026", "2026-03-07"), ("5-mei-2026", "2026-05-05"),
    ("5 mrt 2026", "2026-03-05"),
    ("2 Sep 2019", "2019-09-02"), ("May 1, 2024", "2024-05-01"), ("12 oktober 2026", "2026-10-12"),
    ("12 Otto 2026", None), ("12 marzipan 2026", None),
])  # fmt: skip
def test_dates_are_read_by_the_names_of_months_of_seven_languages(text: str, iso: str | None) -> None:
    assert seconds_of(text) == (None if iso is None else seconds_of(iso))


def test_such_dates_are_found_in_what_a_program_prints() -> None:
    line = "Lauf vom 3. März 2026 14:05:00, T = 12.5"
    ((start, end),) = dates_in(line)
    assert line[start:end] == "3. März 2026 14:05:00"
    assert dates_in("12 maggots 2026, 3 set of 5, 4 out of 2026") == []
