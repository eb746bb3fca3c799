"""What the window guesses for the user: names, pairs, axes. A wrong guess is worse than none."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.names.column_names import without_unit
from bayescope.engine.problem.data.rows.across import by_factors
from bayescope.gui.models.data.keys.known_keys import KnownKeys
from bayescope.gui.models.data.meanings import (
    MEANINGS,
    converted,
    first_predictions,
    first_summaries,
    next_match,
    next_summary,
)
from bayescope.gui.models.simulator.files.loose_files import by_stems, companions, found_beside, loose_files, named_in
from bayescope.gui.models.simulator.files.written_names import written_names
from bayescope.gui.models.simulator.numbers.first_words import key_before
from bayescope.gui.models.simulator.numbers.marked_number import name_for, number_with_suffix
from bayescope.gui.models.simulator.numbers.named_numbers import named_behind
from bayescope.gui.plots.data_plot import decades
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
        (
            ("R", "X"),
            ("R (ohm)", "X (ohm)"),
            [("R", "R (ohm)"), ("X", "X (ohm)")],
            None,
            None,
        ),  # a reactance is no place
        (("x", "y"), ("x (mm)", "y (V)"), [("y", "y (V)")], "x", None),
        (("time_us", "a", "b"), ("time_us", "a", "b"), [("a", "a"), ("b", "b")], "time_us", None),
        (("x_velocity", "a"), ("x_velocity", "a"), [("x_velocity", "x_velocity"), ("a", "a")], None, None),
        (("dose", "a"), ("dose", "a", "a_sd"), [("a", "a")], "dose", "a_sd"),  # the only one without errors says where
    ],
)
def test_outputs_are_paired_with_columns_only_where_that_is_certain(
    outputs: tuple[str, ...], columns: tuple[str, ...], pairs: list[tuple[str, str]], key: str | None, sd: str | None
) -> None:
    found = first_predictions(problem_with(outputs, columns))
    assert [(m.output, m.column) for m in found.matches] == pairs
    assert all(m.key_output == key and (m.key_column and without_unit(m.key_column)) == key for m in found.matches)
    assert all(m.sd_column == sd for m in found.matches)
    assert found.noise == d.GaussianKnown()  # how large the errors are is never guessed


@pytest.mark.parametrize(
    ("outputs", "columns", "pairs", "key"),
    [
        (
            ("T", "flux", "time"), ("time (s)", "T (°C)", "flux (W/m²)"),
            [("T", "T (°C)"), ("flux", "flux (W/m²)")], ("time", "time (s)"),
        ),
        (("temp", "q"), (" Temp [K]", "Q (W/(m² K)) "), [("temp", " Temp [K]"), ("q", "Q (W/(m² K)) ")], None),
        (("t", "T"), ("T (K)", "t (s)"), [("T", "T (K)")], ("t", "t (s)")),  # case counts where it is all that tells
        (("T", "u"), ("T (K)", "T (°C)", "u"), [("u", "u")], None),  # which of the two, nobody said
        (("T", "u"), ("t1", "flux (W)"), [], None),
        (("TajimaD", "LD"), ("Tajima's D", "Singletons"), [("TajimaD", "Tajima's D")], None),
    ],
)  # fmt: skip
def test_names_are_compared_without_units_in_brackets_spaces_and_case(
    outputs: tuple[str, ...], columns: tuple[str, ...], pairs: list[tuple[str, str]], key: tuple[str, str] | None
) -> None:
    found = first_predictions(problem_with(outputs, columns))
    assert [(m.output, m.column) for m in found.matches] == pairs
    assert all((m.key_output, m.key_column) == (key or (None, None)) for m in found.matches)


def test_comparisons_stand_in_the_order_of_the_outputs_however_their_names_told() -> None:
    problem = problem_with(("UY_1", "UX_2", "LOAD"), ("UX LC2", "UY LC1", "LOAD"))
    assert [m.output for m in first_predictions(problem, words=True).matches] == ["UY_1", "UX_2", "LOAD"]


def test_a_second_key_is_taken_where_the_first_is_the_same_in_several_measured_rows() -> None:
    problem = problem_with(("depth", "date", "T"), ("depth (m)", "T (K)"))
    dates = {"date": ("2021-03-04", "2021-03-05")}
    outputs = tuple(msgspec.structs.replace(o, text=o.name == "date") for o in problem.outputs)
    data = d.DataTable(columns={"depth (m)": (0.5, 0.5), "T (K)": (1.0, 2.0)}, texts=dates)
    found = first_predictions(msgspec.structs.replace(problem, outputs=outputs, data=data)).matches
    assert all(m.keys == (("date", "date"),) for m in found)
    data = d.DataTable(columns={"depth (m)": (0.5, 2.5), "T (K)": (1.0, 2.0)}, texts={"date": ("2021-03-04",) * 2})
    (match,) = first_predictions(msgspec.structs.replace(problem, outputs=outputs, data=data)).matches
    assert match.keys == (("date", "date"), ("depth", "depth (m)"))


def test_what_stands_in_brackets_belongs_to_the_name_where_there_is_nothing_else() -> None:
    assert [without_unit(n) for n in ("T (°C)", "  u [m] (raw)", "(K)", "f(x", "x)", "", "a (b) c")] == [
        "T", "u", "(K)", "f(x", "x)", "", "a (b) c",
    ]  # fmt: skip


def test_standard_deviations_with_units_belong_to_the_column_of_their_name() -> None:
    columns = ("time (s)", "T (K)", "flux (W)", "T sd (K)", "flux_err (W)", "time_sd (s)")
    found = first_predictions(problem_with(("time", "T", "flux"), columns))
    assert [(m.column, m.sd_column) for m in found.matches] == [("T (K)", "T sd (K)"), ("flux (W)", "flux_err (W)")]


def test_a_further_comparison_takes_no_column_without_a_reason() -> None:
    problem = problem_with(("T", "flux", "time", "p"), ("time (s)", "T (°C)", "flux (W/m²)", "level", "height"))
    first = next_match(problem, ())
    second = next_match(problem, (first,))
    third = next_match(problem, (first, second))
    assert [(m.output, m.column) for m in (first, second, third)] == [
        ("T", "T (°C)"),
        ("flux", "flux (W/m²)"),
        ("p", ""),
    ]
    assert {(m.key_output, m.key_column) for m in (first, second, third)} == {("time", "time (s)")}
    alone = next_match(
        problem_with(("T", "flux"), ("a", "flux (W/m²)")), (d.Match(output="flux", column="flux (W/m²)"),)
    )
    assert (alone.output, alone.column) == ("T", ""), "the only column left fits another output"


def test_summaries_and_responses_take_no_column_without_a_reason() -> None:
    problem = problem_with(("T", "flux"), ("time (s)", "t (°C)"))
    assert [(s.output, s.column) for s in first_summaries(problem)] == [("T", "t (°C)")]
    assert next_summary(problem_with(("flux",), ("a", "b"))).column == ""
    trials = next(k for k in MEANINGS if k.kind is d.InverseBinomial)
    for columns, column in ((("a", "b"), ""), (("a",), "a"), (("a", "flux (1)"), "flux (1)")):
        other = msgspec.structs.replace(problem_with(("flux",), columns), meaning=d.LogLikelihoodOutput(output="flux"))
        assert converted(other, trials) == d.InverseBinomial(output="flux", column=column)


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
    written = ("lmp", "-in", "in.fluid", "-log", "fluid.log", "-o", "a.dat", "--output-file", "b.dat", ">", "c.txt")
    assert loose_files(d.Simulator(command=written)) == ["in.fluid"], "the program writes the others"


def test_files_that_a_script_names_and_that_lie_beside_it_are_loose(tmp_path: Path) -> None:
    script = tmp_path / "run.sh"
    script.write_text(
        "#!/bin/sh\npython3 model.py -i deck.ini && ncdump out.nc > table.txt; cat ./note.md absent.dat\n"
    )
    for name in ("model.py", "deck.ini", "table.txt", "note.md"):
        (tmp_path / name).write_text("a = 1\n")
    (tmp_path / "out.nc").write_bytes(b"CDF\0\1")  # what an earlier run left
    for command in ((str(script),), ("sh", "./run.sh")):
        simulator = d.Simulator(command=command)
        assert loose_files(simulator, tmp_path) == ["model.py", "deck.ini", "note.md"]
        assert found_beside(simulator, tmp_path, "deck.ini") == tmp_path / "deck.ini"
        assert found_beside(simulator, tmp_path, "absent.dat") is None
    put = d.Simulator(
        command=(str(script),), extra_files=tuple(d.ExtraFile(path=f"/x/{n}") for n in ("model.py", "note.md"))
    )
    assert loose_files(put, tmp_path) == ["deck.ini"]
    (tmp_path / "program").write_bytes(b"\x7fELF\0 deck.ini")
    assert loose_files(d.Simulator(command=(str(tmp_path / "program"),)), tmp_path) == []


def test_files_that_an_input_file_names_are_its_companions_and_so_are_those_that_they_name(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    texts = {
        "plate.edp": 'include "tools.idp"\nmesh Th = readmesh("./plate.msh"); // see plate.edp, 2.5e3, sin.x, ../secret.dat\n'
        "material: parts/steel.mat, absent.dat.\n",
        "tools.idp": "load curve.tab; load plate.msh", "plate.msh": "1 2 3", "curve.tab": "0 1", "parts/steel.mat": "E 2.1e11",
        "unrelated.txt": "",
    }  # fmt: skip
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    (tmp_path.parent / "secret.dat").write_text("")
    found = companions(tmp_path / "plate.edp", texts["plate.edp"])
    assert found == {"tools.idp": "plate.edp", "plate.msh": "plate.edp", "parts/steel.mat": "plate.edp", "curve.tab": "tools.idp"}


def test_places_spread_by_factors_get_a_logarithmic_axis_and_others_do_not() -> None:
    assert by_factors(np.geomspace(100, 1e5, 31))
    assert not by_factors(np.linspace(1, 1000, 31))
    assert not by_factors(np.geomspace(1, 50, 31))
    assert not by_factors(np.array([0.0, 1.0, 10.0, 100.0, 1000.0]))
    assert not by_factors(np.array([]))
    major = decades(np.log10(np.geomspace(100, 1e5, 31)))[0]
    assert [words for place, words in major if 2 <= place <= 5] == ["10²", "10³", "10⁴", "10⁵"]


def test_the_picture_over_the_logarithm_keeps_the_probability() -> None:
    for prior in (d.LogUniform(low=1e-9, high=1e-5), d.LogNormal(log_mean=1.0, log_sd=2.0)):
        x, y = over_logarithm(d.Parameter(name="k", prior=prior))
        assert np.trapezoid(y, np.log(x)) == pytest.approx(1.0, abs=0.01)


def test_standard_deviations_are_known_by_a_word_before_the_name_too() -> None:
    columns = ("t (d)", "Si (umol/L)", "u Si (umol/L)", "Na", "u(Na)", "pH", "\u03c3_pH", "u")
    found = first_predictions(problem_with(("t", "Si", "Na", "pH", "u"), columns))
    expected = {"Si (umol/L)": "u Si (umol/L)", "Na": "u(Na)", "pH": "\u03c3_pH", "u": None}
    assert {m.column: m.sd_column for m in found.matches} == expected, "a velocity u is no uncertainty"


def test_a_quantity_without_errors_is_no_key_where_the_runs_tell_one() -> None:
    problem = problem_with(("t", "pH", "Si"), ("Date (d since 2022-03-01)", "pH", "Si", "Si sd"))
    known = KnownKeys(steady=frozenset({"t"}), pairs=(("t", "Date (d since 2022-03-01)"),))
    found = first_predictions(problem, known)
    assert [(m.output, m.column, m.keys) for m in found.matches] == [
        ("pH", "pH", (("t", "Date (d since 2022-03-01)"),)),
        ("Si", "Si", (("t", "Date (d since 2022-03-01)"),)),
    ]


def test_an_argument_may_be_the_name_of_an_input_file_without_its_ending(tmp_path: Path) -> None:
    for name, text in (("arm.dat", "results"), ("arm.inp", "*NODE"), ("arm2.inp", "*NODE"), ("x.y", "z")):
        (tmp_path / name).write_text(text)
    (tmp_path / "arm.frd").write_bytes(b"\0")
    run = d.Simulator(command=("ccx", "arm"))
    assert by_stems(run, [tmp_path]) == [("arm", "arm.inp", tmp_path / "arm.inp")]
    assert by_stems(d.Simulator(command=("ccx", "-i", "x", "7", "--arm")), [tmp_path]) == []
    put = d.Simulator(command=("ccx", "arm"), templates=(d.TemplateFile(target="arm.inp", text="*NODE"),))
    assert by_stems(put, [tmp_path]) == []
    assert by_stems(run, [tmp_path / "gone"], "ERROR: cannot open arm.inp for reading") == [("arm", "arm.inp", None)]
    assert by_stems(run, [tmp_path / "gone"], "all is well") == []


@pytest.mark.parametrize(
    ("line", "number", "name"),
    [
        ("    value           uniform 400;", "400", "value"), ("DT              DT [0 2 -1 0 0 0 0] 1e-5;", "1e-5", "DT"),
        ("nu [0 2 -1 0 0 0 0] 1e-05;", "1e-05", "nu"), ("width (mm) = 5", "5", "width"), ("a=1, b=22", "22", "b"),
        ("uniform 4", "4", ""), ("(define-param eps-shell 9.0)", "9.0", "eps-shell"), ("--width=3", "3", "width"),
        ("pair-coeff * * lj/cut 2.5", "2.5", "cut"), ("x = a-5", "5", "a"),
    ],
)  # fmt: skip
def test_a_number_of_a_dictionary_is_called_by_its_key(line: str, number: str, name: str) -> None:
    assert key_before(line, line.rindex(number)) == name


def test_what_a_script_opens_for_writing_is_no_input(tmp_path: Path) -> None:
    script = tmp_path / "run.py"
    script.write_text(
        "import numpy as np\nc = open('in.txt').read()\nwith open('a.txt', 'w') as f: ...\nopen(\"b.csv\", mode='a')\n"
        "np.savetxt('c.dat', x)\ndf.to_csv('d.csv')\nnetcdf_file('e.nc', 'w')\nPath('f.txt').write_text('')\n"
        "np.loadtxt('grid.dat')\nopen('g.txt', 'rb')\n"
    )
    shell = tmp_path / "run.sh"
    shell.write_text("#!/bin/sh\npython3 run.py >a.txt 2>> b.csv\n./solve -o c.dat < in.txt | tee d.csv\ncat grid.dat\n")
    fortran = tmp_path / "run.m"
    fortran.write_text("f = fopen('a.txt', 'w');\nwritematrix(x, 'b.csv');\ny = load('grid.dat');\n")
    for name in ("in.txt", "a.txt", "b.csv", "c.dat", "d.csv", "e.nc", "f.txt", "g.txt", "grid.dat"):
        (tmp_path / name).write_text("1\n")
    assert named_in(script) == ["in.txt", "grid.dat", "g.txt"]
    assert named_in(shell) == ["run.py", "in.txt", "grid.dat"]
    assert named_in(fortran) == ["grid.dat"]
    assert written_names("open(12, file='out.dat', status='replace')\nopen(13, file='in.dat', status='old')\n") == {"out.dat"}
    assert written_names('write.csv(d, "r.csv", row.names=F)\nstd::ofstream out("c.txt");\nx <- read.csv("in.csv")\n') == {
        "r.csv", "c.txt",
    }  # fmt: skip


NAMED = [
    ("variable x equal 3", "3", "x", "", ""),
    ("variable T index 300 # temperature (K)", "300", "T", "", ""),
    ('<param name="k1" value="3"/>', "3", "k1", "", ""),
    ('<parameter value="3" id="k1" constant="true"/>', "3", "k1", "", ""),
    ('<beam width="3" name="left"/>', "3", "width", "", ""),
    ('<value name="k1">3</value>', "3", "k1", "", ""),
    ('<k1 unit="s">3</k1>', "3", "k1", "", ""),
    ("<param>\n <name>k1</name>\n <value>3</value>\n</param>", "3", "k1", "", ""),
    ("set k = 3", "3", "k", "", ""),
    ("set k to 3", "3", "k", "", ""),
    ("k : 3", "3", "k", "", ""),
    ('"k": {"value": 3, "unit": "m"}', "3", "k", "", ""),
    ("- name: k\n  value: 3", "3", "k", "", ""),
    ("[k]\nvalue = 3", "3", "k", "", ""),
    ("value = 3", "3", "value", "", ""),
    ("3.5 ! Young's modulus", "3.5", "Youngs_modulus", "Young's modulus", ""),
    ("  3.5 / E", "3.5", "E", "", ""),
    ("0.3 = nu", "0.3", "nu", "", ""),
    ("3.5 ! E, Young's modulus (GPa)", "3.5", "E", "E, Young's modulus", "GPa"),
    ("1.5, 0.3  ! E, nu", "0.3", "nu", "", ""),
    ("3.5  # width of the beam [mm]", "3.5", "width_of_beam", "width of the beam", "mm"),
    ("1.5 0.3 / both are guesses of mine", "0.3", "", "", ""),
    ("12:30:05 : start", "30", "", "", ""),
]


@pytest.mark.parametrize(("text", "number", "name", "label", "unit"), NAMED)
def test_a_number_is_named_by_a_tag_by_a_verb_or_by_what_stands_behind_it(
    text: str, number: str, name: str, label: str, unit: str
) -> None:
    start = text.index(number, text.index("value") if "1" in name and "value" in text else 0)
    assert name_for(text, start, start + len(number)) == name
    if label or unit:
        assert named_behind(text, start, start + len(number)) == (name, label, unit)


def test_a_number_beside_one_that_is_a_parameter_already_keeps_the_words_of_its_own_place() -> None:
    remark = " ! spheres: median diameter (by number) [nm], geometric st.dev.\n"
    for first in ("440.0", "@dmed@"):
        text = f"1.3 ! medium\n  {first}   1.200{remark}"
        start = text.index("1.200")
        assert named_behind(text, start, start + 5) == ("geometric_st_dev", "geometric st.dev", "")
