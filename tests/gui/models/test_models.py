"""Every model obeys Qt's rules while it changes (QAbstractItemModelTester), and shows the text of others as plain text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QAbstractItemModel, Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from bayescope.engine.problem.definition import DataTable, Normal, Parameter, Uniform
from bayescope.gui.models.data.tables.data_table import DataTableModel, TextTableModel
from bayescope.gui.models.parameters import ParametersModel
from bayescope.gui.models.recent import Recent, RecentModel
from bayescope.gui.models.records import FINDING_ROLE, CellFinding, RecordsModel
from bayescope.gui.models.results.comparison import ComparedRow, comparison_columns
from bayescope.gui.models.results.summary import CorrelationModel, SummaryRow, summary_columns

FATAL = QAbstractItemModelTester.FailureReportingMode.Fatal


def parameter(name: str) -> Parameter:
    return Parameter(name=name, prior=Uniform(low=0.0, high=1.0))


@pytest.fixture
def kept() -> list[object]:
    return []


@pytest.fixture
def parameters(qtbot: QtBot, kept: list[object]) -> ParametersModel:
    """A model whose commits are taken at once, as the controller does."""

    def commit(rows: tuple[Parameter, ...], text: str) -> bool:
        kept.append(text)
        model.set_rows(rows)
        return True

    model = ParametersModel(commit)
    kept.append(QAbstractItemModelTester(model, FATAL))
    return model


def test_the_parameters_model_stays_sound_through_every_kind_of_change(parameters: ParametersModel) -> None:
    a, b, c = (parameter(n) for n in "abc")
    for rows in ((a, b, c), (a, c), (c, a), (), (b,), (a, b, c, parameter("d")), (parameter("x"), b)):
        parameters.set_rows(rows)
        assert parameters.rows == tuple(rows)
        assert parameters.rowCount() == len(rows)
    parameters.append(a, "add")
    parameters.move(0, 1, "move")
    parameters.remove([0], "remove")
    parameters.set_findings([CellFinding(0, "name", "error", "Wrong.")])


@settings(max_examples=30, deadline=None)
@given(st.lists(st.lists(st.sampled_from("abcde"), max_size=6, unique=True), max_size=6))
def test_any_sequence_of_rows_is_followed_exactly(sequences: list[list[str]]) -> None:
    model = ParametersModel(lambda rows, text: True)
    tester = QAbstractItemModelTester(model, FATAL)
    for names in sequences:
        model.set_rows([parameter(n) for n in names])
        assert [model.index(i, 0).data() for i in range(model.rowCount())] == names
    del tester


def test_typing_in_a_cell_changes_the_record(parameters: ParametersModel) -> None:
    parameters.set_rows([parameter("a")])
    assert parameters.setData(parameters.index(0, parameters.column_of("prior")), "normal(3, 0.5)")
    assert parameters.rows[0].prior == Normal(mean=3.0, sd=0.5)
    assert parameters.setData(parameters.index(0, parameters.column_of("plausible")), "2 to 4")
    assert parameters.rows[0].plausible == (2.0, 4.0)
    assert parameters.setData(parameters.index(0, parameters.column_of("fixed")), "3,5")
    assert parameters.rows[0].fixed == 3.5


@pytest.mark.parametrize(
    ("key", "text", "word"),
    [("lower", "abc", "number"), ("prior", "banana(1)", "not a prior"), ("prior", "uniform(1)", "needs 2 numbers"),
     ("plausible", "1", "two numbers"), ("fixed", "inf", "finite"), ("prior", "x" * 10_000, "not a prior")],
)  # fmt: skip
def test_nonsense_is_refused_with_a_sentence_and_nothing_changes(
    parameters: ParametersModel, key: str, text: str, word: str
) -> None:
    parameters.set_rows([parameter("a")])
    said: list[str] = []
    parameters.refused.connect(lambda row, column, words: said.append(words))
    assert not parameters.setData(parameters.index(0, parameters.column_of(key)), text)
    assert parameters.rows == (parameter("a"),)
    assert word in said[0]
    assert len(said[0]) < 500


def test_a_read_only_model_offers_no_editing(parameters: ParametersModel) -> None:
    parameters.set_rows([parameter("a")])
    parameters.read_only = True
    assert not parameters.flags(parameters.index(0, 0)) & Qt.ItemFlag.ItemIsEditable
    assert not parameters.setData(parameters.index(0, 0), "b")


def test_html_and_endless_names_are_shown_as_short_plain_text(parameters: ParametersModel) -> None:
    parameters.set_rows([msgspec.structs.replace(parameter("a"), label="<b>bold</b>\n" + "x" * 10_000)])
    shown = parameters.index(0, 1).data()
    assert shown.startswith("<b>bold</b>")
    assert "\n" not in shown
    assert len(shown) <= 200


def test_findings_are_roles_of_their_cells(parameters: ParametersModel) -> None:
    parameters.set_rows([parameter("a"), parameter("b")])
    parameters.set_findings(
        [CellFinding(1, "prior", "warning", "Doubtful."), CellFinding(1, "prior", "error", "Wrong.")]
    )
    cell = parameters.index(1, parameters.column_of("prior"))
    assert cell.data(FINDING_ROLE) == "error"
    assert cell.data(Qt.ItemDataRole.ToolTipRole) == "Doubtful.\nWrong."
    assert parameters.index(0, 0).data(FINDING_ROLE) is None


def _data_table(model: QAbstractItemModel) -> None:
    assert isinstance(model, DataTableModel)
    model.set_table(DataTable(columns={"<i>t</i>": (1.0, None), "y": (2.0, 3.0)}))
    assert model.index(1, 0).data() == "–"
    model.set_table(DataTable(columns={"t": tuple(float(i) for i in range(500))}))
    assert model.index(499, 0).data() == "499"
    model.set_table(None)


def test_a_long_table_costs_nothing_until_it_is_looked_at(qtbot: QtBot) -> None:
    model = DataTableModel()
    model.set_table(DataTable(columns={"t": tuple(range(1_000_000))}))  # type: ignore[dict-item]
    assert model.rowCount() == 1_000_000
    assert model.index(999_999, 0).data() == "999999"


def _text_table(model: QAbstractItemModel) -> None:
    assert isinstance(model, TextTableModel)
    model.set_content(["a", "b"], [["1"], ["2", "3"]])
    assert model.index(0, 1).data() == ""
    model.set_content([], [])


def _recent(model: QAbstractItemModel) -> None:
    assert isinstance(model, RecentModel)
    one = Recent(Path("/x/a.bayescope"), "a", "", 0.0, False)
    model.set_rows([one, Recent(Path("/x/b.bayescope"), "b", "", 0.0, True)])
    model.set_row(0, Recent(one.path, "a", "3 runs", 0.0, False))
    model.set_row(1, one)  # another file's news: ignored
    assert model.rows[0].state == "3 runs"
    assert model.rows[1].name == "b"


def _correlation(model: QAbstractItemModel) -> None:
    assert isinstance(model, CorrelationModel)
    model.set_values(["a", "b"], [[1.0, -0.5], [-0.5, 1.0]])
    assert model.index(0, 1).data() == "−0.50"
    assert model.index(0, 0).data() == "1"
    model.set_values([], [])


@pytest.mark.parametrize(
    ("make", "change"),
    [
        (DataTableModel, _data_table),
        (TextTableModel, _text_table),
        (RecentModel, _recent),
        (CorrelationModel, _correlation),
    ],
)
def test_the_other_models_are_sound(
    qtbot: QtBot, make: Callable[[], QAbstractItemModel], change: Callable[[QAbstractItemModel], None]
) -> None:
    model = make()
    tester = QAbstractItemModelTester(model, FATAL)
    change(model)
    del tester


def test_the_result_tables_are_sound(qtbot: QtBot) -> None:
    summary: RecordsModel[SummaryRow] = RecordsModel(summary_columns())
    compared: RecordsModel[ComparedRow] = RecordsModel(comparison_columns())
    testers = [QAbstractItemModelTester(summary, FATAL), QAbstractItemModelTester(compared, FATAL)]
    row = SummaryRow("a", "", "m", 1.234, 0.056, 1.2, (((1.1, 1.3),),) * 4)
    summary.set_rows([row, row])
    best = replace(row, best="1.19", peak="1.2")
    summary.set_columns(summary_columns("equal_tailed", [best]))
    assert [c.title for c in summary.columns][-2:] == ["Best run", "Maximum"]
    summary.set_rows([best])
    summary.set_columns(summary_columns("equal_tailed", [replace(best, lucky=True)]))
    assert summary.columns[-2].title == "Best run (lucky)"
    assert "the highest of many is likely to be a lucky one" in summary.columns[-2].tip
    summary.set_columns(summary_columns("equal_tailed", [replace(best, peak="")]))
    assert summary.columnCount() == len(summary_columns()) + 1, "slice sampling has no surrogate, and so no maximum"
    summary.set_rows([])
    compared.set_rows([ComparedRow("a", "Recommended", "–", "−1", "best", "best", "100 %", "4", "converged")])
    assert len(testers) == 2
