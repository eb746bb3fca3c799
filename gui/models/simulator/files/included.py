"""Files that an input file says to read in, by the statements of common input languages. Pure."""

from __future__ import annotations

import re

LONGEST_NAME = 200  # characters
_NAME = r"""(?:"([^"\n]+)"|'([^'\n]+)'|<([^<>\n]+)>|([^\s,;"'<>{}()]+))"""
_STATEMENTS = (
    rf"^[ \t]*[#!$.@%*]?[ \t]*include[ \t(:=]+{_NAME}",  # include "x", #include <x>, $INCLUDE x, .include x
    rf"^[ \t]*\*+[ \t]*include[^\n]*?\binput[ \t]*=[ \t]*{_NAME}",  # *INCLUDE, INPUT=x
    rf"^[ \t]*\*[^\n]*?,[ \t]*input[ \t]*=[ \t]*{_NAME}",  # *NODE, INPUT=x
    rf"^[ \t]*(?:read_data|read_restart|read_dump|molecule[ \t]+\S+)[ \t]+{_NAME}",  # molecular dynamics
    rf"^[ \t]*(?:source|\.|exec|call[ \t]+file)[ \t]+{_NAME}",  # source x.tcl
    rf"\\(?:input|include)[ \t]*(?:\{{[ \t]*)?{_NAME}",  # \input{{x}}
    rf"^[ \t]*(?:open|load|merge)[ \t]+{_NAME}",
    r"^[ \t]*import[ \t]+([A-Za-z_]\w*)",  # of Python: a module that lies beside the script
    r"^[ \t]*from[ \t]+([A-Za-z_]\w*)[ \t]+import\b",
)
_READS = re.compile("|".join(f"(?:{one})" for one in _STATEMENTS), re.IGNORECASE | re.MULTILINE)
_ENDINGS = ("", ".tex", ".inc", ".py")  # that some programs add


def included(text: str) -> list[str]:
    """The names of files that statements of ``text`` read in, each once, in their order."""
    found = (next((g for g in match.groups() if g), "").strip() for match in _READS.finditer(text))
    return [name for name in dict.fromkeys(found) if 0 < len(name) <= LONGEST_NAME and "\0" not in name]


def may_be(name: str) -> tuple[str, ...]:
    """The names that the file may have: as it is said, or with an ending that the program adds."""
    plain = name.removeprefix("./")
    return (plain,) if "." in plain.rpartition("/")[2] else tuple(plain + ending for ending in _ENDINGS)
