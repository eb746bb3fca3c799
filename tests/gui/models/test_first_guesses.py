"""What the window guesses for the user: names, pairs, axes. A wrong guess is worse than none."""

from __future__ import annotations

import numpy as np
import pytest

from bayescope.engine.problem import definition as d
from bayescope.gui.models.meanings import first_predictions
from bayescope.gui.pages.make_parameter import name_for, number_with_suffix
from bayescope.gui.pages.simulator_program import loose_files
from bayescope.gui.plots.data_plot import decades, wants_log
from bayescope.gui.widgets.prior_preview import over_logarithm


def problem_with(outputs: tuple[str, ...], columns: tuple[str, ...]) -> d.Problem:
    return d.Problem(
        name="P",
        parameters=(),
        simulator=d.Simulator(command=("p",)),
        outputs=tuple(d.Output(name=n, source="stdout", extractor=d.LastNumber()) for n in outputs),
        meaning=d.Predictions(matches=(), noise=d.GaussianKnown()),
        data=d.DataTable(columns=dict.fromkeys(columns, (1.0, 2.0))),
    )


@pytest.mark.parametrize(
    ("outputs", "columns", "pairs", "key", "sd"),
    [
        (("frequency", "vdb_out"), ("frequency", "gain"), [("vdb_out", "gain")], "frequency", None),
        (("vdb_out",), ("gain",), [("vdb_out", "gain")], None, None),
        (("x", "y"), ("x", "y"), [("y", "y")], "x", None),
        (("time", "a", "b"), ("time", "a", "b"), [("a", "a"), ("b", "b")], "time", None),
        (("time", "a"), ("time", "a", "a_sd"), [("a", "a")], "time", "a_sd"),
        (("y",), ("time", "value", "sigma"), [], None, None),  # two columns are left: names do not tell
        (("x", "p", "q"), ("x", "u", "v"), [], "x", None),
        (("x",), ("x",), [("x", "x")], None, None),  # all there is
    ],
)
def test_outputs_are_paired_with_columns_only_where_that_is_certain(
    outputs: tuple[str, ...], columns: tuple[str, ...], pairs: list[tuple[str, str]], key: str | None, sd: str | None
) -> None:
    found = first_predictions(problem_with(outputs, columns))
    assert [(m.output, m.column) for m in found.matches] == pairs
    assert all(m.key_output == m.key_column == key for m in found.matches)
    assert all(m.sd_column == sd for m in found.matches)
    assert found.noise == d.GaussianKnown()  # how large the errors are is never guessed


@pytest.mark.parametrize(
    ("line", "number", "value", "suffix", "name"),
    [
        ("L1 a out 22m", "22", 22.0, "m", "L1"),
        ("C1 out 0 4.7uF", "4.7", 4.7, "uF", "C1"),
        ("width=3mm depth=5mm", "5", 5.0, "mm", "depth"),
        ("--rate 1e-3kHz", "1e-3", 1e-3, "kHz", "rate"),
    ],
)
def test_a_number_with_letters_behind_it_is_found_and_named(
    line: str, number: str, value: float, suffix: str, name: str
) -> None:
    at = line.rindex(number)
    found, letters = number_with_suffix(line, at, at + len(number + suffix))
    assert found is not None
    assert (line[found.start : found.end], found.value, letters) == (number, value, suffix)
    assert name_for(line, found.start) == name


@pytest.mark.parametrize("text", ["node2b", "x86_64", "@k@m", "3x3", "", "abc"])
def test_digits_inside_words_are_no_numbers(text: str) -> None:
    assert number_with_suffix(text, 0, len(text)) == (None, "")


def test_files_named_in_the_arguments_are_loose_until_something_puts_them_there() -> None:
    words = ("ngspice", "-b", "filter.cir", "1.5", "-o=out.txt", "/etc/hosts.conf", "@k@.txt", "mesh.dat")
    simulator = d.Simulator(command=words)
    assert loose_files(simulator) == ["filter.cir", "mesh.dat"]
    template = d.TemplateFile(target="filter.cir", text="")
    put = d.Simulator(
        command=simulator.command, templates=(template,), extra_files=(d.ExtraFile(path="/data/mesh.dat"),)
    )
    assert loose_files(put) == []
    assert loose_files(d.Simulator(command=("p", "filter.cir"), working_folder="/data")) == []
    assert loose_files(d.Simulator(command=())) == []


def test_places_spread_by_factors_get_a_logarithmic_axis_and_others_do_not() -> None:
    assert wants_log(np.geomspace(100, 1e5, 31))
    assert not wants_log(np.linspace(1, 1000, 31))
    assert not wants_log(np.geomspace(1, 50, 31))
    assert not wants_log(np.array([0.0, 1.0, 10.0, 100.0, 1000.0]))
    assert not wants_log(np.array([]))
    major = decades(np.log10(np.geomspace(100, 1e5, 31)))[0]
    assert [words for place, words in major if 2 <= place <= 5] == ["10²", "10³", "10⁴", "10⁵"]


def test_the_picture_over_the_logarithm_keeps_the_probability() -> None:
    for prior in (d.LogUniform(low=1e-9, high=1e-5), d.LogNormal(log_mean=1.0, log_sd=2.0)):
        x, y = over_logarithm(d.Parameter(name="k", prior=prior))
        assert np.trapezoid(y, np.log(x)) == pytest.approx(1.0, abs=0.01)
