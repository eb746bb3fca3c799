"""What the files of the measured data state of their errors, each of its own columns. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from bayescope.engine.session.read_files import ReadFile
from bayescope.gui.models.data.errors.stated_sizes import (
    Stated,
    stated_by_remarks,
    stated_by_several,
    stated_for_all,
    stated_of_columns,
)


def stated_by_files(files: Sequence[ReadFile], columns: Collection[str]) -> tuple[Stated | None, dict[str, Stated]]:
    """What ``files`` say of the errors of all ``columns``, and what they say of single ones.

    One of several files means its own columns where it says an error of all; where several say the same it is of all.
    """
    by_column: dict[str, Stated] = {}
    for one in files:
        told = {**stated_by_remarks(one.remarks, one.columns or columns), **stated_of_columns(one.stated)}
        by_column |= {column: said for column, said in told.items() if column in columns}
    said = [stated_for_all(one.remarks, one.columns or columns, one.elsewhere) for one in files]
    own = _of_their_columns(files, said)
    if own:
        told = {column: one for column, one in own.items() if column in columns and column not in by_column}
        return None, {**by_column, **told}
    every = said[0] if said else None
    for other in said[1:]:
        every = stated_by_several(every, other)
    return every, by_column


def _of_their_columns(files: Sequence[ReadFile], said: Sequence[Stated | None]) -> dict[str, Stated]:
    """Of columns of one file alone, what it says of all; none where all say the same, where it is not clear what one is said of,
    or where a file has no column of its own."""
    if len({None if one is None else one.words for one in said}) < 2:
        return {}
    if any(one is not None and (one.other or one.elsewhere) for one in said):
        return {}
    found: dict[str, Stated] = {}
    for k, (file, one) in enumerate(zip(files, said, strict=True)):
        shared = {column for other in (*files[:k], *files[k + 1 :]) for column in other.columns}
        alone = [column for column in file.columns if column not in shared]
        if not alone:
            return {}
        found |= {column: one._replace(remark=True) for column in alone if one is not None}
    return found
