"""What changed since a person last agreed to what runs, in words: first files outside of Bayescope, then the analysis itself."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from ...problem.command_text import command_text, visible
from ...problem.definition import ExtraFile, Simulator, TemplateFile
from ...problem.numbers.shown_digits import spoken
from .kept import kept_text, program_text
from .what_runs import NOT_THERE, Found, RunFile

MAX_DIFFERENCE = 400  # lines of one text
MOST_LINES = 20_000  # of a text whose changed lines are looked for: comparing more takes seconds
MOST_NAMED = 3
_PLACE = re.compile(r"@@ -[0-9,]+ \+([0-9]+)[0-9,]* @@")
_UNITS = {"time_s": "time in s", "memory_mb": "memory in MB", "output_mb": "output in MB", "files_mb": "files in MB"}
OUTSIDE = "Outside of Bayescope:"
INSIDE = "In the analysis itself (its Simulator page):"


def summary(before: Sequence[RunFile], now: Sequence[RunFile], paths: Mapping[RunFile, str], other_way: bool, since: str) -> str:
    """A sentence without its full stop. ``paths``: where the files of ``now`` are; ``other_way``: the analysis runs it in
    another way too; ``since``: what was before."""
    names = [_named(old, new, paths) for old, new in _files(before, now, other_way)]
    files = ""
    if names:
        more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
        verb = "was" if len(names) == 1 else "were"
        files = f"{', '.join(names[:MOST_NAMED])}{more} {verb} changed outside of Bayescope"
    if not other_way:
        return f"{files or 'A file that runs'} {since}"
    if not files:
        return f"How this analysis runs its program was changed {since}"
    return f"{files} {since}; how this analysis runs it was changed too"


def changes(files: Sequence[RunFile], before: Simulator, simulator: Simulator, found: Found) -> Iterator[str]:
    """All of it, line by line."""
    other_way = before != simulator
    changed = _files(files, found.files, other_way)
    if changed:
        yield OUTSIDE
        paths = dict(zip(found.files, found.paths, strict=True))
        for old, new in changed:
            yield from _file_change(old, new, paths.get(new, "") if new else "")
    if other_way:
        yield INSIDE
        yield from _of_simulator(before, simulator)
        same = {file.name for pair in changed for file in pair if file}
        for role, name in sorted({(f.role, f.name) for f in files} ^ {(f.role, f.name) for f in found.files}):
            if name not in same:
                there = any((f.role, f.name) == (role, name) for f in found.files)
                yield f"  {'used now' if there else 'no longer used'}: {role} {visible(name)}"


Pair = tuple[RunFile | None, RunFile | None]


def _files(before: Sequence[RunFile], now: Sequence[RunFile], other_way: bool) -> list[Pair]:
    """Before and now, of each file that is another. Where the analysis runs it in another way, files that only one of the two
    uses are that way's matter."""
    old, new = ({(f.role, f.name): f for f in files} for files in (before, now))
    pairs = [(old.get(key), new.get(key)) for key in sorted(old.keys() | new.keys())]
    return [
        (a, b) for a, b in pairs
        if (None if a is None else a.digest) != (None if b is None else b.digest) and not (other_way and None in (a, b))
    ]  # fmt: skip


def _named(old: RunFile | None, new: RunFile | None, paths: Mapping[RunFile, str]) -> str:
    """``“model.py” (lines 3 and 10 to 12)``."""
    file = new or old
    assert file is not None
    return f"“{visible(file.name)}”{_lines(old, new, paths)}"


def _lines(old: RunFile | None, new: RunFile | None, paths: Mapping[RunFile, str]) -> str:
    if old is None or new is None:
        return " (new)" if old is None else " (gone)"
    was, text = _texts(old, new, paths.get(new, ""))
    if was is None or text is None or max(len(was), len(text)) > MOST_LINES:
        return ""
    blocks = difflib.SequenceMatcher(None, was, text).get_opcodes()
    spans = [(b0 + 1, max(b1, b0 + 1)) for kind, _, _, b0, b1 in blocks if kind != "equal"]
    if not spans or len(spans) > MOST_NAMED:
        return f" ({len(spans)} places)" if spans else ""
    each = [str(a) if a == b else f"{a} to {b}" for a, b in spans]
    words = each[0] if len(each) == 1 else f"{', '.join(each[:-1])} and {each[-1]}"
    return f" (line{'s' if len(spans) > 1 or spans[0][0] != spans[0][1] else ''} {words})"


def _texts(old: RunFile, new: RunFile, path: str) -> tuple[list[str] | None, list[str] | None]:
    kept, text = kept_text(old.digest), program_text(Path(path)) if path else None
    return None if kept is None else kept.splitlines(), None if text is None else text.splitlines()


