"""Problem files: exact round trip, conveniences, and words for everything that can be wrong."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayescope.engine.problem import definition as d
from bayescope.engine.problem import files
from bayescope.engine.problem.errors import ProblemError
from bayescope.engine.problem.relocate import absolute_paths, relocate
from bayescope.engine.report.export import export_problem
from bayescope.engine.session.errors import SessionError

numbers = st.floats(allow_nan=False, allow_infinity=False)
maybe = st.one_of(st.none(), numbers)
texts = st.text(max_size=20)
names = st.from_regex(r"[a-zé_][a-z0-9_é]{0,8}", fullmatch=True)
priors = st.one_of(
    st.builds(d.Uniform, low=numbers, high=numbers),
    st.builds(d.TruncatedNormal, mean=numbers, sd=numbers, low=maybe, high=maybe),
    st.builds(d.HalfCauchy, scale=numbers),
    st.builds(d.Beta, a=numbers, b=numbers, low=numbers, high=numbers),
    st.builds(d.StudentT, location=numbers, scale=numbers, dof=numbers),
)
parameters = st.builds(
    d.Parameter, name=names, prior=priors, label=texts, lower=maybe, upper=maybe, fixed=maybe,
    plausible=st.one_of(st.none(), st.tuples(numbers, numbers)), transform=st.sampled_from(["automatic", "logit"]),
)  # fmt: skip
noises = st.one_of(
    st.builds(d.GaussianKnown, sd=maybe, sd_column=st.one_of(st.none(), names)),
    st.builds(d.GaussianIntegrated, shape=numbers, scale=numbers, per_point=st.booleans()),
    st.builds(d.Ar1Noise, sd=st.one_of(numbers, names), rho=st.one_of(numbers, names)),
    st.builds(d.CovarianceNoise, matrix=st.just(((1.0, 0.5), (0.5, 2.0)))),
    st.just(d.PoissonNoise()),
)
meanings = st.one_of(
    st.builds(d.LogLikelihoodOutput, output=names, noise_sd=st.one_of(st.none(), names)),
    st.builds(d.SumOfSquares, output=names, sd=numbers, count=st.integers(0, 100)),
    st.builds(d.Predictions, matches=st.tuples(st.builds(d.Match, output=names, column=names)), noise=noises),
)
simulators = st.builds(
    d.Simulator,
    command=st.lists(texts, max_size=3).map(tuple),
    templates=st.lists(st.builds(d.TemplateFile, target=texts, text=texts, original=st.none() | texts), max_size=2).map(tuple),
    stdin=st.one_of(st.none(), texts),
    environment=st.dictionaries(texts, texts, max_size=2),
    formats=st.dictionaries(names, st.builds(d.NumberFormat, digits=st.one_of(st.none(), st.integers(0, 20))), max_size=2),
)
outputs = st.builds(
    d.Output, name=names, source=texts,
    extractor=st.one_of(
        st.just(d.LastNumber()),
        st.builds(d.CsvColumn, column=st.one_of(texts, st.integers(0, 9))),
        st.builds(d.JsonPath, path=texts),
    ),
)  # fmt: skip
tables = st.builds(d.DataTable, columns=st.dictionaries(texts, st.lists(maybe, max_size=4).map(tuple), max_size=3), origin=texts)
problems = st.builds(
    d.Problem, name=texts, parameters=st.lists(parameters, max_size=3).map(tuple), simulator=simulators,
    outputs=st.lists(outputs, max_size=2).map(tuple), meaning=meanings, data=st.one_of(st.none(), tables),
    settings=st.builds(d.Settings, seed=st.integers(0, 2**32 - 1), max_hours=maybe),
)  # fmt: skip


@settings(max_examples=30, deadline=None)
@given(problems)
def test_writing_and_reading_gives_back_an_equal_problem(problem: d.Problem) -> None:
    try:
        data = files.dumps(problem)
    except ProblemError as error:  # half a character in a text
        assert "surrogate" in error.what  # noqa: PT017
        return
    assert files.loads(data) == problem


def test_a_file_is_written_whole_and_read_back(tmp_path: Path, problem: d.Problem) -> None:
    path = tmp_path / "mon problème.json"
    export_problem(problem, tmp_path, path, foreign=False)
    assert files.load(path) == problem
    assert not files.is_foreign(path)
    assert [p.name for p in tmp_path.iterdir()] == [path.name]
    with pytest.raises(SessionError, match="could not be written"):
        export_problem(problem, tmp_path, tmp_path / "nowhere" / "x.json", foreign=False)
    export_problem(problem, tmp_path, path, foreign=True, replace=True)
    assert files.load(path) == problem
    assert files.is_foreign(path)


def test_infinity_cannot_be_stored_and_is_named(problem: d.Problem) -> None:
    first = msgspec.structs.replace(problem.parameters[0], upper=float("inf"))
    with pytest.raises(ProblemError, match="parameters, entry 1, upper"):
        files.dumps(msgspec.structs.replace(problem, parameters=(first,)))


def document(problem: d.Problem) -> Any:
    return json.loads(files.dumps(problem))


def test_template_table_and_covariance_can_be_given_by_path(tmp_path: Path, problem: d.Problem) -> None:
    (tmp_path / "deck.tmpl").write_bytes("α = @rate@\r\n@start@ @offset@".encode())
    (tmp_path / "measured.csv").write_text("t,u\n0,1\n1,\n")
    (tmp_path / "cov.txt").write_text("1 0.5\n0.5 1\n")
    raw = document(problem)
    raw["simulator"]["templates"] = [{"path": "deck.tmpl"}]
    raw["data"] = {"path": "measured.csv"}
    raw["meaning"]["noise"] = {"kind": "covariance", "path": "cov.txt"}
    path = tmp_path / "problem.json"
    path.write_text(json.dumps(raw), encoding="utf-8-sig")
    found = files.load(path)
    assert found.simulator.templates == (d.TemplateFile(target="deck.tmpl", text="α = @rate@\r\n@start@ @offset@"),)
    assert found.data == d.DataTable(columns={"t": (0.0, 1.0), "u": (1.0, None)}, origin="measured.csv")
    assert isinstance(found.meaning, d.Predictions)
    assert found.meaning.noise == d.CovarianceNoise(matrix=((1.0, 0.5), (0.5, 1.0)))
    assert files.loads(files.dumps(found)) == found


def test_a_binary_template_is_refused(tmp_path: Path, problem: d.Problem) -> None:
    (tmp_path / "deck.tmpl").write_bytes(b"\x89PNG\r\n\x1a\n\0\0")
    raw = document(problem)
    raw["simulator"]["templates"] = [{"path": "deck.tmpl"}]
    with pytest.raises(ProblemError, match=r"PNG image \(in simulator, templates, entry 1\)|not a text file"):
        files.loads(json.dumps(raw).encode(), tmp_path)
    (tmp_path / "deck.tmpl").write_bytes(b"CDF\x01" + bytes(40))
    with pytest.raises(ProblemError, match=r"add it to the fixed input files.*ncgen -o deck\.tmpl"):
        files.loads(json.dumps(raw).encode(), tmp_path)
    with pytest.raises(ProblemError, match="does not come from a file"):
        files.loads(json.dumps(raw).encode())
    raw["simulator"]["templates"] = [{"path": "deck.tmpl", "text": "x"}]
    with pytest.raises(ProblemError, match="Both “path” and “text”"):
        files.loads(json.dumps(raw).encode(), tmp_path)


def change(raw: Any, path: str, value: Any) -> bytes:
    *steps, last = [int(s) if s.isdigit() else s for s in path.split(".")]
    here = raw
    for step in steps:
        here = here[step]
    here[last] = value
    return json.dumps(raw).encode()


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("parameters.0.lable", "k", r"no entry called “lable” .*entry 1 \(“rate”\).*Did you mean “label”"),
        ("simulator.templates.0.name", "x", r"“name” here.*entry 1 \(“x”\)\) Remove it. What else can stand here: “original”"),
        ("simulator.templates.0", {"path": "/dev/null", "text": ""}, "Both “path” and “text”"),
        ("outputs.0.extractor.name", "u", r"called “name”.*Remove it\. What else can stand here: “axis”, “delimiter”, “header”"),
        ("outputs.0.extractor", {"kind": "table", "column": 1}, "called “column” .*Did you mean “columns”"),
        ("meaning", {"kind": "log_likelihood", "output": "u", "sd_output": "s"},
         "called “sd_output” .*What else can stand here: “average”, “noise_sd”, “random”, “repeats”"),
        ("data.cols", {}, "called “cols” .*What else can stand here: “limits”, “origin”"),
        ("simulator.formats", {"rate": {"digts": 3}}, "called “digts” .*Did you mean “digits”"),
        ("parameters.0.prior.centre", 1, "“centre” here.* Remove it; all that can stand here is given"),
        ("parameters.0.prior.kind", "gaussian_prior", "not one of the possible choices"),
        ("parameters.0.prior.scale", "1", "a number is expected, not a text in quotes"),
        ("parameters.0.prior.scale", None, "not nothing"),
        ("parameters.0.prior.scale", 10**400, "too large"),
        ("parameters.0.plausible", [1], "a list in"),
        ("settings", {"workers": 0}, "whole number of at least 1"),
        ("format_version", 99, "newer version"),
        ("simulator.command", "run me", "a list in"),
    ],
)
def test_a_misspelt_entry_is_explained_with_its_place(problem: d.Problem, path: str, value: Any, words: str) -> None:
    with pytest.raises(ProblemError, match=words):
        files.loads(change(document(problem), path, value))


def test_all_misspelt_entries_are_named_at_once(problem: d.Problem) -> None:
    raw = document(problem)
    raw["parameters"][0]["lable"] = "k"
    raw["simulator"]["comand"] = raw["simulator"].pop("command")
    raw["meaning"]["matches"][0]["colum"] = raw["meaning"]["matches"][0].pop("column")
    with pytest.raises(ProblemError) as caught:
        files.loads(json.dumps(raw).encode())
    first, *lines = str(caught.value).split("\n")
    assert first == "3 entries need to be corrected."
    assert [line.partition("Did you mean ")[2] for line in lines] == ["“label”?", "“command”?", "“column”?"]


records = st.sampled_from([
    ("simulator.templates.0", d.TemplateFile), ("outputs.0", d.Output), ("outputs.0.extractor", d.CsvColumn),
    ("meaning", d.Predictions), ("meaning.noise", d.GaussianKnown), ("parameters.1.prior", d.Uniform), ("data", d.DataTable),
])  # fmt: skip


@settings(max_examples=30, deadline=None)
@given(records, texts | st.sampled_from(["name", "kinds", "column", "path ", "sd_colum", "a`b", "a - at `$.b"]))
def test_a_suggestion_is_another_entry_of_the_same_record(where: tuple[str, type[msgspec.Struct]], wrong: str) -> None:
    path, record = where
    simulator = d.Simulator(command=("x",), templates=(d.TemplateFile(target="t", text=""),))
    problem = d.Problem(
        name="p", simulator=simulator, data=d.DataTable(columns={"u": (1.0,)}),
        parameters=tuple(d.Parameter(name=n, prior=d.Uniform(low=0.0, high=1.0)) for n in "ab"),
        outputs=(d.Output(name="u", source="stdout", extractor=d.CsvColumn(column="u")),),
        meaning=d.Predictions(matches=(d.Match(output="u", column="u"),), noise=d.GaussianKnown(sd=1.0)),
    )  # fmt: skip
    allowed = {*record.__struct_fields__, "kind", "path"}
    if wrong in allowed:
        return
    raw = document(problem)
    group = raw
    for step in path.split("."):
        group = group[int(step) if step.isdigit() else step]
    group[wrong] = 1
    with pytest.raises(ProblemError) as caught:
        files.loads(json.dumps(raw).encode())
    hint = caught.value.suggestion
    if hint.startswith("Did you mean '"):
        assert hint.removeprefix("Did you mean '").removesuffix("'?") in allowed - {wrong}


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "not valid JSON"),
        (b"[]", "one group"),
        (b"{}", "“name” is missing"),
        (b'{"name": NaN}', "NaN is not a number that a problem file can hold"),
        (b'{"name": -Infinity}', "Infinity"),
        (b'{"name": 1e999}', "too large"),
        (b'{"name": ' + b"9" * 5000 + b"}", "too large"),
        (b'{"name": "a", "name": "b"}', "stands twice"),
        (b'{"name": ' + b"[" * 200 + b"]" * 200 + b"}", "nested too deeply"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"name": "a",\n "x" 1}', "line 2"),
        (b'\xff\xfe{"name"', "not"),
        (b"\x89PNG\r\n\x1a\n", "not"),
    ],
)
def test_a_hostile_file_is_explained(data: bytes, words: str) -> None:
    with pytest.raises(ProblemError, match=words):
        files.loads(data)


def test_half_a_character_is_refused(problem: d.Problem) -> None:
    with pytest.raises(ProblemError, match="half a character"):
        files.loads(files.dumps(problem).replace(b'"Decay"', rb'"\ud800"'))


def test_a_file_that_is_too_large_or_missing_is_explained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_PROBLEM_BYTES", 10)
    (tmp_path / "p.json").write_text('{"name": "a long one"}')
    with pytest.raises(ProblemError, match="larger than"):
        files.load(tmp_path / "p.json")
    with pytest.raises(ProblemError, match="does not exist"):
        files.load(tmp_path / "q.json")


entries = st.sampled_from(["name", "parameters", "simulator", "meaning", "data", "path", "kind"])
documents = st.recursive(
    st.one_of(st.none(), st.booleans(), st.floats(), texts, st.integers()),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(entries, inner, max_size=4)),
)


@settings(max_examples=30, deadline=None)
@given(st.one_of(st.binary(max_size=100), documents.map(lambda value: json.dumps(value).encode())))
def test_any_file_gives_a_problem_or_the_rooms_own_error(data: bytes) -> None:
    try:
        files.loads(data, Path("/nonexistent"))
    except ProblemError:
        return


def test_the_schema_describes_every_entry_of_a_written_problem(problem: d.Problem) -> None:
    found = files.schema()
    json.dumps(found)
    defs = found["$defs"]
    assert set(document(problem)) <= set(defs["Problem"]["properties"])
    assert "path" in defs["TemplateFile"]["properties"]
    assert "path" in defs["DataTable"]["properties"]
    assert "path" in defs["CovarianceNoise"]["properties"]
    assert defs["HalfCauchy"]["properties"]["kind"] == {"enum": ["half_cauchy"]}


def test_the_schema_is_written_for_people_who_use_it() -> None:
    for name, definition in files.schema()["$defs"].items():
        words = definition.get("description", "")
        assert not re.search(r"seed \d|RECIPE|eq \d|\.py\b|``|\n|\bNone\b|\bTrue\b|\bFalse\b|-based", words), (name, words)
    method = files.schema()["$defs"]["Settings"]
    assert all(f"'{choice}'" in method["description"] for choice in method["properties"]["method"]["enum"])


def test_relative_paths_follow_a_problem_to_another_folder(tmp_path: Path, problem: d.Problem) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    old.mkdir()
    new.mkdir()
    (old / "sim.py").write_text("")
    simulator = d.Simulator(
        command=("python3", "sim.py", "--out", "result.txt", "@rate@"),
        extra_files=(d.ExtraFile(path="grid.dat"), d.ExtraFile(path="/etc/hosts")),
    )
    moved = relocate(msgspec.structs.replace(problem, simulator=simulator), old, new).simulator
    assert moved.command == ("python3", "../old/sim.py", "--out", "result.txt", "@rate@")
    assert [f.path for f in moved.extra_files] == ["../old/grid.dat", "/etc/hosts"]
    own = d.Simulator(command=("./solver", "@rate@"))
    assert relocate(msgspec.structs.replace(problem, simulator=own), old, new).simulator.command[0] == "../old/solver"


def test_a_program_known_only_beside_the_problem_is_still_found_after_a_move(tmp_path: Path, problem: d.Problem) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    old.mkdir()
    (old / "my_solver").write_text("")
    (old / "sh").write_text("")

    def moved(name: str) -> str:
        simulator = d.Simulator(command=(name, "@rate@"))
        return relocate(msgspec.structs.replace(problem, simulator=simulator), old, new).simulator.command[0]

    assert moved("my_solver") == "../old/my_solver"
    assert moved("sh") == "sh"  # the search path comes first, as in a run
    assert moved("elsewhere") == "elsewhere"
    simulator = d.Simulator(command=("my_solver", "@rate@"), working_folder="../up", extra_files=(d.ExtraFile(path="grid.dat"),))
    fixed = absolute_paths(msgspec.structs.replace(problem, simulator=simulator), old).simulator
    assert fixed.command[0] == str(old / "my_solver")
    assert fixed.working_folder == str(tmp_path / "up")
    assert fixed.extra_files[0].path == str(old / "grid.dat")


def test_limits_are_read_from_a_table_and_among_the_numbers_of_a_column(tmp_path):
    table = d.DataTable(columns={"t": (0.0, 1.0, 2.0), "u": (1.5, None, 2.5)}, limits={"u": (None, "<0.5", None)})
    (tmp_path / "measured.csv").write_text("t,u\n0,1.5\n1,<0.5\n2,2.5\n")
    written = {"columns": {"t": [0, 1, 2], "u": [1.5, "<0.5", 2.5]}}
    for data, expected in (({"path": "measured.csv"}, msgspec.structs.replace(table, origin="measured.csv")), (written, table)):
        whole = {
            "name": "p", "parameters": [{"name": "a", "prior": {"kind": "uniform", "low": 0, "high": 1}}],
            "simulator": {"command": ["x", "@a@"]}, "outputs": [],
            "meaning": {"kind": "log_likelihood", "output": "y"}, "data": data,
        }  # fmt: skip
        found = files.loads(json.dumps(whole).encode(), tmp_path)
        assert found.data == expected
        assert json.loads(files.dumps(found))["format_version"] == 3
        assert files.loads(files.dumps(found)) == found


def test_limits_of_a_long_table_go_to_the_columns_that_it_is_split_into(tmp_path):
    (tmp_path / "long.csv").write_text("what,day,value\nAs,1,0.4\nCd,1,<0.02\nAs,2,<0.1\nCd,2,0.3\n")
    whole = {
        "name": "p", "parameters": [{"name": "a", "prior": {"kind": "uniform", "low": 0, "high": 1}}],
        "simulator": {"command": ["x", "@a@"]}, "outputs": [], "meaning": {"kind": "log_likelihood", "output": "y"},
        "data": {"path": "long.csv", "split_by": "what"},
    }  # fmt: skip
    found = files.loads(json.dumps(whole).encode(), tmp_path)
    assert found.data.limits == {"As": (None, None, "<0.1", None), "Cd": (None, "<0.02", None, None)}


def test_a_file_says_which_format_it_takes_only_where_older_versions_would_not_understand_it():
    def problem(extractor):
        return d.Problem(
            name="x", parameters=(d.Parameter(name="a", prior=d.Uniform(low=0.0, high=1.0)),),
            simulator=d.Simulator(command=("x", "@a@")), meaning=d.LogLikelihoodOutput(output="y"),
            outputs=(d.Output(name="y", source="stdout", extractor=extractor),),
        )  # fmt: skip

    newer = problem(d.Region(anchor="fit", by="gap", columns=(2,)))
    assert b"format_version" not in files.dumps(problem(d.Region(anchor="fit", columns=(2,))))
    assert json.loads(files.dumps(newer))["format_version"] == 2
    assert files.loads(files.dumps(newer)) == newer
