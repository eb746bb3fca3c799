"""How many actions typical data cost on the Data page, from the preview of the file to nothing left to ask."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from data_pages import columns_of_file, matches, opened, trial_run

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.data.page import DataPage
from hands import Hands
from tests.support.sheet_files import xlsx

pytestmark = pytest.mark.window

VALUES = (1.2, 300.0, -5.0, 0.02, 45.0, 7000.0, 88.0, 3.3)
NAMES = ("Alpha", "Beta", "Gamma", "Delta", "Epsilon", "Zeta", "Eta", "Theta")
PRINTED = "".join(f"o{i} = {v}\n" for i, v in enumerate(VALUES, start=1))
CURVES = "t,a,b,c\n" + "".join(f"{i},{i * i},{10 - i},{100 + 5 * i}\n" for i in range(6))
NEAR = [v * 1.05 for v in VALUES]


def numbers(count: int, names: tuple[str, ...] = ()) -> tuple[d.Output, ...]:
    """Single numbers, called o1, o2 ... or by ``names``."""
    called = names or tuple(f"o{i}" for i in range(1, count + 1))
    return tuple(
        d.Output(name=n, source="res.txt", extractor=d.LabelledNumber(label=f"o{i} ="), length=1)
        for i, n in enumerate(called, start=1)
    )


SIX = (numbers(6), PRINTED, ",".join(NAMES[:6]) + "\n" + ",".join(map(str, NEAR[:6])) + "\n")
EIGHT = (
    numbers(8), PRINTED,
    "Quantity,Value,Error\n" + "".join(f"{n},{v},{abs(v) / 20}\n" for n, v in zip(reversed(NAMES), reversed(NEAR), strict=True)),
)  # fmt: skip
SHORT = (
    numbers(4, ("Etot", "GAP", "freq_1", "freq_2")), PRINTED,
    "Quantity,Value,Error\nfrequency 2,0.021,3 percent\nfrequency 1,-5.1,3 percent\nHOMO-LUMO gap,310,3 percent\n"
    "total energy,1.3,3 percent\n",
)
SERIES = (
    columns_of_file("t", "a", "b", "c"), CURVES,
    "Time (s),Flow,Temp,Press\n" + "".join(f"{i},{99 + 5.2 * i},{i * i * 1.1 + 0.1},{10.2 - i}\n" for i in range(6)),
)  # fmt: skip
BARE = (numbers(4), PRINTED, "".join(f"{v}\n" for v in NEAR[:4]))
RESULTS = [["what", "value", "sd"], ["Alpha", 1.3, 0.1], ["Beta", 310, 9], ["Gamma", -5.1, 0.2]]
BOOK = (numbers(3), PRINTED, xlsx({"Notes": [["Measured twice"], ["by hand"]], "Results": RESULTS}))


@pytest.fixture
def problem() -> d.Problem:
    return d.Problem(
        name="typical",
        parameters=(d.Parameter(name="k", prior=d.Uniform(low=0.0, high=1.0)),),
        simulator=d.Simulator(command=("sh", "@k@")),
        outputs=numbers(6),
        meaning=d.Predictions(matches=(), noise=d.GaussianKnown()),
    )


@pytest.fixture
def size() -> tuple[int, int]:
    return 1180, 760


@pytest.mark.parametrize(
    ("kind", "most"),
    [(SIX, 5), (EIGHT, 2), (SHORT, 2), (SERIES, 4), (BARE, 5), (BOOK, 2)],
    ids=["six columns", "eight labelled rows", "short names, errors in percent", "three curves", "a bare column", "two sheets"],
)  # fmt: skip
def test_typical_data_take_a_handful_of_actions(
    page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any],
    kind: tuple[tuple[d.Output, ...], str, str | bytes], most: int,
) -> None:  # fmt: skip
    outputs, printed, content = kind
    controller.problem.edit("x", outputs=outputs)
    trial_run(page, engines, printed)
    opened(page, tmp_path / ("m.xlsx" if isinstance(content, bytes) else "m.csv"), content)
    hands = Hands(page.window())
    hands.click("Use this table")
    if hands.sees("like this") and page.matching.proposed.isVisible():
        hands.click(page.matching.proposed.button.text().replace("&", ""))
    elif hands.sees("Compare by name"):
        hands.click("Compare by name")
    if hands.sees("Say how large"):
        hands.click("Say how large")
        if outputs is SERIES[0]:
            hands.type("0.5", end="Tab")
        else:
            hands.fill("Plus", "5", end="Tab")
    assert page.status()[0] == "done", page.status()
    assert len(hands.actions) <= most, hands.actions
    expected = len(outputs) - (outputs is SERIES[0])
    assert len(matches(controller)) == expected
    if outputs in (SIX[0], EIGHT[0]):
        assert [m.column for m in matches(controller)] == list(NAMES[: len(outputs)])
