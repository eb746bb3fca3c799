"""A problem as a JSON file: reading, its text, schema.

The file has the structure that a session stores (``definition.Problem``). Relative paths in it are from the folder
where it lies. For the convenience of people who write one by hand, three things may be given by ``path`` instead of being
spelled out; ``load`` reads them in:

- a template: ``{"path": "deck.tmpl"}`` for ``{"target": ..., "text": ...}`` (``target`` defaults to the file's own name),
- the data table: ``"data": {"path": "measured.csv"}``, with ``"decimal_comma": true``, ``"day_first": true`` or
  ``"delimiter": ";"`` where the file can be read in two ways, ``"table": 2`` (or its title, or "all") where it holds several,
  ``"missing": [-999]``; and ``"split_by": "quantity"`` for a table in long form, spelled out or from a file,
- a covariance matrix: ``{"kind": "covariance", "path": "cov.txt"}``.

Everything that can be wrong with a file raises ProblemError in words. Nothing in a file is ever executed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from .data.files import data_files
from .data.rows.censored import read as read_limit
from .data.tables import long_form
from .definition import FORMAT_VERSION, DataTable, Problem, Region
from .errors import ProblemError
from .json_text import MAX_PROBLEM_BYTES, parsed
from .json_words import explain
from .method_options import method_schema
from .text_files import read_bytes, read_text

MAX_TEMPLATE_BYTES = 8 * 1024 * 1024
FOREIGN = "made_elsewhere"  # the key of files written so far

T = TypeVar("T")
_HOW_TO_READ = (
    ("delimiter", "string", "With 'path': what separates the columns; null: find out."),
    ("decimal_comma", "boolean", "With 'path': whether the numbers have a decimal comma; null: find out."),
    ("day_first", "boolean", "With 'path': whether 05/06/2024 is the 5th of June; null: find out."),
    ("turned", "boolean", "With 'path': whether each line is one quantity; null: no, each column is."),
)
_WHOLE_FILE = "all"
_OF_TABLES = {
    "table": {
        "type": ["string", "integer"],
        "description": "With 'path' to several tables: a title, a number (THE FIRST IS 1), or 'all' (below each other, null "
        "where a table lacks a column).",
    },
    "missing": {
        "type": "array", "items": {"type": "number"}, "description": "With 'path': numbers for missing values, such as -999.",
    },
    "split_by": {
        "type": ["string", "array"], "items": {"type": "string"}, "minItems": 1, "maxItems": 2,
        "description": "Long form: the column of 'texts' that names the quantity of each row, or of 'columns' that numbers it "
        "(band 1), or two that tell it together. The table becomes one column for each quantity, null in rows of the others.",
    },
}  # fmt: skip


def load(path: Path | str) -> Problem:
    """The problem in the JSON file ``path``. Raises ProblemError."""
    path = Path(path)
    return loads(read_bytes(path, MAX_PROBLEM_BYTES), path.parent)


def is_foreign(path: Path | str) -> bool:
    """Whether the problem file ``path`` was exported from an analysis that came from somebody else. Raises ProblemError."""
    return bool(_document(read_bytes(Path(path), MAX_PROBLEM_BYTES)).get(FOREIGN, False))


def loads(data: bytes, folder: Path | None = None) -> Problem:
    """The problem in JSON bytes; ``folder`` is where its relative paths start (None: no path may be given).

    Raises ProblemError.
    """
    document = _document(data)
    document.pop(FOREIGN, None)
    version = document.get("format_version", 1)
    if isinstance(version, int) and 1 < version <= FORMAT_VERSION:
        del document["format_version"]
    elif isinstance(version, int) and version > FORMAT_VERSION:
        raise ProblemError(
            f"The problem was made with a newer version of Bayescope (format {version}; this one reads {FORMAT_VERSION}).",
            "", "Update Bayescope.",
        )  # fmt: skip
    _read_paths(document, folder)
    try:
        problem = msgspec.convert(document, Problem)
    except msgspec.ValidationError as error:
        raise explain(error, document) from error
    except (RecursionError, OverflowError) as error:
        raise ProblemError("The problem file is damaged: something in it is nested too deeply or too large.") from error
    try:
        msgspec.json.encode(problem)
    except UnicodeEncodeError as error:
        raise ProblemError("A text in the problem file holds half a character (a lone surrogate).") from error
    return problem


def _document(data: bytes) -> dict[str, Any]:
    document = parsed(data)
    if not isinstance(document, dict):
        raise ProblemError("A problem file is one group in { } with a name, parameters, a simulator and so on.")
    return document


def dumps(problem: Problem, *, foreign: bool = False) -> bytes:
    """The problem as readable JSON; ``loads`` gives back an equal one. Raises ProblemError if it holds NaN or infinity.

    ``foreign``: it came from somebody else, and whatever is made of the file still does.
    """
    for where, value in _leaves(msgspec.to_builtins(problem), ""):
        if isinstance(value, float) and not math.isfinite(value):
            raise ProblemError(f"The number {value} cannot be stored.", where, "Enter an ordinary number.")
    needed = needed_format(problem)
    first = ({"format_version": needed} if needed > 1 else {}) | ({FOREIGN: True} if foreign else {})
    try:
        document = {**msgspec.to_builtins(problem), **first} if first else problem
        return msgspec.json.format(msgspec.json.encode(document), indent=1)
    except UnicodeEncodeError as error:
        raise ProblemError("A text in the problem holds half a character (a lone surrogate) and cannot be stored.") from error


def needed_format(problem: Problem) -> int:
    """The oldest format that holds all that is declared: older versions of Bayescope say that they cannot read it."""
    regions = [o.extractor for o in problem.outputs if isinstance(o.extractor, Region)]
    if any(region.where is not None for region in regions):
        return 4
    if problem.data is not None and problem.data.limits:
        return 3
    return 2 if any(region.by == "gap" for region in regions) else 1


def schema() -> dict[str, Any]:
    """The JSON schema of a problem file, conveniences included."""
    found = msgspec.json.schema(Problem)
    described = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Bayescope problem",
        "description": "Everything that is declared before a run. Relative paths are from the folder of this file.",
    }
    for record, field, words in (
        ("TemplateFile", "text", "Read the text from this file instead of giving 'text'; 'target' defaults to its name."),
        ("DataTable", "columns", "Read the table from this CSV, TSV, text, Excel or ODS file instead of giving 'columns'."),
        ("CovarianceNoise", "matrix", "Read the matrix from this text file, one line per row, instead of giving 'matrix'."),
    ):
        definition = found["$defs"][record]
        definition["properties"]["path"] = {"type": "string", "description": words}
        if record == "DataTable":
            for name, kind, words in _HOW_TO_READ:
                definition["properties"][name] = {"type": [kind, "null"], "description": words}
            definition["properties"] |= _OF_TABLES
        definition["required"] = [name for name in definition["required"] if name not in (field, "target")]
        definition["oneOf"] = [{"required": ["path"]}, {"required": [field, "target"] if field == "text" else [field]}]
    found["$defs"]["Settings"]["allOf"] = method_schema()
    words = "The analysis came from somebody else: what it runs is shown before the first run, and asked."
    found["$defs"]["Problem"]["properties"][FOREIGN] = {"type": "boolean", "description": words, "default": False}
    for definition in found["$defs"].values():
        if "description" in definition:  # a docstring, with its line breaks and marks
            definition["description"] = " ".join(definition["description"].split()).replace("``", "'")
    return described | found


# --------------------------------------------------------------------------- reading


def _read_paths(document: dict[str, Any], folder: Path | None) -> None:
    """Replace the conveniences given by ``path`` by what they stand for (in place)."""
    simulator, data, meaning = (document.get(key) for key in ("simulator", "data", "meaning"))
    templates = simulator.get("templates") if isinstance(simulator, dict) else None
    for i, template in enumerate(templates if isinstance(templates, list) else ()):
        if isinstance(template, dict) and "path" in template:
            where = f"simulator, templates, entry {i + 1}"
            path = _path(template, "text", where, folder)
            with _Named(where):
                template["text"] = read_text(path, MAX_TEMPLATE_BYTES, "input").text
            template.setdefault("target", path.name)
    if isinstance(data, dict) and "path" in data:
        path = _path(data, "columns", "data", folder)
        options = data_files.Options(
            delimiter=_option(data, "delimiter", str, "one character in quotes"),
            decimal_comma=_option(data, "decimal_comma", bool, "true or false"),
            day_first=_option(data, "day_first", bool, "true or false"),
            turned=_option(data, "turned", bool, "true or false") or False,
            missing=tuple(_numbers(_option(data, "missing", list, "a list of numbers") or [])),
        )
        wanted = data.pop("table", None)
        with _Named("data"):
            table = _table(path, options, wanted)
        data["columns"] = {name: list(column) for name, column in table.columns.items()}
        if table.texts:
            data["texts"] = {name: list(column) for name, column in table.texts.items()}
        if table.limits:
            data["limits"] = {name: list(column) for name, column in table.limits.items()}
        data.setdefault("origin", path.name)
    if isinstance(data, dict):
        _move_limits(data)
    if isinstance(data, dict) and "split_by" in data:
        _split(data)
    noise = meaning.get("noise") if isinstance(meaning, dict) else None
    if isinstance(noise, dict) and noise.get("kind") == "covariance" and "path" in noise:
        path = _path(noise, "matrix", "meaning, noise", folder)
        with _Named("meaning, noise"):
            noise["matrix"] = [list(row) for row in data_files.read_matrix(path)]


def _table(path: Path, options: data_files.Options, wanted: Any) -> DataTable:
    """The table in the file that ``wanted`` names: its number from 1, its title, or all of them; None: the only one."""
    if wanted == _WHOLE_FILE:
        return data_files.read_with(path, replace(options, part=data_files.ALL_PARTS)).table
    if isinstance(wanted, int) and not isinstance(wanted, bool):
        found = data_files.read_with(path, replace(options, part=wanted - 1))
        if not 1 <= wanted <= max(len(found.preview.parts), 1):
            raise ProblemError(f"Table {wanted} (counted from 1) is asked for, but there are {len(found.preview.parts) or 1}.")
        return found.table
    if wanted is not None and not isinstance(wanted, str):
        raise ProblemError("“table” is a number (the first is 1), a title in quotes, or “all”.")
    found = data_files.read_with(path, options)
    titles = found.preview.parts
    if wanted is None:
        if titles:
            names = ", ".join(f"“{title}”" for title in titles)
            raise ProblemError(
                f"There are {len(titles)} tables in {path.name}: {names}.", "",
                "Say which with \"table\": its title, its number (the first is 1), or \"all\".",
            )  # fmt: skip
        return found.table
    if wanted not in titles:
        raise ProblemError(f"There is no table “{wanted[:60]}” in {path.name}.", "", f"Its tables: {', '.join(titles) or 'one'}.")
    return data_files.read_with(path, replace(options, part=titles.index(wanted))).table


def _split(data: dict[str, Any]) -> None:
    """Long form, as ``split_by`` declares it, made one column for each quantity (in place)."""
    given = data.pop("split_by")
    by = long_form.both(*given) if isinstance(given, list) and [type(c) for c in given] == [str, str] else given
    if not isinstance(by, str):
        raise ProblemError("“split_by” is the name of a column, in quotes, or a list of two.", "data")
    try:
        table = msgspec.convert(data, DataTable)
    except msgspec.ValidationError:
        return  # what is wrong is said with the rest of the document
    with _Named("data"):
        found = long_form.split(table, by)
    data["columns"] = {name: list(column) for name, column in found.columns.items()}
    data["texts"] = {name: list(column) for name, column in found.texts.items()}
    data["limits"] = {name: list(column) for name, column in found.limits.items()}


def _move_limits(data: dict[str, Any]) -> None:
    """Limits that stand among the numbers of columns, as a table has them: "<0.05" (in place)."""
    columns, limits = data.get("columns"), data.get("limits", {})
    if not isinstance(columns, dict) or not isinstance(limits, dict):
        return  # what is wrong is said with the rest of the document
    for name, cells in columns.items():
        if name in limits or not isinstance(cells, list) or not any(_is_limit(cell) for cell in cells):
            continue
        limits[name] = [cell if _is_limit(cell) else None for cell in cells]
        columns[name] = [None if _is_limit(cell) else cell for cell in cells]
        data["limits"] = limits


def _is_limit(cell: object) -> bool:
    return isinstance(cell, str) and read_limit(cell) is not None


def _numbers(given: list[Any]) -> Iterator[float]:
    for value in given:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ProblemError("“missing” is a list of numbers that stand for missing values, such as [-999].", "data")
        yield float(value)


def _path(group: dict[str, Any], instead_of: str, where: str, folder: Path | None) -> Path:
    given = group.pop("path")
    if instead_of in group:
        raise ProblemError(f"Both “path” and “{instead_of}” are given.", where, "Remove one of them.")
    if not isinstance(given, str) or not given:
        raise ProblemError("A path is a text in quotes.", where)
    if folder is None:
        raise ProblemError(f"“{given}” cannot be read: this problem does not come from a file.", where)
    return folder / given


def _option(group: dict[str, Any], name: str, kind: type[T], words: str) -> T | None:
    """How the file is to be read, taken out of ``group``; None: find out."""
    given = group.pop(name, None)
    if given is not None and not isinstance(given, kind):
        raise ProblemError(f"“{name}” is {words}.", "data")
    return given


class _Named:
    """Adds the place to a ProblemError raised inside."""

    def __init__(self, where: str) -> None:
        self._where = where

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, ProblemError) and not error.where:
            raise ProblemError(error.what, self._where, error.suggestion) from error


def _leaves(item: Any, where: str) -> Iterator[tuple[str, Any]]:
    if isinstance(item, dict):
        for key, value in item.items():
            yield from _leaves(value, f"{where}, {key}" if where else str(key))
    elif isinstance(item, list | tuple):
        for i, value in enumerate(item, start=1):
            yield from _leaves(value, f"{where}, entry {i}")
    else:
        yield where, item
