"""Tables with the columns of the marked one are found in the same text and in other files, and told apart in names."""

from __future__ import annotations

import pytest

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.extract import read_output
from bayescope.engine.problem.marks import Mark
from bayescope.engine.problem.marks.tables.equal_tables import MOST_TABLES, EqualTable, equal_tables


def section(title: str, scale: float, rows: int = 5) -> str:
    return f" {title}\n\n   V      I\n" + "".join(f"  {0.1 * k:5.2f}  {scale + k:7.3f}\n" for k in range(rows)) + "\n"


def found(text: str, at: str, others: dict[str, str] | None = None, scope: str = "table") -> tuple[EqualTable, ...]:
    place = text.index(at)
    mark = Mark(text, place, place, "iv.out")
    return equal_tables(mark, mark.offers(scope)[0], {"iv.out": text}, others or {})  # type: ignore[arg-type]


def values(table: EqualTable, text: str) -> list[tuple[float, ...]]:
    outputs = [d.Output(name="x", source="", extractor=p.extractor) for p in table.columns]
    return [read_output(output, text).values for output in outputs]


TWO = section("IRRADIANCE = 1000.0 W/m2", 100.0) + section("IRRADIANCE = 600.5 W/m2", 60.0, 7)


@pytest.mark.parametrize(("at", "scope", "columns"), [("IRRADIANCE", "table", 2), ("V  ", "column", 1)])
def test_sections_of_one_text_are_named_by_the_number_of_their_titles(at: str, scope: str, columns: int) -> None:
    tables = found(TWO, at, scope=scope)
    assert [(t.source, t.behind, len(t.columns)) for t in tables] == [("iv.out", "1000", columns), ("iv.out", "600_5", columns)]
    assert values(tables[1], TWO)[-1][-1] == (66.0 if columns == 2 else 0.6)


def test_titles_that_differ_in_a_word_name_them_by_it_and_titles_that_tell_nothing_count_them() -> None:
    words = section("LIGHT HOT SIDE", 1.0) + section("LIGHT COLD SIDE", 2.0)
    assert [t.behind for t in found(words, "V  ")] == ["HOT", "COLD"]
    same = section("RESULTS OF A RUN", 1.0) * 3
    assert [t.behind for t in found(same, "V  ")] == ["1", "2", "3"]


def test_titles_name_tables_by_the_words_in_which_they_differ_and_not_by_numbers_beside_these() -> None:
    wells = ("PB1   r = 18.0 m   layer 1", "PB2   r = 75.0 m   layer 1", "PB3   r = 18.0 m   layer 0")
    text = "".join(section(f"OBSERVATION WELL {well}", 1.0 + k) for k, well in enumerate(wells))
    assert [t.behind for t in found(text, "V  ")] == ["PB1", "PB2", "PB3"]


def test_the_nearest_title_names_tables_rather_than_a_result_in_the_last_row_of_another_one() -> None:
    heading = "+----+---------+-------+\n|  N |   DY [m] |     R |\n+----+---------+-------+\n"
    text = "".join(
        f"\nDISPLACEMENTS - case LC{k}\n{heading}" + "".join(f"| B{j} | {k}.{j}3E-04 | {j}.{k}2 |\n" for j in range(4))
        + f"\nFORCES - case LC{k}\n" + heading.replace("DY [m]", " F [N]")
        + "".join(f"| C{j} |    {k}{j}4.5 | {k}.{j}1 |\n" for j in range(4)) for k in (1, 2)
    )  # fmt: skip
    assert [t.behind for t in found(text, "F [N]", scope="column")] == ["LC1", "LC2"]


def test_a_table_alone_steps_of_time_and_tables_that_another_run_lacks_are_not_offered() -> None:
    assert found(section("IRRADIANCE = 1000.0 W/m2", 1.0), "V  ") == ()
    steps = "".join(section(f"TIME = {k} s", 1.0) for k in range(MOST_TABLES + 1))
    assert found(steps, "V  ") == ()
    assert found(TWO, "V  ", {"iv.out": TWO[: len(TWO) // 2 - 20]}) == ()
    assert len(found(TWO, "V  ", {"iv.out": TWO})) == 2


@pytest.mark.parametrize(
    ("names", "behind"), [(("iv_1000.csv", "iv_600.csv"), ["1000", "600"]), (("hot.csv", "cold.csv"), ["hot", "cold"])]
)
def test_files_with_one_heading_are_named_by_what_their_names_differ_in(names: tuple[str, str], behind: list[str]) -> None:
    texts = {
        names[0]: "V,I\n" + "".join(f"{k},{k * 2.5}\n" for k in range(5)),
        "log.csv": "time,step\n1,2\n2,3\n3,4\n",
        names[1]: "V,I\n" + "".join(f"{k},{k * 3.5}\n" for k in range(8)),
    }
    mark = Mark(texts[names[0]], 2, 2, names[0])
    tables = equal_tables(mark, mark.offers("table")[0], texts, {})
    assert [(t.source, t.behind) for t in tables] == list(zip(names, behind, strict=True))
    assert values(tables[1], texts[names[1]])[-1][-1] == 24.5
