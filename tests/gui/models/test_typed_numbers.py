"""Numbers that people type and paste: read as what they mean or refused with a sentence, in every field there is."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QLocale, QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from bayescope.engine.answer.csv_cells import safe_cell, safe_copy
from bayescope.engine.problem import definition as d
from bayescope.gui.models.fields import Field, value_of
from bayescope.gui.models.parameter_findings import outside_file_value, place_of
from bayescope.gui.models.parameters import parse_pasted, parse_range
from bayescope.gui.models.plain import number_of
from bayescope.gui.models.prior_families import parse_prior
from bayescope.gui.models.simulator.numbers.marked_number import number_with_suffix
from bayescope.gui.pages.trial_panel import _typed
from bayescope.gui.widgets.number_boxes import AmountBox, CountBox

REFUSED = None
NUMBERS: tuple[tuple[str, float | None], ...] = (
    ("1.5", 1.5), ("1,5", 1.5), ("−1.5", -1.5), ("－1.5", -1.5), ("\u20101.5", -1.5), ("1.5e−3", 1.5e-3), ("1.0D+03", 1e3),
    (".5", 0.5), ("5.", 5.0), ("+2", 2.0), ("1\u00a0234", 1234.0), ("1\u202f234,5", 1234.5), ("−\u00a05", -5.0), ("0,123", 0.123),
    ("1234,567", 1234.567), ("1e-400", 0.0), ("\ufeff3\u200b", 3.0), ("1,234", REFUSED), ("-12,345", REFUSED),
    ("1,234.5", REFUSED), ("1.234,5", REFUSED), ("1_000", REFUSED), ("1'234", REFUSED), ("1 234", REFUSED),
    ("1\u00a05", REFUSED), ("١٢", REFUSED), ("１.５", REFUSED), ("½", REFUSED), ("10²", REFUSED), ("1·10^3", REFUSED),
    ("1×10^-3", REFUSED), ("–5", REFUSED), ("- 5", REFUSED), ("--5", REFUSED), ("5-", REFUSED), ("(5)", REFUSED),
    ("50%", REFUSED), ("3mm", REFUSED), ("0x10", REFUSED), ("1e400", REFUSED),
    ("inf", REFUSED), ("-∞", REFUSED), ("nan", REFUSED), ("1.5-103", REFUSED), ("1\u200b5", REFUSED), ("true", REFUSED),
)  # fmt: skip


@pytest.mark.parametrize(("text", "value"), NUMBERS)
def test_a_typed_number_is_what_it_means_or_refused(text: str, value: float | None) -> None:
    readers = {
        "plain": lambda t: number_of(t, "The limit"),
        "number": lambda t: value_of(Field("x", "The limit", "", "number"), t),
        "optional": lambda t: value_of(Field("x", "The limit", "", "optional_number"), t),
        "list": lambda t: value_of(Field("x", "The limit", "", "numbers"), f"{t}; 1")[0],
        "test run": lambda t: _typed(("rho", "", 0.0), t)[2],
        "pasted": lambda t: parse_pasted(f"name\tfixed\tprior\nk\t{t}\tuniform(0, 1)\n").parameters[0].fixed,
        "prior": lambda t: parse_prior(f"normal({t}; 1)").mean,  # type: ignore[union-attr]
        "range": lambda t: (parse_range(f"{t} to 1e9") or (None,))[0],
    }
    for name, read in readers.items():
        if value is not None:
            assert read(text) == value, name
        else:
            with pytest.raises((ValueError, IndexError)):
                read(text)


@pytest.mark.parametrize(("text", "value"), [
    ("1/4.184", 1 / 4.184), ("60*24", 1440.0), ("1e-3/2", 5e-4), ("−1/1000", -1e-3), ("1/2,5", 0.4), ("24×60×60", 86400.0),
    ("(212 - 32)/1.8", 100.0), ("1/(2*3)", 1 / 6), ("-ln(exp(2))", -2.0), ("1 / 4.184", 1 / 4.184),
])  # fmt: skip
def test_arithmetic_is_computed_where_a_number_is_typed(text: str, value: float) -> None:
    assert number_of(text) == pytest.approx(value, rel=1e-15)
    assert value_of(Field("factor", "Times", "", "number"), text) == pytest.approx(value, rel=1e-15)


@pytest.mark.parametrize("text", [
    "1/0", "1/2/2020", "2020-01-01", "0 - 1", "1/4,184", "2**3", "1/", "/2", "(1", "1)", "1//2", "__import__('os')", "1/2 m",
    "(" * 50 + "1*1" + ")" * 50, "9*" * 400 + "9", "1e300*1e300", "exp(1000)",
])  # fmt: skip
def test_what_is_no_arithmetic_or_may_be_a_date_or_a_range_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"must be a number|is no number"):
        number_of(text)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("1-6", (1, 2, 3, 4, 5, 6)), ("columns 1–3", (1, 2, 3)), ("1, 3 - 5; 8", (1, 3, 4, 5, 8)),
        ("Rows 2 to 4 and 7", (2, 3, 4, 7)), ("column 2", (2,)), ("1:3", (1, 2, 3)), ("2", (2,)), ("-1", (-1,)),
        ("numbers 1 through 2", (1, 2)),
    ],
)  # fmt: skip
def test_columns_and_rows_are_typed_as_the_program_itself_writes_them(text: str, numbers: tuple[int, ...]) -> None:
    assert value_of(Field("x", "Columns", "", "counts"), text) == numbers


@pytest.mark.parametrize("text", ["6-1", "a-b", "1.5", "1-2-3", "%"])
def test_what_is_no_list_of_columns_is_answered_with_one_that_is(text: str) -> None:
    with pytest.raises(ValueError, match=r"such as 1, 3 or 1-6|the smaller number comes first"):
        value_of(Field("x", "Columns", "", "counts"), text)


@pytest.mark.parametrize("text", ["1_000", "1,234", "١٢", "1·10^3"])
def test_the_refusal_of_a_typed_number_says_why(text: str) -> None:
    said = rf"The limit must be a number such as 0.5 or 1e-3, not “{text[:3]}[^”]*”: it (has|can|is) "
    with pytest.raises(ValueError, match=said):
        number_of(text, "The limit")


@pytest.mark.parametrize(
    ("text", "values"),
    [("1; 2", (1.0, 2.0)), ("1, 2", (1.0, 2.0)), ("1 2", (1.0, 2.0)), ("1,2,3", (1.0, 2.0, 3.0)), ("0,5; 1,5", (0.5, 1.5)),
     ("1.5,2.5", (1.5, 2.5)), ("1\u00a0234; 5", (1234.0, 5.0)), ("1,5", REFUSED), ("0,5 1,5", REFUSED), ("0,5, 1,5", REFUSED),
     ("1,234,567", REFUSED), ("1; 2,345", REFUSED)],
)  # fmt: skip
def test_a_list_of_numbers_is_cut_where_it_surely_ends(text: str, values: tuple[float, ...] | None) -> None:
    field = Field("x", "These", "", "optional_numbers")
    if values is not None:
        assert value_of(field, text) == values
        return
    with pytest.raises(ValueError, match=r"^These.*in two ways"):
        value_of(field, text)


@pytest.mark.parametrize(
    ("text", "prior"),
    [("truncated normal(0,5; 1,5)", d.TruncatedNormal(mean=0.5, sd=1.5)), ("normal(0,5)", d.Normal(mean=0.0, sd=5.0)),
     ("beta(0,5; 1,5)", d.Beta(a=0.5, b=1.5)), ("uniform(−1, 2)", d.Uniform(low=-1.0, high=2.0)),
     ("truncated normal(0,5 1,5)", REFUSED), ("truncated normal(0, 1,5)", REFUSED), ("normal(0; 1_0)", REFUSED)],
)  # fmt: skip
def test_commas_in_a_prior_separate_unless_semicolons_do(text: str, prior: d.Prior | None) -> None:
    if prior is not None:
        assert parse_prior(text) == prior
        return
    with pytest.raises(ValueError, match=r"in two ways|underscores"):
        parse_prior(text)


def test_pasted_cells_are_neither_lost_nor_shifted_by_commas() -> None:
    for text in ("k, 0,5, 1,5", "k,0,5,1,5", "name,lower,upper\nk,0,5,1,5"):
        pasted = parse_pasted(text)
        assert pasted.parameters == ()
        assert "tabs or semicolons" in pasted.problems[0]
    assert parse_pasted("k,0,1").parameters[0].prior == d.Uniform(low=0.0, high=1.0)
    assert parse_pasted("k;0,5;1,5").parameters[0].prior == d.Uniform(low=0.5, high=1.5)
    assert parse_pasted("name,lower,upper,\nk,0,1,\n").parameters[0].prior == d.Uniform(low=0.0, high=1.0)


def test_digits_of_other_scripts_are_no_places_in_a_list() -> None:
    field = Field("x", "Column", "", "column_or_number")
    assert value_of(field, "٣") == "٣"
    assert value_of(field, "3") == 2
    assert place_of("parameters.².prior", (d.Parameter("k", d.Uniform(low=0.0, high=1.0)),)) == (None, "")


def test_a_number_with_a_unit_is_marked_whole_or_not_at_all() -> None:
    assert number_with_suffix("w = −1.5mm", 4, 9)[0] == (4, 8, -1.5, False)
    for text in ("w = 1'5mm", "w = 1,5mm", "w = 10²m", "w = 1_5mm"):
        assert number_with_suffix(text, 4, len(text)) == (None, "")


# ------------------------------------------------------------------ boxes with arrows


def typed_into(box: CountBox | AmountBox, text: str) -> float:
    """What a person gets who replaces the number by ``text`` and leaves the field."""
    box.selectAll()
    edit = box.findChild(QLineEdit)
    assert edit is not None
    edit.del_()
    for character in text:
        edit.insert(character)
    QTest.keyClick(box, "\r")
    return box.value()


@pytest.mark.parametrize("locale", ["C", "de_DE", "ar_EG"])
@pytest.mark.parametrize(
    ("text", "hours", "count"),
    [("1,5", 1.5, 7), ("1.5", 1.5, 7), ("12", 12.0, 12), ("1.234", 1.23, 7), ("1,234", 7.0, 1234), ("1e3", 1000.0, 7),
     ("1_0", 7.0, 7), ("10,000", 7.0, 10_000), ("1 234", 7.0, 7), ("١٢", 7.0, 7), ("−3", 7.0, 7), ("1'000", 7.0, 7), ("", 7.0, 7),
     ("9999999", 7.0, 7)],
)  # fmt: skip
def test_a_box_takes_what_was_typed_or_keeps_what_it_had(
    qtbot: QtBot, locale: str, text: str, hours: float, count: int
) -> None:
    before = QLocale()
    QLocale.setDefault(QLocale(locale))
    try:
        amount, whole = AmountBox(0.0, 100_000.0, 2), CountBox(0, 1_000_000, 7)
        amount.setSuffix(" h")
        amount.setSpecialValueText("no limit")
        for box in (amount, whole):
            qtbot.addWidget(box)
            box.setValue(7)
        assert typed_into(amount, text) == hours
        assert amount.text().endswith(" h")
        assert typed_into(whole, text) == count
    finally:
        QLocale.setDefault(before)


def test_a_box_shows_and_takes_its_special_value(qtbot: QtBot) -> None:
    box = AmountBox(0.0, 10.0, 2)
    box.setSuffix(" h")
    box.setSpecialValueText("no limit")
    qtbot.addWidget(box)
    box.setValue(0.0)
    assert box.text() == "no limit"
    box.stepUp()
    assert (box.value(), box.text()) == (1.0, "1.00 h")
    assert typed_into(box, "0") == 0.0
    assert box.text() == "no limit"
    assert typed_into(box, "x") == 0.0
    assert box.text() == "no limit"


# ------------------------------------------------------------------ to a spreadsheet


@pytest.mark.parametrize(
    "text",
    ["＝1+1", "＋x", "－cmd", "＠SUM(A1)", "﹦1", "\ufeff=1", "\u200b=1", "\u200e@x", "\u00a0=1", "\u2060\u00ad-x",
     "\x1f=1", "\x00=1", "\n=1"],
)  # fmt: skip
def test_disguised_formulas_are_made_inert(text: str) -> None:
    assert safe_cell(text).startswith("'")
    assert safe_copy(text).startswith("'")


def test_numbers_and_words_go_to_the_clipboard_as_they_are() -> None:
    for text in ("-1.5", "−1.5", "+2", "-3 to -1e-5", "–", "rho", "a = b", "5 %"):
        assert safe_copy(text) == text
    for text in ("-1+cmd|' /C calc'!A0", "-x", "=1", "@x"):
        assert safe_copy(text) == "'" + text
    assert safe_cell("a=b") == "a=b"


@pytest.mark.parametrize("make", [lambda: CountBox(0, 10, 5), lambda: AmountBox(0.0, 10.0, 1)])
def test_the_wheel_over_a_box_without_the_focus_scrolls_the_page_and_leaves_the_number(
    qtbot: QtBot, make: Callable[[], CountBox | AmountBox]
) -> None:
    box = make()
    qtbot.addWidget(box)
    before = box.value()
    turn = QWheelEvent(
        QPointF(5, 5), QPointF(5, 5), QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(box, turn)
    assert box.value() == before
    assert not turn.isAccepted()


TIMES = (("3", 3), ("3rd", 3), ("first", 1), ("the last", -1), ("Last time", -1), ("−1", -1), ("2.", 2))


@pytest.mark.parametrize(("text", "value"), TIMES)
def test_which_time_is_read_as_people_say_it(text: str, value: int) -> None:
    assert value_of(Field("occurrence", "Which time", "", "time"), text) == value
    assert value_of(Field("occurrence", "Which time", "", "occurrence"), text) == value


@pytest.mark.parametrize("text", ["1-11", "1 to 11", "1, 2", "all", "every time"])
def test_several_times_where_one_is_read_are_refused_with_what_reads_them(text: str) -> None:
    with pytest.raises(ValueError, match=r"write one of 1, 2, 3 … or last, not “.*”. Several times are read by “Number"):
        value_of(Field("occurrence", "Which time", "", "time"), text)


@pytest.mark.parametrize("text", ["0.5", "now", "1e400"])
def test_what_is_no_time_is_refused_with_what_can_be_typed(text: str) -> None:
    with pytest.raises(ValueError, match=r"Which time: write one of 1, 2, 3 … or last, not “.*”[.]$"):
        value_of(Field("occurrence", "Which time", "", "time"), text)
    with pytest.raises(ValueError, match="1, 2, 3 …, last, or all"):
        value_of(Field("occurrence", "Which time", "", "occurrence"), text)
    assert value_of(Field("occurrence", "Which time", "", "occurrence"), "every time") == "all"


def test_a_whole_number_is_asked_for_as_one() -> None:
    with pytest.raises(ValueError, match="How many must be a whole number such as 3, not “many”"):
        value_of(Field("count", "How many", "", "count"), "many")


@pytest.mark.parametrize(
    ("prior", "value", "said"),
    [
        (d.TruncatedNormal(mean=0.92, sd=0.12, low=0.55, high=1.35), 0.003, "The file's value, 0.003, lies outside."),
        (d.Uniform(low=1.0, high=2.0), 2.5, "The file's value, 2.5, lies outside."),
        (d.Normal(mean=0.92, sd=0.12), 0.003, "The file's value, 0.003, lies far out"),
        (d.LogNormal(log_mean=0.0, log_sd=0.1), 2.0, "The file's value, 2, lies far out"),
        (d.Uniform(low=1.0, high=2.0), 2.0, ""),
        (d.HalfNormal(scale=1.0), 1e-9, ""),
        (d.LogUniform(low=0.1, high=10.0), 0.1, ""),
        (d.Normal(mean=0.92, sd=0.12), 0.6, ""),
        (d.Normal(mean=0.92, sd=-1.0), 0.003, ""),
        (d.Uniform(low=1.0, high=2.0), None, ""),
    ],
)
def test_a_prior_that_excludes_the_number_in_the_file_is_noted(prior: d.Prior, value: float | None, said: str) -> None:
    rows = (d.Parameter(name="k", prior=prior),)
    words = " ".join(f.message for f in outside_file_value(rows, lambda name: value if name == "k" else None))
    assert words.startswith(said) if said else not words
    fixed = (d.Parameter(name="k", prior=prior, fixed=value or 0.0),)
    assert not outside_file_value(fixed, lambda name: value)
