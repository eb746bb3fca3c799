"""Tables with the same headings below titles that differ in a number: it goes behind the names of their columns."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.marks import Mark

FILM = "".join(
    f"ANGLE OF INCIDENCE  {angle} deg\n  wl/nm       Rs         Rp         Ts\n" + "-" * 44 + "\n"
    + "".join(f"{450 + 5 * k:7.1f}{0.01 * k + 0.1:11.6f}{0.02 * k:11.6f}{0.98 - 0.01 * k:11.6f}\n" for k in range(6)) + "\n"
    for angle in ("20.0", "60.5", "-5.0")
)  # fmt: skip


def table(text: str, title: str, nth: int = 0) -> tuple[tuple[str, ...], str]:
    """Names of the columns, and what goes behind them, where a title is clicked."""
    at = -1
    for _ in range(nth + 1):
        at = text.index(title, at + 1)
    mark = Mark(text, at + 7, at + 7, "stdout")  # a click on a word of it
    offer = next(o for o in mark.offers("table"))
    return offer.names, offer.behind


@pytest.mark.parametrize(("title", "behind"), [("20.0 deg", "20"), ("60.5 deg", "60_5"), ("-5.0 deg", "m5")])
def test_the_number_of_its_title_tells_a_table_from_others(title: str, behind: str) -> None:
    names, found = table(FILM, f"ANGLE OF INCIDENCE  {title}")
    assert names == ("wl/nm", "Rs", "Rp", "Ts")  # the title above is no part of the headings
    assert found == behind


def test_a_title_alone_or_titles_with_one_number_put_nothing_behind_names() -> None:
    first = FILM[: FILM.index("ANGLE", 5)]
    assert table(first, "ANGLE OF INCIDENCE  20.0 deg")[1] == ""
    assert table(FILM.replace("60.5", "20.0"), "ANGLE OF INCIDENCE  -5.0 deg")[1] == ""
