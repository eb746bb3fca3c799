"""Summaries that are made of others are named as what they are, with all their parts and none besides."""

from __future__ import annotations

import numpy as np
import pytest

from bayescope.engine.likelihood import synthetic
from bayescope.engine.likelihood.dependent import Dependence, dependences
from bayescope.engine.likelihood.errors import LikelihoodError

NAMES = [f"value of '{n}'" for n in ("sites", "diversity", "one", "two", "few", "many", "LD")]


def counts(runs: int = 20) -> np.ndarray:
    """Counts of very different spread; the first is the sum of four others."""
    rng = np.random.default_rng(3)
    parts = rng.poisson([480.0, 210.0, 270.0, 590.0], (runs, 4)).astype(float)
    other = rng.normal([0.37, 0.4], [0.02, 0.05], (runs, 2))
    return np.column_stack([parts.sum(1), other[:, 0], parts, other[:, 1]])


def test_a_sum_is_told_apart_from_its_parts_and_from_what_has_nothing_to_do_with_it() -> None:
    found = dependences(np.corrcoef(counts().T))
    assert found == [Dependence(0, (2, 3, 4, 5))]
    assert found[0].words(NAMES) == "'sites' is made of 'one', 'two', 'few' and 'many'"
    assert dependences(np.corrcoef(counts()[:, 1:].T)) == []


def test_every_relation_is_found_one_without_the_other() -> None:
    x = counts()
    both = np.column_stack([x, 3.0 - 2.0 * x[:, 1]])
    found = dependences(np.corrcoef(both.T))
    assert sorted((len(f.parts), f.whole) for f in found) in ([(1, 1), (4, 0)], [(1, 7), (4, 0)])
    kept = [i for i in range(8) if i not in {f.whole for f in found}]
    assert np.linalg.matrix_rank(np.corrcoef(both[:, kept].T)) == 6


def test_the_likelihood_says_which_summary_is_made_of_which() -> None:
    x = counts(40)
    with pytest.raises(LikelihoodError, match=r"singular: 'sites' is made of 'one', 'two', 'few' and 'many'\. Leave one"):
        synthetic.log_likelihood(x, x[0], names=NAMES)
