"""Values into texts: digits, widths, locales, names that contain one another."""

from __future__ import annotations

import locale
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayescope.engine.problem.definition import NumberFormat, Simulator, TemplateFile
from bayescope.engine.simulator.fill import FillError, fill_simulator, format_number

numbers = st.floats(allow_nan=False, allow_infinity=False)


@settings(max_examples=60, deadline=None)
@given(numbers, st.sampled_from(["general", "exponent", "fixed"]))
def test_without_a_number_of_digits_the_same_float_is_read_back(value: float, style: Any) -> None:
    assert float(format_number(value, NumberFormat(style=style))) == value


@settings(max_examples=60, deadline=None)
@given(
    numbers,
    st.sampled_from(["general", "exponent", "fixed", "integer"]),
    st.none() | st.integers(0, 20),
    st.none() | st.integers(1, 30),
    st.none() | st.integers(1, 30),
)
def test_a_number_is_written_within_its_width_or_refused(
    value: float, style: Any, digits: int | None, width: int | None, most: int | None
) -> None:
    form = NumberFormat(style=style, digits=digits, width=width, max_width=most)
    try:
        text = format_number(value, form, "a")
    except FillError:
        assert most is not None or abs(value) > 1e307
        return
    assert len(text.strip()) <= (most or 10**6)
    assert len(text) >= (width or 0)
    assert math.isfinite(float(text))


def test_a_fortran_deck_gets_its_twelve_columns() -> None:
    form = NumberFormat(style="exponent", digits=5, width=12, max_width=12)
    assert format_number(-0.000123456789, form) == "-1.23457E-04"
    assert format_number(0.5, form) == " 5.00000E-01"
    with pytest.raises(FillError, match=r"With 4 digits it fits: “-1.2346E-104”"):
        format_number(-1.23456789e-104, form)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_what_is_no_number_is_never_written(value: float) -> None:
    with pytest.raises(FillError, match="no program can read"):
        format_number(value, NumberFormat())


def test_the_locale_does_not_change_what_is_written() -> None:
    before = locale.setlocale(locale.LC_NUMERIC)
    for name in ("de_DE.UTF-8", "de_DE", "fr_FR.UTF-8", "C.UTF-8"):
        try:
            locale.setlocale(locale.LC_NUMERIC, name)
        except locale.Error:
            continue
        try:
            assert format_number(1234.5, NumberFormat()) == "1234.5"
            assert format_number(1234.5, NumberFormat(style="fixed", digits=2)) == "1234.50"
        finally:
            locale.setlocale(locale.LC_NUMERIC, before)


def test_every_text_of_a_simulator_is_filled_and_similar_names_do_not_collide() -> None:
    simulator = Simulator(
        command=("sim", "--a=@a@", "x@a1@y@a@"),
        templates=(TemplateFile(target="in.txt", text="@a1@ @a@\r\n\n@@home@@ @seed@"),),
        stdin="\n@a@\n\n",
        environment={"K": "@a1@"},
        formats={"a1": NumberFormat(style="integer")},
    )
    filled = fill_simulator(simulator, {"a": 0.1, "a1": 7.0}, 42, "/r")
    assert filled.command == ("sim", "--a=0.1", "x7y0.1")
    assert filled.templates == {"in.txt": "7 0.1\r\n\n@home@ 42"}
    assert filled.stdin == "\n0.1\n\n"
    assert filled.environment == {"K": "7"}


@pytest.mark.parametrize(("seed", "written"), [(0, "899999999"), (1, "1"), (899_999_999, "899999999"), (2**31 - 2, "347483648")])
def test_no_program_gets_a_seed_that_lammps_refuses(seed: int, written: str) -> None:
    assert fill_simulator(Simulator(command=("sim", "@seed@")), {}, seed, "/r").command == ("sim", written)


def test_a_placeholder_without_a_parameter_is_an_error_in_words() -> None:
    with pytest.raises(FillError, match="@b@"):
        fill_simulator(Simulator(command=("sim", "@b@")), {"a": 1.0}, 0, "/r")


def test_templates_stdin_arguments_and_environment_arrive_byte_for_byte(script: Any, run: Any, tmp_path: Path) -> None:
    text = """
        import os, sys
        print(open("sub folder/déck 1.inp", newline="").read() == "A 2.5\\r\\nÄ\\n", end=" ")
        print(sys.stdin.read() == "\\n2.5\\n\\n", os.environ["VALUE"], sys.argv[1:], 3)
    """
    simulator = Simulator(
        command=(*script(text), "it's \"@a@\" ü", ""),
        templates=(TemplateFile(target="sub folder/déck 1.inp", text="A @a@\r\nÄ\n"),),
        stdin="\n@a@\n\n",
        environment={"VALUE": "v@a@"},
    )
    result = run(simulator, values={"a": 2.5})
    assert result.stdout_tail.strip() == "True True v2.5 ['it\\'s \"2.5\" ü', ''] 3"


@pytest.mark.parametrize("target", ["../evil", "/tmp/evil", "a/../../evil", "", "C:\\evil", "bayescope_stdout.txt", "x\0y"])
def test_a_template_cannot_leave_the_run_folder(run: Any, target: str) -> None:
    result = run(Simulator(command=("echo", "1"), templates=(TemplateFile(target=target, text=""),)))
    assert (result.outcome, result.cause) == ("failed", "setup")


@pytest.mark.parametrize(
    ("value", "most", "text"), [(3e-6, None, "3.0e-06"), (3e-6, 6, "3e-06"), (2.5e-7, None, "2.5e-07"), (7.0, None, "7.0")]
)
def test_numbers_have_a_point_where_there_is_room_as_yaml_wants_them(value: float, most: int | None, text: str) -> None:
    assert format_number(value, NumberFormat(max_width=most)) == text
