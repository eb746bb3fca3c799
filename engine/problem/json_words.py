"""A damaged or misspelt problem file, explained: msgspec's short messages in words, with the place."""

from __future__ import annotations

import copy
import difflib
import re
from typing import Any

import msgspec
from msgspec import inspect

from .definition import Problem
from .errors import ProblemError

_TYPES = {
    "float": "a number", "int": "a whole number", "str": "a text in quotes", "bool": "true or false", "null": "nothing (null)",
    "array": "a list in [ ]", "object": "a group in { }",
}  # fmt: skip
_STEP = re.compile(r"\.([^.\[\]]+)|\[([0-9]+|\.\.\.)\]")
_UNKNOWN = re.compile(r"unknown field `(.*)`", re.DOTALL)
_BY_PATH = {"TemplateFile": "text", "DataTable": "columns", "CovarianceNoise": "matrix"}  # 'path' instead, see files.py
_INVALID = re.compile(r"Invalid (?:enum )?value (.*)")
_MOST_ERRORS = 20


def explain(error: msgspec.ValidationError, document: Any) -> ProblemError:
    """The ProblemError for what ``msgspec.convert`` found wrong in ``document``; all unknown entries are in it."""
    found = [_explain_one(error, document)]
    rest = copy.deepcopy(document)
    for _ in range(_MOST_ERRORS - 1):
        if not _put_right(error, rest):
            break
        try:
            msgspec.convert(rest, Problem)
        except msgspec.ValidationError as next_error:
            error = next_error
            found.append(_explain_one(error, rest))
        except (RecursionError, OverflowError):
            break
        else:
            break
    if len(found) == 1:
        return found[0]
    return ProblemError(f"{len(found)} entries need to be corrected.\n" + "\n".join(f"- {one}" for one in found))


def _explain_one(error: msgspec.ValidationError, document: Any) -> ProblemError:
    text, path = _parts(error)
    where = _place(path, document)
    if match := _UNKNOWN.search(text):
        hint = _hint(match[1], *_at(path, document, match[1]))
        return ProblemError(f"There is no entry called “{match[1][:60]}” here.", where, hint)
    if match := re.search(r"missing required field `(.*)`", text):
        return ProblemError(f"The entry “{match[1]}” is missing.", where, "Add it.")
    if match := _INVALID.search(text):
        given = match[1].strip("'\"`")
        choices = _choices(path, document)
        similar = next(iter(difflib.get_close_matches(given, choices, n=1)), "")
        known = ", ".join(f"“{choice}”" for choice in choices)
        hint = f"Did you mean “{similar}”? " if similar else ""
        hint += f"The choices: {known}." if known else "Look at the schema (bayescope new --schema) for the choices."
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


def _parts(error: msgspec.ValidationError) -> tuple[str, str]:
    """msgspec's message and the path of the place it is about."""
    text, _, path = str(error).rpartition(" - at `$")
    return (text, path.rstrip("`")) if text else (str(error), "")


def _put_right(error: msgspec.ValidationError, document: Any) -> bool:
    """Rename the unknown entry that ``error`` names to what is meant, or remove it; put a possible choice in the place of an
    impossible one. False if it is about something else."""
    text, path = _parts(error)
    if wrong := _INVALID.search(text):
        return _choose(path, document, wrong[1].strip("'\"`"))
    match = _UNKNOWN.search(text)
    record, group = _at(path, document, match[1]) if match else (None, None)
    if match is None or not isinstance(group, dict) or match[1] not in group:
        return False
    similar, _ = _other_entries(match[1], record, group)
    value = group.pop(match[1])
    if similar:  # else the entry that is meant would be called missing as well
        group[similar] = value
    return True


def _choices(path: str, document: Any) -> list[str]:
    """What can stand at ``path``: the values of a choice, or the kinds of a record that is one of several."""
    *outer, (key, _) = [*_STEP.findall(path)] or [("", "")]
    above = "".join(f".{k}" if k else f"[{i}]" for k, i in outer)
    kind, _ = _declared(above, document)
    if key == "kind":
        records = kind.types if isinstance(kind, inspect.UnionType) else (kind,)
        return [str(t.tag) for t in records if isinstance(t, inspect.StructType) and t.tag is not None]
    found, _ = _declared(path, document)
    options = found.types if isinstance(found, inspect.UnionType) else (found,)
    return [str(value) for t in options if isinstance(t, inspect.LiteralType) for value in t.values]


