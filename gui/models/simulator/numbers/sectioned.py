"""A key that comes again in other sections of an input file, called with its section: k_fast of k below [fast]. Pure."""

from __future__ import annotations

import re

from bayescope.engine.problem.numbers.numbers_in_text import line_bounds

SEEN = 40_000  # characters before a key in which its section begins
_NAME = r"[^\W\d][\w-]*"
_HEADER = re.compile(rf"^[ \t]*(?:\[+[ \t]*(?:[\w.-]+\.)?[\"']?({_NAME})[\"']?[ \t]*\]+|&({_NAME}))[ \t]*(?:[#;!%/].*)?$")
_HOLDER = re.compile(rf"^[ \t]*[\"']?({_NAME})[\"']?[ \t]*[:=][ \t]*\{{?[ \t]*(?:[#;!%/].*)?$")


def sectioned_name(text: str, position: int, word: str) -> str:
    """``word``, the key of the number at ``position``, with the name of its section, where other sections have that key too; ''
    where its name says enough."""
    key = re.compile(rf"^[ \t]*[\"']?{re.escape(word)}[\"']?[ \t]*[=:]", re.MULTILINE) if word else None
    if key is None:
        return ""
    own, hits = line_bounds(text, position)[0], [m.start() for m in key.finditer(text)]
    if own not in hits or len(hits) < 2:
        return ""
    mine = _section(text, own)
    others = {_section(text, at) for at in hits if at != own}
    return f"{word}_{mine}".replace("-", "_") if mine and mine not in others else ""


def _section(text: str, at: int) -> str:
    """The name of the section in which the line that begins at ``at`` stands: of a header above it, or of what holds it, by how
    far lines are indented; '' in none."""
    line = text[at : line_bounds(text, at)[1]]
    indent = len(line) - len(line.lstrip())
    for above in reversed(text[max(0, at - SEEN) : at].splitlines()):
        if header := _HEADER.match(above):
            return header[1] or header[2]
        if indent and above.strip() and len(above) - len(above.lstrip()) < indent:
            holder = _HOLDER.match(above)
            if holder is not None:
                return holder[1]
            indent = len(above) - len(above.lstrip())
    return ""
