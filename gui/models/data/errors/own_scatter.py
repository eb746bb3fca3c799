"""Predictions with a statistical error of their own (Monte Carlo, molecular dynamics): how that is said and declared. Pure."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from bayescope.engine.problem.definition import Predictions, Problem, is_noisy
from bayescope.engine.problem.fixed_seed import fixed_seed, with_seed_marked
from bayescope.gui.models.fields import Field

OWN_ERROR = "They have a statistical error of their own"
DECLARED = "The outputs are said to have a statistical error of their own."
ABOUT = (
    "For programs that are random, such as Monte Carlo and molecular dynamics, where what was measured is their average. One run "
    "is made at each point; how large the error is, is learnt from all of them."
)
FIELD = Field("random", OWN_ERROR, ABOUT, "flag")
DECLARES = "Say that the outputs have a statistical error of their own, and that what was measured is their average (tab Meaning)"
SCATTER = (
    "If the data are no average, but scatter as single runs of the program do, one run at a point cannot tell how much that is: "
    "each point takes several runs, and summaries of them are compared with those of the data."
)
SCATTER_BUTTON = "The &data scatter as the program does"
KEEP_SEED, SEED_CAPTION = "Keep it fixed", "Is the program random?"
IF_RANDOM = "If it is random, that hides how far its outputs scatter: with a new seed in each run, all runs together tell."
NEW_SEED = "New seed in each run"
DIFFER = "It works, but with the same values the outputs differ, and they count as exact."
IF_AVERAGE = (
    "If what was measured is their average, say that they have a statistical error. If the data scatter as single runs do, "
    "choose a meaning for random simulations; else fix the program's random seed."
)


@dataclass(frozen=True)
class SeedDoubt:
    """A random seed that is the same in every run, though nobody said that it may be; ``mended``: a new one in each."""

    words: str
    hint: str
    mended: Problem


def seed_doubt(problem: Problem) -> SeedDoubt | None:
    """What hides how far predictions scatter; None: no fixed seed is seen, or the outputs are no predictions."""
    seed = fixed_seed(problem)
    if seed is None or not isinstance(problem.meaning, Predictions):
        return None
    words = f"The program is given the same random seed in every run ({seed.words})."
    if is_noisy(problem.meaning):
        hint = "Its outputs are said to have a statistical error of their own, which shows only where the seed differs."
        return SeedDoubt(words, hint, with_seed_marked(problem, seed))
    mended = with_seed_and_error(problem)
    return None if mended is None else SeedDoubt(words, IF_RANDOM, mended)


def with_seed_and_error(problem: Problem) -> Problem | None:
    """The same, with a placeholder in place of the number that fixes its random seed, where one is seen."""
    said, seed = with_own_error(problem), fixed_seed(problem)
    return said if said is None or seed is None else with_seed_marked(said, seed)


def with_own_error(problem: Problem) -> Problem | None:
    """``problem`` with predictions said to have a statistical error of their own; None where that is no way out."""
    if not isinstance(problem.meaning, Predictions) or is_noisy(problem.meaning):
        return None
    return msgspec.structs.replace(problem, meaning=msgspec.structs.replace(problem.meaning, random=True))
