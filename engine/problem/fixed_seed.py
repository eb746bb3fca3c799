"""A line of an input file, or a word of the command, that gives a program a random seed by number: the same in every run."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .definition import Problem

_NAME = r"(?:[ir]|(?:random|rng|rand)[_ -]?)?seed"  # seed, iseed, RANDOM_SEED
_FIXED = re.compile(  # SEED 20261, iseed=7, random_seed: 3, "seed": 5
    rf"(?<![a-z0-9]){_NAME}[\"']?[ \t]*[:=]?[ \t]*(?P<number>[0-9]+)(?![\w.@])", re.IGNORECASE
)
MOST_READ = 1_000_000  # characters of a text
LONGEST = 40  # characters of a line that is named


@dataclass(frozen=True)
class FixedSeed:
    """``template``: which of them; ``line`` counted from 1; ``start``, ``end``: of the number in its text."""

    template: int
    target: str
    line: int
    start: int
    end: int
    text: str

    @property
    def words(self) -> str:
        return f"{self.target}, line {self.line}: “{self.text}”"


def is_seed_name(name: str) -> bool:
    """Whether input files call a random seed so."""
    return re.fullmatch(_NAME, name, re.IGNORECASE) is not None


def fixed_seed(problem: Problem) -> FixedSeed | None:
    """The first one in the input files; None: none is seen."""
    for i, template in enumerate(problem.simulator.templates):
        text = template.text[:MOST_READ]
        if (found := _FIXED.search(text)) is not None:
            line = text[text.rfind("\n", 0, found.start()) + 1 :].split("\n", 1)[0].strip()
            number = text.count("\n", 0, found.start()) + 1
            return FixedSeed(i, template.target, number, *found.span("number"), line[:LONGEST])
    return None
