"""``@name@`` placeholders in command lines, templates, standard input and environment values.

A name is a letter or underscore, then letters, digits and underscores; letters of any alphabet. ``@@`` is a literal
at sign. An at sign that begins no placeholder is left as it is. Plain substitution in one pass: a filled-in value is never
looked at again, and ``a`` and ``a1`` cannot collide because a name ends at its own at sign.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

from .errors import ProblemError

SEED = "seed"  # @seed@: a fresh integer for programs that are random
LARGEST_SEED = 899_999_999  # that programs get: LAMMPS refuses 0 and more than 900,000,000, others more than 31 bits
FIRST_SEED = 12_345  # of test runs, and what the window shows in place of ``@seed@``
RUN_FOLDER = "run_folder"  # @run_folder@: its full path, for programs that work in another folder
RESERVED = frozenset({SEED, RUN_FOLDER})
MAX_NAME_LENGTH = 64


def usable_seed(seed: int) -> int:
    """``seed`` as programs get it, from 1 to LARGEST_SEED; itself where it lies there."""
    return 1 + (seed - 1) % LARGEST_SEED


_NAME = r"[^\W\d][\w\u0300-\u036f]*"  # combining marks: an accented letter may be written as two characters
_TOKEN = re.compile(rf"@(?:@|({_NAME})@)")
_WHOLE = re.compile(_NAME)
_WITH_FORMAT = re.compile(rf"@({_NAME}):([^@\r\n]{{1,20}})@")
_ALMOST = re.compile(r"@([^@\r\n]{1,60})@")


def is_name(text: str) -> bool:
    """True if ``text`` can be the name of a parameter or output."""
    return len(text) <= MAX_NAME_LENGTH and _WHOLE.fullmatch(text) is not None


NAME_SIGNS = "letters, digits and _ only, no digit first"


def nearest_name(text: str) -> str:
    """The name that is most like ``text``: o2_mg_l for ``o2 (mg/l)``, _2nd for ``2nd``; '' where it has no letter or digit."""
    name = re.sub(r"[^\w\u0300-\u036f]+", "_", normal(text)).strip("_")
    name = f"_{name}" if name[:1].isdigit() else name
    name = name[:MAX_NAME_LENGTH].rstrip("_")
    return name if name and is_name(name) else ""


def normal(name: str) -> str:
    """One spelling for names that look the same (Unicode NFC)."""
    return unicodedata.normalize("NFC", name)


def find(text: str) -> list[tuple[str, int, int]]:
    """The placeholders of ``text`` in order: (name, start, end), at signs included in text[start:end]."""
    return [(normal(m[1]), m.start(), m.end()) for m in _TOKEN.finditer(text) if m[1] is not None]


def fill(text: str, mapping: Mapping[str, str]) -> str:
    """``text`` with every placeholder replaced by its text in ``mapping`` and every ``@@`` by ``@``.

    Raises ProblemError for a placeholder that is not in ``mapping``.
    """
    known = {normal(name): value for name, value in mapping.items()}

    def put(match: re.Match[str]) -> str:
        if match[1] is None:
            return "@"
        name = normal(match[1])
        if name not in known:
            raise ProblemError(
                f"Nothing is to be filled in for @{name}@.", "", "Declare a parameter of that name, or write @@ for an at sign."
            )
        return known[name]

    return _TOKEN.sub(put, text)


def almost(text: str) -> list[str]:
    """Texts between at signs that look like a placeholder gone wrong: ``@ rho @``, ``@k-1@``, ``@2nd@``."""
    bare = _TOKEN.sub(lambda m: "\n" * len(m[0]), text)  # a line end: nothing spans it
    return [m[1] for m in _ALMOST.finditer(bare) if len(re.findall(r"\w", m[1])) >= 0.5 * len(m[1].strip())]


def with_formats(text: str) -> list[tuple[str, str, int, int]]:
    """Placeholders gone wrong by a number format in them, ``@rho:.9g@``: (name, format, start, end)."""
    bare = _TOKEN.sub(lambda m: "\n" * len(m[0]), text)
    return [(normal(m[1]), m[2].strip(), m.start(), m.end()) for m in _WITH_FORMAT.finditer(bare)]
