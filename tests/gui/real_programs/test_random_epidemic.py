"""A random epidemic as a newcomer sets it up: one outbreak was counted, on dates, and the program prints days."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QRadioButton

from bayescope.engine.problem import definition as d
from hands import Hands
from hands.run import run_some, set_priors

pytestmark = [pytest.mark.long, pytest.mark.window, pytest.mark.timeout(300)]
MOST = 60  # actions to Start
PROGRAM = """import random, sys
deck = dict(line.split("=") for line in open("epidemic.cfg"))
beta, gamma, first = (float(deck[k]) for k in ("beta", "gamma", "first"))
random.seed(int(deck["seed"]))
s, i, r = 500 - int(first), int(first), 0
days = []
for day in range(60):
    new = sum(random.random() < 1.0 - 2.718281828 ** (-beta * i / 500.0) for _ in range(s))
    gone = sum(random.random() < 1.0 - 2.718281828 ** -gamma for _ in range(i))
    s, i, r = s - new, i + new - gone, r + gone
    days.append((day, new, i))
print("Stochastic epidemic, 500 people")
print("total cases", r + i, "peak", max(n for _, n, _ in days))
print("day new ill")
for row in days:
    print(*row)
"""
DECK = "beta=0.42\ngamma=0.17\nfirst=6\nseed=4711\n"
COUNTED = "date,ill\n2024-03-11,6\n2024-03-18,21\n2024-03-25,79\n2024-04-01,103\n2024-04-08,62\n"


def test_a_random_epidemic_is_set_up_from_nothing_to_its_start(
    tmp_path: Path, hands_on: Callable[[int, int], Hands]
) -> None:
    script = tmp_path / "epidemic.py"
    script.write_text(PROGRAM)
    (tmp_path / "epidemic.cfg").write_text(DECK)
    (tmp_path / "ward.csv").write_text(COUNTED)
    h = hands_on(1280, 800)
    h.click("New analysis")
    h.type(f"{sys.executable} {script} epidemic.cfg")
    h.click("It has unknown numbers")
    for number in ("0.42", "0.17", "6", "4711"):
        h.mark(number, double=True)
        h.key("Return")
    h.click("Test run")
    h.wait_for("Mark numbers")
    h.click("Mark numbers")
    h.wait(lambda: not h.reads("Now at other values"))
    for name in ("day", "ill"):
        h.mark(name, after="peak")
        h.click("Add output")
    set_priors(h, "0.2 to 0.8", "0.05 to 0.4", "1 to 20")
    h.click("Simulator")
    h.tab("Meaning")
    h.click("Random simulations, summarized", QRadioButton)
    h.click("Data")
    h.file("Open a data file", tmp_path / "ward.csv")
    h.click("Use this table")
    h.click("Compare it")
    assert h.reads("60 values of “ill”, but 5 were measured")
    h.picture(tmp_path / "unfit.png")
    h.click("Count in days from a day 0")
    assert h.reads("Is 2024-03-11 day 0 of the program")
    h.click("It is")
    h.click("Simulator")
    h.wheel("Random simulations near the data (ABC)", 20)
    assert h.reads("1 to 2 will do")
    h.fill("Runs at each point", "12")
    h.picture(tmp_path / "meaning.png")

    declared = h.window.controller.problem.declared
    assert isinstance(declared.meaning, d.SyntheticLikelihood)
    (compared,) = declared.meaning.summaries
    assert (compared.key_output, compared.key_column) == ("day", "date (d since 2024-03-11)")
    run_some(h, 18)
    assert h.actions.index("click 'Start'") < MOST, h.actions
    h.tab("Predictions")
    h.wait(lambda: h.reads("At the best point so far"), 20)
    h.picture(tmp_path / "predictions.png")
    h.click("Results")
    h.picture(tmp_path / "results.png")
    h.tab("What the data taught")
    h.wait_for("Preliminary: the answer is not confirmed", 20)
    h.picture(tmp_path / "taught.png")