def _file_change(old: RunFile | None, new: RunFile | None, path: str) -> Iterator[str]:
    if old is None or new is None:
        file = new or old
        assert file is not None
        yield f"  {'new' if old is None else 'no longer there or used'}: {file.role} {visible(path or file.name)}"
        return
    yield f"  {new.role} {visible(path or new.name)}:"
    if new.digest == NOT_THERE:
        yield "    it is not there any more"
        return
    was, text = _texts(old, new, path)
    if was is None or text is None:
        before = "was not there" if old.digest == NOT_THERE else f"had {old.size:,} bytes"
        yield f"    it {before}, now it has {new.size:,} bytes" + (" of other content" if new.size == old.size else "")
    else:
        yield from _difference(was, text)


def _difference(old: list[str], new: list[str]) -> Iterator[str]:
    lines = [line for line in difflib.unified_diff(old, new, n=2, lineterm="") if not line.startswith(("---", "+++"))]
    for line in lines[:MAX_DIFFERENCE]:
        place = _PLACE.fullmatch(line)
        yield f"    from line {place[1]}:" if place else f"    {visible(line, keep=chr(9))}"
    if len(lines) > MAX_DIFFERENCE:
        yield f"    ... {len(lines) - MAX_DIFFERENCE} more lines differ"


# ------------------------------------------------------------------ how the analysis runs it


def _of_simulator(old: Simulator, new: Simulator) -> Iterator[str]:
    if old.command != new.command:
        yield from _was("the command", command_text(old.command), command_text(new.command))
    yield from _templates(old.templates, new.templates)
    if old.stdin != new.stdin:
        yield "  what is typed into it (standard input):"
        yield from _difference((old.stdin or "").splitlines(), (new.stdin or "").splitlines())
    yield from _named_values("the variable", old.environment, new.environment)
    one, two = (list(map(_given, s.extra_files)) for s in (old, new))
    yield from (f"  no longer given to it: {words}" for words in one if words not in two)
    yield from (f"  given to it now: {words}" for words in two if words not in one)
    yield from _named_values("how numbers are written for", old.formats, new.formats)
    yield from _named_values("how often a placeholder is expected:", old.expected_uses, new.expected_uses)
    for field, called in (("working_folder", "the folder it works in"), ("keep_runs", "which run folders are kept")):
        if getattr(old, field) != getattr(new, field):
            yield from _was(called, _plain(getattr(old, field)), _plain(getattr(new, field)))
    yield from _fields("limits", old.limits, new.limits)
    yield from _fields("failed runs", old.failures, new.failures)


def _templates(old: Sequence[TemplateFile], new: Sequence[TemplateFile]) -> Iterator[str]:
    before, now = {t.target: t for t in old}, {t.target: t for t in new}
    yield from (f"  no longer written for it: {visible(name)}" for name in before if name not in now)
    for name, template in now.items():
        was = before.get(name)
        if was is None:
            yield f"  written for it now: {visible(name)} (its text is below)"
        elif was.text != template.text:
            yield f"  the file {visible(name)} that is written for it:"
            yield from _difference(was.text.splitlines(), template.text.splitlines())
    if before.keys() == now.keys() and list(before) != list(now):
        yield "  the order in which its files are written"


def _named_values(called: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    for name in sorted(old.keys() | new.keys()):
        if old.get(name) != new.get(name):
            yield from _was(f"{called} {visible(name)}", _plain(old.get(name)), _plain(new.get(name)))


def _fields(called: str, old: msgspec.Struct, new: msgspec.Struct) -> Iterator[str]:
    for name in old.__struct_fields__:
        if getattr(old, name) != getattr(new, name):
            what = f"{called}, {_UNITS.get(name, name.replace('_', ' '))}"
            yield from _was(what, _plain(getattr(old, name)), _plain(getattr(new, name)))


def _was(called: str, old: str, new: str) -> Iterator[str]:
    yield f"  {called}:"
    yield f"    was: {visible(old)}"
    yield f"    is now: {visible(new)}"


def _given(extra: ExtraFile) -> str:
    words = visible(extra.path) + (f" as “{visible(extra.target)}”" if extra.target else "")
    return f"{words} (linked, not copied)" if extra.link else words


def _plain(value: Any) -> str:
    """A value without brackets or quotes of a file format."""
    match value:
        case None | ():
            return "none"
        case bool():
            return "yes" if value else "no"
        case msgspec.Struct():
            return ", ".join(f"{n.replace('_', ' ')} {_plain(getattr(value, n))}" for n in value.__struct_fields__)
        case tuple() | list():
            return "; ".join(map(_plain, value))
        case float():
            return spoken(value)
    return str(value)
