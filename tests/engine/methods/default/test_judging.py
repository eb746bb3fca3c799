"""How exactly an answer must be known before the default loop calls it converged."""

from __future__ import annotations

import numpy as np
import pytest

from bayescope.engine.loop_interface import LoopSettings, Tell
from bayescope.engine.methods.ask_tell import AskTellLoop
from bayescope.engine.methods.default import certification
from bayescope.engine.methods.default.evidence import log_of_mean, stated_sd
from bayescope.engine.methods.default.loop import DefaultMethod
from bayescope.engine.methods.default.stopping import Fresh


def test_the_sd_of_an_answer_counts_what_the_checks_found_and_the_last_surprises() -> None:
    fresh = [Fresh(0.06, 1.0, 0.0, 0.03, 1.0, 1.0)] * 8
    assert stated_sd(fresh, 0.04, 0.0, 4000, 2) == pytest.approx(np.sqrt(0.03**2 + 0.06**2 / 6 + 0.04**2 + 0.005**2))
    assert stated_sd([], 0.0, 0.0, 4000, 2) == np.inf
    whole = np.sqrt(0.03**2 + 0.06**2 / 6 + 0.04**2 + 0.01**2)  # of learnt outputs, whatever their emulator's sd has fallen to
    assert stated_sd(fresh, 0.04, 0.3, 4000, 2, emulated=True) == pytest.approx(whole)


def test_what_the_surrogate_has_learnt_since_it_was_surprised_and_checked_counts_for_less() -> None:
    before = [Fresh(0.6, 1.0, 0.0, 0.08, 0.5, 1.0)] * 5
    now = Fresh(0.0, 1.0, 0.0, 0.02, 0.5, 1.0)
    residuals = 0.6**2 * 4 / 5 / 4**2  # a quarter of each of the last five but the newest, which is none
    chance = 1.0 / 4000  # half of the draws count
    assert stated_sd([*before, now], 0.04, 0.08, 4000, 2) == pytest.approx(
        np.sqrt(0.02**2 + residuals / 6 + 0.01**2 + chance + 0.005**2)
    )
    unsure = Fresh(0.0, 1.0, 0.0, 0.16, 0.5, 1.0)  # less sure than before: nothing counts for more
    assert stated_sd([*before, unsure], 0.04, 0.08, 4000, 2) == pytest.approx(
        np.sqrt(0.16**2 + 0.6**2 * 4 / 5 / 6 + 0.04**2 + chance + 0.005**2)
    )
    assert certification.evidence_limit(10) > 0.013


def test_an_answer_confirmed_too_vaguely_is_checked_again_before_it_is_called_converged(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Student-t in two parameters whose first check is passed with an sd of .0084, where the limit is lower than that."""
    monkeypatch.setattr(certification, "evidence_limit", lambda dimension, walled=False: 0.0075)
    loop = AskTellLoop(DefaultMethod(LoopSettings(np.full(2, -4.0), np.full(2, 4.0), seed=15, max_evaluations=80)))
    while asks := loop.ask():
        loop.tell(Tell(asks[0].index, asks[0].u, float(-3.0 * np.log1p(np.square(asks[0].u) / 5.0).sum())))
    answer = loop.update()
    assert answer is not None
    assert answer.converged
    assert answer.log_evidence_sd < 0.0075
    assert loop.method.memory.refusals == 1
    assert loop.method.memory.refused_at < 0  # at once: no pause as after a check that failed


def test_the_evidence_of_a_checked_answer_holds_that_a_density_gains_more_by_errors_up_than_it_loses_by_errors_down() -> None:
    """A rough density in two parameters: its surrogate stays unsure from place to place, and the evidence of its mean is low."""

    def log_density(u: np.ndarray) -> np.ndarray:
        return -0.5 * np.square(u).sum(-1) + 0.5 * np.sin(3.0 * u).sum(-1)

    loop = AskTellLoop(DefaultMethod(LoopSettings(np.full(2, -3.0), np.full(2, 3.0), seed=2, max_evaluations=100)))
    while asks := loop.ask():
        loop.tell(Tell(asks[0].index, asks[0].u, float(log_density(asks[0].u))))
    answer = loop.update()
    assert answer is not None
    assert answer.converged
    line = np.linspace(-8.0, 8.0, 801)
    cells = np.exp(log_density(np.stack(np.meshgrid(line, line), axis=-1)))
    now = loop.method._now()
    added = answer.log_evidence - (now.draws.log_z + now.top + now.box.log_volume)
    assert 0.001 < added < 0.01
    assert answer.log_evidence == pytest.approx(np.log(cells.sum() * (line[1] - line[0]) ** 2), abs=0.02)
    loop.method.memory.converged = False
    assert log_of_mean(loop.method._now()) == 0.0
