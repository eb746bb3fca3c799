"""The one table of the methods' options: every option is read by its method, and what is wrong is said in words."""

from __future__ import annotations

import ast
import json
import math
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bayescope.engine.methods as methods
from bayescope.engine.methods import loops
from bayescope.engine.problem import definition as d
from bayescope.engine.problem import files
from bayescope.engine.problem.checks import validate
from bayescope.engine.problem.definition.declared import METHOD_NAMES
from bayescope.engine.problem.method_options import (
    METHODS,
    Option,
    OptionError,
    foreign_options,
    options_of,
    read_options,
    record_of,
)

RECORDS = [record for m in METHODS.values() for record in (m.options, m.noisy) if record is not None]
EVERY = [(record, one) for record in RECORDS for one in options_of(record)]


def problem(method: str, options: dict[str, Any], random: bool = False) -> d.Problem:
    return d.Problem(
        name="decay",
        parameters=(d.Parameter(name="rate", prior=d.Uniform(low=0.0, high=1.0)),),
        simulator=d.Simulator(command=("decay", "@rate@")),
        outputs=(d.Output(name="fit", source="stdout", extractor=d.LastNumber()),),
        meaning=d.LogLikelihoodOutput(output="fit", random=random),
        settings=d.Settings(method=method, options=options),
    )


def said(method: str, options: dict[str, Any], random: bool = False) -> list[str]:
    found = validate.check(problem(method, options, random))
    return [f.message for f in found if f.where == "settings.options"]


def test_every_method_that_can_be_chosen_has_its_row_in_the_table_and_its_loop() -> None:
    assert tuple(METHODS) == METHOD_NAMES == tuple(loops.METHODS)


def test_no_option_is_in_the_table_that_no_code_reads() -> None:
    """Attributes read in the package of the methods, and in the records themselves."""
    read: set[str] = set()
    for path in Path(methods.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
                owner = node.value
                if (isinstance(owner, ast.Attribute) and owner.attr == "options") or (
                    isinstance(owner, ast.Name) and owner.id in ("o", "options")
                ):
                    read.add(node.attr)
    read |= {"covariances", "learn"}  # read by the property ``diagonal``, and by its value
    assert {one.name for _, one in EVERY} <= read


def test_every_option_says_what_it_does_where_it_comes_from_and_has_a_default_in_its_range() -> None:
    for record, one in EVERY:
        assert one.title, one.name
        assert one.words.endswith((".", ".)")), one.name
        assert one.source, one.name
        assert one.checked(one.default, record.METHOD) == one.default
        assert all(words for _, words in one.choices)
        assert getattr(record(), one.name) == one.default
    assert len({(record, one.title) for record, one in EVERY}) == len(EVERY), "two of a method are not called the same"


@given(st.sampled_from(EVERY), st.data())
def test_a_value_goes_through_its_text_unchanged(chosen: tuple[Any, Option], data: st.DataObject) -> None:
    record, one = chosen
    low, high = max(one.least, -1e6), min(one.most, 1e6)
    value: Any
    if one.choices:
        value = data.draw(st.sampled_from([key for key, _ in one.choices]))
    elif one.kind is bool:
        value = data.draw(st.booleans())
    elif one.kind is int:
        value = data.draw(st.integers(math.ceil(low), math.floor(high)))
    else:
        value = data.draw(st.floats(low + 1e-6, high - 1e-6))
    back = one.of_text(one.text(value), record.METHOD)
    assert back == (pytest.approx(value, rel=1e-11) if one.kind is float else value)


@pytest.mark.parametrize(
    ("method", "options", "random", "words"),
    [
        ("bvbmc", {"kernal": "se"}, False, "Did you mean “kernel”?"),
        ("bvbmc", {"kernel": "matern"}, False, "Did you mean “matern"),
        ("bvbmc", {"max_components": 0}, False, "a whole number, 1 to 1000; it is 0"),
        ("vbmc", {"stop": 1}, False, "must be yes or no"),
        ("default", {"final_draws": 2000.5}, False, "must be a whole number, 1000 to"),
        ("default", {"robust": True}, False, "has no option “robust”"),
        ("default", {"exploration": 0.5}, True, "The method for noisy simulators has no option “exploration”"),
        ("default", {"robust_dof": 2}, True, "above 2; it is 2"),
        ("svbmc", {"trim": 0.0}, False, "above 0"),
        ("laplace", {"checks": "many"}, False, "it is “many”"),
    ],
)  # fmt: skip
def test_a_wrong_option_is_said_before_anything_runs(method: str, options: dict[str, Any], random: bool, words: str) -> None:
    found = said(method, options, random)
    assert len(found) == 1
    assert words in found[0]


def test_a_right_option_and_a_method_from_elsewhere_are_let_through() -> None:
    assert not said("bvbmc", {"kernel": "matern32", "mean": "quadratic", "exploration": 1})
    assert not said("mine", {"whatever": 3})
    assert record_of("mine", False) is None
    assert foreign_options("default", True, {"robust": True, "exploration": 1.0}) == ("exploration",)


def test_an_unknown_option_raises_with_the_nearest_name() -> None:
    with pytest.raises(OptionError) as error:
        read_options(METHODS["vbmc"].options, {"active_pints": 3})
    assert error.value.similar == "active_points"


def test_the_schema_of_problem_files_knows_the_options_of_each_method() -> None:
    schema = files.schema()
    found = {rule["if"]["properties"]["method"]["const"]: rule["then"] for rule in schema["$defs"]["Settings"]["allOf"]}
    assert set(found) == set(METHODS)
    for key, described in METHODS.items():
        options = found[key]["properties"]["options"]
        assert options["additionalProperties"] is False
        names = {one.name for record in (described.options, described.noisy) if record for one in options_of(record)}
        assert set(options["properties"]) == names
    kernel = found["bvbmc"]["properties"]["options"]["properties"]["kernel"]
    assert "matern52" in kernel["enum"]
    assert kernel["default"] == "additive"
    assert "default" not in found["default"]["properties"]["options"]["properties"]["evidence_sd_limit"], "two defaults"
    json.dumps(schema, allow_nan=False)


def test_options_of_a_problem_file_come_back_as_they_were() -> None:
    made = problem("bvbmc", {"kernel": "se", "max_components": 7, "whitening": False, "log_delta": -15.5})
    back = files.loads(files.dumps(made))
    assert back == made
    assert msgspec.structs.asdict(back.settings)["options"]["whitening"] is False
