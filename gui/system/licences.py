"""Under which licences the parts of this installation stand. The packed application carries the list and all texts with it."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from email.message import Message
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

FOLDER = "licences"  # in the packed application: texts by package
LIST = "THIRD-PARTY.txt"  # in it: what stands below, written when it was packed
HEAD = "Bayescope is built on these, each under its own licence:"
QT_NOTICE = (
    "Qt and Qt for Python (PySide6, Shiboken) are used under the GNU Lesser General Public License, version 3 (LGPL-3.0), as "
    "shared libraries that you may replace by your own builds: they lie in the folder PySide6 of this installation. Their source "
    "texts: https://download.qt.io and https://code.qt.io. You may change them and examine how Bayescope works with your changes."
)
_MOST = 60  # characters of a licence's name: some packages put the whole text there
_CLASSIFIER = "License :: "


class Part(NamedTuple):
    """``licence``: as the package itself calls it."""

    name: str
    version: str
    licence: str


def licence_of(about: Message) -> str:
    """The licence that a package's metadata name: the expression, else the field, else the classifiers."""
    short = [str(about.get(field, "")).strip() for field in ("License-Expression", "License")]
    named = next((text for text in short if text and "\n" not in text and len(text) <= _MOST), "")
    listed = [str(c).split(" :: ")[-1] for c in about.get_all("Classifier", []) if str(c).startswith(_CLASSIFIER)]
    return named or ", ".join(listed) or "see its licence text"


def parts(names: Iterable[str]) -> list[Part]:
    """Of the installed packages of these names, by name; what is not installed is left out."""
    found = []
    for name in names:
        try:
            about = metadata.metadata(name)
        except metadata.PackageNotFoundError:
            continue
        found.append(Part(str(about["Name"]), str(about["Version"]), licence_of(about)))  # type: ignore[arg-type]
    return sorted(found, key=lambda part: part.name.lower())


def needed_by(name: str) -> set[str]:
    """The installed packages that ``name`` asks for, and what these ask for, its extras included."""
    seen: set[str] = set()
    todo = [name]
    while todo:
        try:
            wanted = metadata.requires(todo.pop()) or []
        except metadata.PackageNotFoundError:
            continue
        for text in wanted:
            other = re.split(r"[\s;<>=!~\[(]", text, maxsplit=1)[0].lower()
            if other not in seen and ("extra ==" not in text or not seen):
                seen.add(other)
                todo.append(other)
    return seen


def as_text(listed: Iterable[Part]) -> str:
    """The list as people read it, Python first."""
    python = f"Python {sys.version.split()[0]}: Python Software Foundation License"
    return "\n".join([HEAD, "", python, *(f"{p.name} {p.version}: {p.licence}" for p in listed), "", QT_NOTICE, ""])


def folder() -> Path | None:
    """Where the texts lie; None: not in a packed application."""
    packed = Path(str(getattr(sys, "_MEIPASS", "")), FOLDER)
    return packed if getattr(sys, "frozen", False) and packed.is_dir() else None


def third_party() -> str:
    """The list of this installation."""
    packed = folder()
    if packed is not None and (packed / LIST).is_file():
        return (packed / LIST).read_text(encoding="utf-8")
    return as_text(parts(needed_by("bayescope")))
