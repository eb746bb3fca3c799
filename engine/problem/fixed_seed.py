"""What gives a program a random seed by number, the same in every run: a line of an input file or of standard input, or a word
of the command."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

import msgspec

from .definition import Problem
from .placeholders import SEED

# seed, iseed, RANDOM_SEED, seed_value, random_state, rng_state
_NAME = (
    r"(?:(?:[ir]|(?:random|rng|rand|np|numpy|mc|master|global|init(?:ial)?)[_ -]?)?seed(?:[_ -]?(?:value|val|number|num|no))?"
    r"|random[_ -]?state|rng[_ -]?state)"
)
_CALL = r"(?:set\.seed|(?:np\.|numpy\.)?random\.seed|manual_seed|s?rand(?:48)?|default_rng|RandomState|mt19937(?:_64)?[ \t]+\w+)"
_IS = r"(?:[:=]|<-|(?:equals?|index|internal|is|to)\b)"
_LONG = r"rng[\"']?[ \t]*[:=]?[ \t]*(?=[0-9]{3})"  # RNG = 2 rather chooses a generator
_FIXED = re.compile(  # SEED 20261, iseed=7, variable seed equal 4821, random_seed: 3, "seed": 5, set.seed(42), RNG = 20261
    rf"(?<![a-z0-9])(?:{_NAME}[\"']?[ \t]*{_IS}?[ \t]*|{_CALL}[ \t]*\([ \t]*(?=[0-9]+[ \t]*\))|{_LONG})"
    r"(?P<number>[0-9]+)(?![\w.@])",
    re.IGNORECASE,
)
_OPTION = re.compile(rf"[-/]{{0,2}}(?:{_NAME})", re.IGNORECASE)  # --seed 7, -seed 7, and seed=7 in one word
MOST_READ = 1_000_000  # characters of a text
LONGEST = 40  # characters of a line that is named


@dataclass(frozen=True)
class FixedSeed:
    """``number``: of the template or of the word of the command; ``start``, ``end``: of the seed in that text; ``words``: where
    it stands, and the line."""

    place: Literal["template", "stdin", "argument"]
    number: int
    start: int
    end: int
    words: str


def is_seed_name(name: str) -> bool:
    """Whether input files call a random seed so."""
    return re.fullmatch(_NAME, name, re.IGNORECASE) is not None


def fixed_seed(problem: Problem) -> FixedSeed | None:
    """The first one in the input files, standard input and the command; None: none is seen."""
    return next(_all(problem), None)


def _all(problem: Problem) -> Iterator[FixedSeed]:
    simulator = problem.simulator
    for i, template in enumerate(simulator.templates):
        if (found := _in_text(template.text, template.target)) is not None:
            yield replace(found, number=i)
    if (found := _in_text(simulator.stdin or "", "standard input")) is not None:
        yield replace(found, place="stdin")
    yield from _in_command(simulator.command)


def _in_text(text: str, called: str) -> FixedSeed | None:
    text = text[:MOST_READ]
    found = _FIXED.search(text)
    if found is None:
        return None
    line = " ".join(text[text.rfind("\n", 0, found.start()) + 1 :].split("\n", 1)[0].split())
    at = text.count("\n", 0, found.start()) + 1
    return FixedSeed("template", 0, *found.span("number"), f"{called}, line {at}: “{line[:LONGEST]}”")


def _in_command(command: tuple[str, ...]) -> Iterator[FixedSeed]:
    for i, word in enumerate(command[1:], 1):
        name, equals, value = word.partition("=")
        if equals and value.isdecimal() and _OPTION.fullmatch(name):
            yield FixedSeed("argument", i, len(name) + 1, len(word), f"the command: “{word[:LONGEST]}”")
        elif word.isdecimal() and i > 1 and _OPTION.fullmatch(command[i - 1]):
            yield FixedSeed("argument", i, 0, len(word), f"the command: “{command[i - 1]} {word}”")


def with_seed_marked(problem: Problem, seed: FixedSeed) -> Problem:
    """``problem`` with the placeholder in place of the number that ``seed`` is."""
    simulator = problem.simulator

    def marked(text: str) -> str:
        return f"{text[: seed.start]}@{SEED}@{text[seed.end :]}"

    if seed.place == "stdin":
        changed = msgspec.structs.replace(simulator, stdin=marked(simulator.stdin or ""))
    elif seed.place == "argument":
        words = list(simulator.command)
        words[seed.number] = marked(words[seed.number])
        changed = msgspec.structs.replace(simulator, command=tuple(words))
    else:
        templates = list(simulator.templates)
        one = templates[seed.number]
        templates[seed.number] = msgspec.structs.replace(one, text=marked(one.text))
        changed = msgspec.structs.replace(simulator, templates=tuple(templates))
    return msgspec.structs.replace(problem, simulator=changed)