def _choose(path: str, document: Any, given: str) -> bool:
    """Put a possible choice, like the given one if there is one, at ``path``; False if there is no place or no choice."""
    choices = _choices(path, document)
    *outer, (key, index) = [*_STEP.findall(path)] or [("", "")]
    _, group = _declared("".join(f".{k}" if k else f"[{i}]" for k, i in outer), document)
    similar = difflib.get_close_matches(given, choices, n=1) or ([] if key == "kind" else choices[:1])
    if isinstance(group, dict) and key in group and similar:
        group[key] = similar[0]
        return True
    if isinstance(group, list) and index.isdigit() and int(index) < len(group) and similar:
        group[int(index)] = similar[0]
        return True
    return False


def _hint(wrong: str, record: inspect.StructType | None, group: Any) -> str:
    if record is None:
        return "Remove it, or look at the schema (bayescope new --schema)."
    similar, free = _other_entries(wrong, record, group)
    if similar:
        return f"Did you mean “{similar}”?"
    possible = ", ".join(f"“{name}”" for name in free)
    return f"Remove it. What else can stand here: {possible}." if free else "Remove it; all that can stand here is given."


def _other_entries(wrong: str, record: inspect.StructType | None, group: Any) -> tuple[str, list[str]]:
    """The entry that is meant instead ('' if none is like it), and all that this record can still hold."""
    if record is None:
        return "", []
    known = [field.encode_name for field in record.fields] + (["kind"] if record.tag is not None else [])
    given = set(group) if isinstance(group, dict) else set()
    if _BY_PATH.get(record.cls.__name__, "") not in {"", *given}:
        known.append("path")
    free = sorted(set(known) - given - {wrong})  # what is there already is not what was misspelt
    return next(iter(difflib.get_close_matches(wrong, free, n=1)), ""), free


def _at(path: str, document: Any, entry: str) -> tuple[inspect.StructType | None, Any]:
    """The record that is declared at ``path``, and what the document holds there (some group with ``entry`` in it)."""
    kind, here = _declared(path, document, entry)
    kind = _chosen(kind, here)
    return (kind if isinstance(kind, inspect.StructType) else None), here


def _declared(path: str, document: Any, entry: str = "") -> tuple[Any, Any]:
    """The type that is declared at ``path``, perhaps one of several, and what the document holds there."""
    kind: Any = inspect.type_info(Problem)
    here = document
    for key, index in _STEP.findall(path):
        kind = _chosen(kind, here)
        if key:
            kind = next((f.type for f in kind.fields if f.encode_name == key), None) if kind is not None else None
            here = here.get(key) if isinstance(here, dict) else None
        elif isinstance(kind, inspect.DictType):
            kind = kind.value_type
            values = here.values() if isinstance(here, dict) else ()
            here = next((value for value in values if isinstance(value, dict) and (not entry or entry in value)), None)
        else:
            kind = getattr(kind, "item_type", None)
            here = here[int(index)] if index.isdigit() and isinstance(here, list) and int(index) < len(here) else None
    return kind, here


def _chosen(kind: Any, here: Any) -> Any:
    """Of several alternatives the one that the document takes."""
    if not isinstance(kind, inspect.UnionType):
        return kind
    if isinstance(here, list):
        return next((t for t in kind.types if hasattr(t, "item_type")), None)
    records = [t for t in kind.types if isinstance(t, inspect.StructType)]
    tag = here.get("kind") if isinstance(here, dict) else None
    return records[0] if len(records) == 1 else next((t for t in records if t.tag == tag), None)


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
            words.append(f"entry {int(index) + 1}" + (f" (“{name[:40]}”)" if isinstance(name, str) else ""))
    return ", ".join(words)
