"""A damaged or misspelt problem file, explained: msgspec's short messages in words, with the place."""

from __future__ import annotations

import difflib
import re
from typing import Any

import msgspec

from . import definition
from .errors import ProblemError

_TYPES = {
    "float": "a number", "int": "a whole number", "str": "a text in quotes", "bool": "true or false", "null": "nothing (null)",
    "array": "a list in [ ]", "object": "a group in { }",
}  # fmt: skip
_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+|\.\.\.)\]")


def explain(error: msgspec.ValidationError, document: Any) -> ProblemError:
    """The ProblemError for what ``msgspec.convert`` found wrong in ``document``."""
    text, _, path = str(error).partition(" - at `$")
    where = _place(path.rstrip("`"), document)
    if match := re.search(r"unknown field `(.*)`", text):
        similar = difflib.get_close_matches(match[1], sorted(_all_fields()), n=1)
        hint = f"Did you mean '{similar[0]}'?" if similar else "Remove it, or look at the schema (bayescope new --schema)."
        return ProblemError(f"There is no entry called '{match[1][:60]}' here.", where, hint)
    if match := re.search(r"missing required field `(.*)`", text):
        return ProblemError(f"The entry '{match[1]}' is missing.", where, "Add it.")
    if match := re.search(r"Invalid (?:enum )?value (.*)", text):
        hint = "Look at the schema (bayescope new --schema) for the choices."
        return ProblemError(f"{match[1][:60]} is not one of the possible choices.", where, hint)
    if match := re.match(r"Expected `([\w| ]+)`(.*), got `?(\w+)`?", text):
        wanted = " or ".join(_TYPES.get(t.strip(), t.strip()) for t in match[1].split("|"))
        return ProblemError(f"Here {wanted}{match[2]} is expected, not {_TYPES.get(match[3], match[3])}.", where)
    if match := re.fullmatch(r"Expected `(\w+)` (matching|>=|<=|>|<) (.*)", text):
        relation = {">=": "of at least", "<=": "of at most", ">": "greater than", "<": "less than"}.get(match[2], match[2])
        return ProblemError(f"Here {_TYPES.get(match[1], match[1])} {relation} {match[3]} is expected.", where)
    if "out of range" in text:
        return ProblemError("This number is too large to compute with.", where)
    return ProblemError(f"This entry is not understood: {text.replace('`', '')}.", where)


def _all_fields() -> set[str]:
    records = [v for v in vars(definition).values() if isinstance(v, type) and issubclass(v, msgspec.Struct)]
    return {field for record in records for field in record.__struct_fields__} | {"kind", "path"}


def _place(path: str, document: Any) -> str:
    """'parameters, entry 2 ('rho'), prior' out of '.parameters[1].prior'."""
    words: list[str] = []
    here = document
    for key, index in _STEP.findall(path):
        if key:
            words.append(key)
            here = here.get(key) if isinstance(here, dict) else None
        elif index == "...":
            words.append("one of its entries")
            here = None
        else:
            here = here[int(index)] if isinstance(here, list) and int(index) < len(here) else None
            name = here.get("name") if isinstance(here, dict) else None
            words.append(f"entry {int(index) + 1}" + (f" ('{name[:40]}')" if isinstance(name, str) else ""))
    return ", ".join(words)
