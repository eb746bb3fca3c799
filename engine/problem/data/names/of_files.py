"""Columns of one name in several files: R (cell3.ort). Pure."""

from __future__ import annotations

import re
from functools import lru_cache

from ..units.unit_names import NAMES_KNOWN, is_unit

_OF_FILE = re.compile(r"(?P<name>\S.*?)\s*\((?P<stem>[^()]+)(?P<ending>\.[^\W\d]\w{0,4})\)\s*")


@lru_cache(NAMES_KNOWN)
def name_and_file(column: str) -> tuple[str, str, str] | None:
    """The name before the file in brackets, the file's stem and its ending with the point; None: there is no such."""
    found = _OF_FILE.fullmatch(column)
    if found is not None and is_unit(found["stem"] + found["ending"]):  # ohm.cm2
        return None
    return None if found is None else (found["name"].strip(), found["stem"], found["ending"])


def file_of(column: str) -> str:
    """The file in brackets behind the name of a column; '' for none."""
    found = name_and_file(column)
    return "" if found is None else found[1] + found[2]
