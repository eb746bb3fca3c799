"""How many characters the numbers of each parameter take, and how many stood there in the file that was opened. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec
import numpy as np

from bayescope.engine.problem import placeholders
from bayescope.engine.problem.definition import NumberFormat, Parameter, Problem, TemplateFile
from bayescope.engine.problem.errors import ProblemError
from bayescope.engine.problem.numbers.number_format import format_number
from bayescope.engine.problem.priors import of_parameter
from bayescope.gui.analysis.number_formats import FIRST
from bayescope.gui.models.plain import one_line
from bayescope.gui.models.simulator.texts.filled import all_uses
from bayescope.gui.models.simulator.texts.text_changes import changes

EVERY = 24  # characters that a number with every digit takes at most: -1.2345678901234567e-300
TRIED = 33  # values of a parameter that are written to see how long they get
MOST_NAMED = 4
REMARKS = ("#", "!", "%", "//", ";", "--", "/*")
SEPARATORS = ",;|"  # right behind a number they end it, wherever they stand
NEAR = 2  # lines above and below a number that are compared with its own


def longest(parameter: Parameter, form: NumberFormat) -> int:
    """Characters of the longest number of ``parameter``, seen from values over its prior; 0: it cannot be written."""
    try:
        shares = (np.arange(TRIED) + 0.5) / TRIED
        values = [parameter.fixed] if parameter.fixed is not None else of_parameter(parameter).quantile(shares).tolist()
        unlimited = msgspec.structs.replace(form, max_width=None)
        return max(len(format_number(value, unlimited)) for value in values)
    except ProblemError:
        return 0


def stood(problem: Problem, name: str) -> int:
    """The fewest characters that stood where ``name`` stands now, spaces not counted; 0: not known."""
    found = [len(text) for template in problem.simulator.templates for text in _originals(template, name)]
    return min(found, default=0)


def _originals(template: TemplateFile, name: str) -> list[str]:
    """What the original has in the places of ``@name@``, line by line."""
    lines = (template.original or "").split("\n")
    return [lines[at][start:end].strip() for at, start, end in _places(template, name)]


def _places(template: TemplateFile, name: str) -> Iterator[tuple[int, int, int]]:
    """The lines of the original, from 0, and the characters of them that ``@name@`` took the place of."""
    if template.original is None or f"@{name}@" not in template.text:
        return
    lines, before = template.text.split("\n"), template.original.split("\n")
    beside = changes(template.original, template.text)
    for i, line in enumerate(lines):
        marks = placeholders.find(line) if f"@{name}@" in line else []
        at = beside.in_original(i) if marks else -1
        if not 0 <= at < len(before):
            continue
        ends = [0, *(end for _, _, end in marks)]
        starts = [*(start for _, start, _ in marks), len(line)]
        pattern = "(.+?)".join(re.escape(line[a:b]) for a, b in zip(ends, starts, strict=True))
        match = re.fullmatch(pattern, before[at])
        for k, (mark, _, _) in enumerate(marks if match is not None else ()):
            if mark == name and match is not None:
                yield at, *match.span(k + 1)


def pushed_words(problem: Problem, template: TemplateFile) -> str:
    """That the numbers of a parameter push aside what stands behind them in columns of ``template``, and what to do; '': none."""
    for name in dict.fromkeys(name for name, _, _ in placeholders.find(template.text)):
        if (words := width_words(problem, name)) and _in_columns(template, name):
            return f"@{name}@ pushes the rest of its line to the right. {words} Both are on the tab Where each parameter goes."
    return ""


def _in_columns(template: TemplateFile, name: str) -> bool:
    """Whether words of a line near the number end where it ended, and words stand behind it: the deck is in columns."""
    lines = (template.original or "").split("\n")
    for at, _, end in _places(template, name):
        near = [line for k in range(at - NEAR, at + NEAR + 1) if k != at and 0 <= k < len(lines) for line in (lines[k],)]
        below = any(len(line) >= end and not line[end - 1].isspace() and line[end : end + 1].strip() == "" for line in near)
        padded = "  " in lines[at][:end].strip()  # a space between words is no column
        rest = lines[at][end:].strip()
        if "\t" in lines[at][end : len(lines[at]) - len(lines[at][end:].lstrip())]:
            continue  # a tab parts it from what follows, wherever that stands
        remark = rest.startswith(REMARKS)  # pushed out of no column
        if rest and rest[0] not in SEPARATORS and not remark and below and padded:
            return True
    return False


def width_words(problem: Problem, name: str) -> str:
    """That the numbers of ``name`` are longer than what stood there, and what to do in fields of a fixed width; '' else."""
    parameter = next((p for p in problem.parameters if p.name == name), None)
    form, before = problem.simulator.formats.get(name, NumberFormat()), stood(problem, name)
    most = longest(parameter, form) if parameter is not None else 0
    if not before or most <= before or form.max_width is not None:
        return ""
    return (
        f"Written with up to {most} characters; {before} stood here. Does the program read columns of a fixed width? "
        "Then take fewer Digits, and set At most to the width of the column."
    )


def with_every_digit(problem: Problem) -> tuple[str, ...]:
    """The parameters that the program gets and that are written with as many digits as they have."""
    used = all_uses(problem.simulator)
    plain, formats = (NumberFormat(), NumberFormat(style="exponent")), problem.simulator.formats
    return tuple(p.name for p in problem.parameters if p.name in used and formats.get(p.name, plain[0]) in plain)


def every_digit_words(names: tuple[str, ...]) -> str:
    """What is to be known of these."""
    shown = ", ".join(one_line(name, 20) for name in names[:MOST_NAMED]) + (" …" if len(names) > MOST_NAMED else "")
    return f"{shown}: written with every digit, up to {EVERY} characters. Some programs read only 20 and drop the rest."


def with_twelve(problem: Problem) -> Problem:
    """All of these with 12 digits."""
    formats = dict(problem.simulator.formats)
    for name in with_every_digit(problem):
        style = formats.get(name, FIRST).style
        formats[name] = msgspec.structs.replace(FIRST, style=style, digits=(FIRST.digits or 12) - (style == "exponent"))
    return msgspec.structs.replace(problem, simulator=msgspec.structs.replace(problem.simulator, formats=formats))
