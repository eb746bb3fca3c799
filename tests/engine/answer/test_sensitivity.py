"""The record of sensitivities: kept with the answer it is of, refused where it is damaged, told in sentences and rows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import pytest

from bayescope.engine.answer import sensitivity_words as words
from bayescope.engine.answer.predictions.data_parts import columns_of, parts_of
from bayescope.engine.answer.sensitivity import (
    DataPart,
    Indices,
    NextMeasurement,
    Sensitivity,
    save_sensitivity,
    sensitivity_of,
    stored_sensitivity,
)
from bayescope.engine.app import cli
from bayescope.engine.problem import definition as d
from bayescope.engine.report.report import report_html
from bayescope.engine.session.codec import CodecError
from bayescope.engine.session.records import IterationRecord
from bayescope.engine.session.store import SessionStore

NAMES = ("k1", "k2", "k7")


def ranged(*values: float, half: float = 0.01) -> tuple[tuple[float, float, float], ...]:
    return tuple((v, max(v - half, 0.0), v + half) for v in values)


END = Indices(
    name="end temperature", kind="output", over="prior", first=ranged(0.7, 0.1, 0.0), total=ranged(0.82, 0.25, 0.001, half=0.002),
    known=0.98, sd=2.0,
)  # fmt: skip
LATE = DataPart(
    title="level, rows 8 to 10 (t = 20 to 24)", column="level", bits=1.4, widening=(1.01, 2.1, 1.0), share=(0.02, 0.8, None),
    shift=(0.0, -0.6, 0.1), pareto_k=0.3, how="weights",
)  # fmt: skip
EARLY = DataPart(
    title="level, rows 1 to 7 (t = 1 to 19)", column="level", bits=0.001, widening=(1.0, 1.0, 1.0), share=(0.0, 0.0, None),
    shift=(0.0, 0.0, 0.0), pareto_k=0.1, how="weights",
)  # fmt: skip
AGAIN = NextMeasurement(
    title="level, row 9 (t = 22)", column="level", row=9, bits=0.41, bits_sd=0.01, times=(1.0, 1.25, 1.0)
)
FOUND = Sensitivity(
    iteration=3, parameters=NAMES, indices=(END,), parts=(EARLY, LATE), next=(AGAIN,), interval="90 % intervals.",
    plausible=("k7",),
)  # fmt: skip


def session(path: Path, found: Sensitivity | None = FOUND) -> SessionStore:
    problem = d.Problem(
        name="three",
        parameters=tuple(
            d.Parameter(name=n, label="<i>Rate</i>" if n == "k2" else "", prior=d.Normal(mean=0.0, sd=1.0)) for n in NAMES
        ),
        simulator=d.Simulator(command=("true",)),
        outputs=(d.Output(name="logl", source="stdout", extractor=d.LastNumber()),),
        meaning=d.LogLikelihoodOutput(output="logl"),
    )  # fmt: skip
    store = SessionStore.create(path, problem, own=True)
    store.add_iteration(record(3))
    if found is not None:
        save_sensitivity(store, found)
    return store


def record(iteration: int) -> IterationRecord:
    return IterationRecord(
        iteration=iteration, n_evaluations=5, elbo=-3.6, elbo_sd=0.02, log_evidence=-3.5, log_evidence_sd=0.01, converged=True,
        warm_up=False, reasons=(), weights=np.ones(1), means=np.zeros((1, 3)), covariances=0.1 * np.eye(3)[None],
    )  # fmt: skip


def test_it_belongs_to_one_answer(tmp_path: Path) -> None:
    with session(tmp_path / "a.bayescope") as store:
        assert stored_sensitivity(store) == FOUND
        store.add_iteration(replace(record(4), n_evaluations=6))
        assert stored_sensitivity(store) is None


def test_new_draws_of_a_version_that_could_lose_a_mode_are_worked_out_again(tmp_path: Path) -> None:
    for led_back in (False, True):
        drawn = msgspec.structs.replace(LATE, how="draws", pareto_k=0.9, led_back=led_back)
        with session(tmp_path / f"{led_back}.bayescope", msgspec.structs.replace(FOUND, parts=(EARLY, drawn))) as store:
            assert (stored_sensitivity(store) is not None) == led_back
            assert not store.damage


@pytest.mark.parametrize(
    "data",
    [
        b"{}", b"[1]", b"\xff", b'{"iteration": 3, "parameters": ["a"], "more": 1}',
        msgspec.json.encode(msgspec.structs.replace(FOUND, parameters=("a",))),
        msgspec.json.encode(msgspec.structs.replace(FOUND, seconds=1e301)),
        b'{"iteration": 3, "parameters": ["' + b"a" * 5_000_000 + b'"]}',
    ],
)  # fmt: skip
def test_what_is_damaged_is_left_out_and_said(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(CodecError):
        sensitivity_of(data)
    with session(tmp_path / "a.bayescope", None) as store:
        store._set_meta(sensitivity=data)
        assert stored_sensitivity(store) is None
        assert any("sensitivities was left out" in s for s in store.damage)


def test_sentences_name_what_matters_and_what_does_not() -> None:
    titles = {"k1": "k1", "k2": "Rate", "k7": "k7"}
    assert words.sentence(END, NAMES, titles) == (
        "“end temperature” depends mostly on k1 (.82), less on Rate (.25); k7 hardly matters (< .01). "
        "Part of it (.20) is what they do together."
    )
    little = msgspec.structs.replace(END, total=ranged(0.12, 0.05, 0.004), first=ranged(0.12, 0.05, 0.004), over="posterior")
    assert words.sentence(little, NAMES, titles) == "“end temperature” depends on k1 (.12)."
    unsure = msgspec.structs.replace(END, known=0.5)
    assert "not known well enough over the prior" in words.sentence(unsure, NAMES, titles)
    wide = msgspec.structs.replace(END, total=ranged(0.5, 0.5, 0.5, half=0.3))
    assert "not known well enough" in words.sentence(wide, NAMES, titles)
    assert words.part_sentences(FOUND, titles) == (
        "Level, rows 8 to 10 (t = 20 to 24) hold most of what is known of Rate: without, its standard deviation would be 2.1 "
        "times as large.",
        "Hardly anything would change without level, rows 1 to 7 (t = 1 to 19).",
        words.NO_SUM,
    )
    assert words.part_words(LATE, NAMES, titles) == "sd without it, times as large: Rate 2.1; Rate would be 0.6 sd lower"
    assert words.next_sentences(FOUND, titles) == (
        "Level, row 9 (t = 22) again: 0.41 bits expected; Rate would be known about 1.2 times better.",
    )
    assert words.over_words(FOUND, titles).startswith("Over the prior; of k7 over the plausible range")
    failed = msgspec.structs.replace(LATE, how="failed", pareto_k=None)
    assert "not known" in words.part_words(failed, NAMES, titles)
    assert "it cannot be said" in " ".join(words.part_sentences(msgspec.structs.replace(FOUND, parts=(EARLY, failed)), titles))


def test_a_parameter_that_the_others_tell_is_not_said_to_hardly_matter() -> None:
    titles = {"k1": "k1", "k2": "Rate", "k7": "k7"}
    told = msgspec.structs.replace(
        END, total=ranged(0.82, 0.004, 0.004, half=0.002), first=ranged(0.9, 0.29, 0.03, half=0.002), over="posterior"
    )
    assert words.sentence(told, NAMES, titles) == (
        "“end temperature” depends mostly on k1 (.82); it goes with Rate (.29) too, which the others tell."
    )


def test_terminal_report_and_table_tell_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = tmp_path / "a.bayescope", tmp_path / "out.csv"
    with session(path) as store:
        html = report_html(store)
    assert cli.main(["taught", str(path), "--sensitivity"]) == 0  # it was worked out before
    said = capsys.readouterr().out
    assert "“end temperature” depends mostly on k1 (.82)" in said
    assert "level, rows 8 to 10 (t = 20 to 24): 1.40 bits" in said
    assert "<h2>Sensitivities</h2>" in html
    assert "hold most of what is known of &lt;i&gt;Rate&lt;/i&gt;" in html
    assert cli.main(["export", str(path), "--sensitivity", str(out)]) == 0
    rows = [line.split(",") for line in out.read_text(encoding="utf-8").splitlines()]
    assert {r[0] for r in rows[1:]} == {
        "first order", "total", "information of data", "widening without", "expected information", "expected gain"
    }  # fmt: skip
    assert rows[1][:9] == ["first order", "end temperature", "", "", "prior", "k1", "0.7", "0.69", "0.71"]


def test_without_a_record_the_table_says_how_to_get_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    session(tmp_path / "a.bayescope", None).close()
    assert cli.main(["export", str(tmp_path / "a.bayescope"), "--sensitivity", str(tmp_path / "out.csv")]) == 1
    assert "taught FILE --sensitivity" in capsys.readouterr().err


def test_long_series_are_parted_in_few_runs_of_rows_and_many_columns_are_left_whole() -> None:
    def told(columns: int, rows: int) -> list[str]:
        data = {f"c{k}": tuple(float(i) for i in range(rows)) for k in range(columns)}
        problem = d.Problem(
            name="p", parameters=(d.Parameter(name="a", prior=d.Normal(mean=0.0, sd=1.0)),),
            simulator=d.Simulator(command=("x", "@a@")), outputs=(d.Output(name="y", source="stdout", extractor=d.LastNumber()),),
            meaning=d.Predictions(
                matches=tuple(d.Match(output="y", column=c) for c in data), noise=d.GaussianKnown(sd=1.0)
            ),
            data=d.DataTable(columns={"time": tuple(2.0 * i for i in range(rows)), **data}),
        )  # fmt: skip
        found = parts_of(columns_of(problem))
        cells = np.sort(np.concatenate([p.cells for p in found if not p.whole]))
        assert (cells == np.arange(columns * rows)).all()
        return [p.title for p in found]

    assert told(1, 3) == ["c0, row 1 (time = 0)", "c0, row 2 (time = 2)", "c0, row 3 (time = 4)"]
    assert told(1, 24)[0] == "c0, rows 1 to 2 (time = 0 to 2)"
    assert len(told(1, 500)) == 12
    assert told(2, 500)[6] == "c0, all of it"
    assert told(20, 5) == [f"c{k}" for k in range(20)]
