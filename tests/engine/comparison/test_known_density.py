"""What other methods are told of the runs of an analysis."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from bayescope.engine.answer.noise_levels import arrays
from bayescope.engine.comparison import known_density


def test_values_of_outputs_that_scatter_are_given_with_the_noise_that_was_learnt(monkeypatch: pytest.MonkeyPatch) -> None:
    told = enumerate((0.0, 0.0, 0.3))
    rows = [SimpleNamespace(index=k, outcome="ok", u=np.zeros(2), log_target=-1.0, noise_sd=sd) for k, sd in told]
    monkeypatch.setattr(known_density, "counted_runs", lambda store: rows)
    answer = SimpleNamespace(slices=arrays(np.array([1, 2]), np.array([0.7, 0.9])))
    store = SimpleNamespace(last_iteration=lambda: answer)
    assert known_density._evaluations(store, None, 2)[2].tolist() == [0.0, 0.7, 0.3]  # type: ignore[arg-type]
    store = SimpleNamespace(last_iteration=lambda: None)
    assert known_density._evaluations(store, None, 2)[2].tolist() == [0.0, 0.0, 0.3]  # type: ignore[arg-type]
