"""How the parameters of a problem are written, as they come and go. Pure."""

from __future__ import annotations

import msgspec

from bayescope.engine.problem.definition import NumberFormat, Problem

# with sign, point and exponent 19 characters: many programs keep 20 of a number and drop the rest without a word
FIRST = NumberFormat(digits=12)


def following(before: Problem, after: Problem) -> Problem:
    """``after`` with ``FIRST`` for each parameter that ``before`` did not have, and nothing for those that are gone."""
    had, has = ({p.name for p in problem.parameters} for problem in (before, after))
    formats = {name: form for name, form in after.simulator.formats.items() if name not in had - has}
    formats = dict.fromkeys(sorted(has - had), FIRST) | formats
    if formats == after.simulator.formats:
        return after
    return msgspec.structs.replace(after, simulator=msgspec.structs.replace(after.simulator, formats=formats))


def in_style_of(form: NumberFormat, before: NumberFormat) -> NumberFormat:
    """``form`` with as many significant digits as ``before``, if its style is another and says how many there are."""
    if form.style == before.style or form.digits is None:
        return form
    significant = {"general": form.digits, "exponent": form.digits + 1}.get(before.style)
    if significant is None or form.style not in ("general", "exponent"):
        return msgspec.structs.replace(form, digits=None)
    return msgspec.structs.replace(form, digits=max(significant - (form.style == "exponent"), 0))
