"""The number that stood in an input file as it was opened, where a placeholder was typed over it by hand. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from bayescope.engine.problem import placeholders
from bayescope.engine.problem.definition import Parameter, TemplateFile
from bayescope.engine.problem.numbers.numbers_in_text import Number, number_at
from bayescope.gui.models.simulator.numbers.assigned import assigned_at
from bayescope.gui.models.simulator.numbers.remarked_range import first_prior, without_range
from bayescope.gui.models.simulator.numbers.remarks import remark_on
from bayescope.gui.models.simulator.texts.text_changes import changes
from bayescope.gui.models.simulator.texts.text_rows import unified


def typed_over(templates: Sequence[TemplateFile], name: str) -> tuple[Parameter, float] | None:
    """A first parameter ``name``, with the label and the unit said beside the number that it took the place of, and that number;
    None: no original holds one there."""
    for template in templates:
        if template.original is None or name not in {used for used, _, _ in placeholders.find(template.text)}:
            continue
        for before, now in _changed_lines(unified(template.original), unified(template.text)):
            for used, start, _ in placeholders.find(now):
                found = _number_there(before, now[:start]) if used == name else None
                if found is not None:
                    number, end = found
                    said, unit = remark_on(before, number.start, end)
                    prior = first_prior(before, number.start, end, number.value)
                    said = without_range(said)
                    told = said if said.casefold() != name.casefold() else ""
                    return Parameter(name=name, label=told, unit=unit, prior=prior), number.value
    return None


def _changed_lines(original: str, text: str) -> Iterator[tuple[str, str]]:
    """Lines that differ, each as it was and as it is; where lines were put in, with all that may have been it."""
    old, new = original.split("\n"), text.split("\n")
    for a0, a1, b0, b1 in changes(original, text).blocks:
        if a1 - a0 == b1 - b0:
            yield from zip(old[a0:a1], new[b0:b1], strict=True)
        else:
            yield from ((before, now) for now in new[b0:b1] for before in old[a0:a1] if now.split("@")[0].strip())


def _number_there(before: str, lead: str) -> tuple[Number, int] | None:
    """The number of the line ``before`` that follows the words ``lead``, and where what gives it to a name ends."""
    parts: list[str] = []
    last = 0
    for _, start, end in placeholders.find(lead):
        parts, last = [*parts, lead[last:start]], end
    pattern = r"\s*\S+?".join(r"\s*".join(re.escape(w) for w in part.split()) for part in (*parts, lead[last:]))
    match = re.match(rf"\s*{pattern}\s*", before)
    if match is None:
        return None
    given = assigned_at(before, match.end(), match.end())
    number = given.number if given is not None else number_at(before, match.end(), match.end())
    if number is None or number.start > match.end() or number.end <= match.end():
        return None
    return number, given.end if given is not None else number.end
