"""Tables of a file that are not taken yet, while outputs are still without a measured column. Pure."""

from __future__ import annotations

from collections.abc import Container, Sequence, Set
from dataclasses import dataclass

import msgspec

from bayescope.engine.problem.data.files.data_files import ALL_PARTS, DataFileError, tables_in
from bayescope.engine.problem.data.names.column_names import same_names
from bayescope.engine.problem.definition import Predictions, Problem
from bayescope.engine.session.read_files import ReadFile, digest_of
from bayescope.gui.models.data.taking_part import unpaired
from bayescope.gui.models.plain import one_line

FEWEST_OUTPUTS = 2  # a single one is compared with the table that was taken
PASS = "It is not needed"


@dataclass(frozen=True)
class FurtherSheet:
    """Table number ``part``, called ``title``, of a ``file``."""

    file: str
    part: int
    title: str
    known: bool = True  # what the file holds; else it has to be chosen again

    @property
    def question(self) -> str:
        return f"“{one_line(self.title, 40)}” of {one_line(self.file, 40)} is not taken yet. Was it measured too?"

    @property
    def hint(self) -> str:
        again = "" if self.known else " The file is asked for again."
        return f"It comes below the present table. Some outputs have no measured values yet.{again}"

    @property
    def button(self) -> str:
        return f"&Add “{one_line(self.title, 24)}”".replace("&", "&&").replace("&&Add", "&Add", 1)


@dataclass
class _File:
    """``left``: its tables that are not taken, by number. In a window opened again its ``content`` is not known (b"")."""

    content: bytes
    name: str
    digest: str
    left: tuple[tuple[int, str], ...]


class FurtherSheets:
    """Those of all files of which a table was taken."""

    def __init__(self) -> None:
        self._files: list[_File] = []
        self._next: tuple[_File, int] | None = None  # the table that ``next`` tells of

    def took(self, content: bytes, name: str, part: int) -> None:
        """Table ``part`` of these bytes is in."""
        digest = digest_of(content)
        file = next((one for one in self._files if one.digest == digest), None)
        if file is None:
            try:
                left = tables_in(content, name)
            except DataFileError:
                left = ()
            self._files.append(file := _File(content, name, digest, left))
        file.content, file.name = content, name
        file.left = () if part == ALL_PARTS else tuple(one for one in file.left if one[0] != part)

    def noted(self, read: ReadFile) -> ReadFile:
        """``read`` with the tables of it that are left, for a window that is opened later."""
        left = next((one.left for one in self._files if one.digest == read.digest), ())
        return msgspec.structs.replace(read, left=left)

    def recall(self, files: Sequence[ReadFile]) -> None:
        """As the session knows it, where tables were not taken in this window; of each file what was said last."""
        known = {one.digest: one for one in self._files}
        last = {one.digest: one for one in files}
        if files:
            self._files = [known.get(d) or _File(b"", one.name, d, one.left) for d, one in last.items()]

    def replaced(self) -> None:
        """What was taken of the files is out again."""
        self._files, self._next = [], None

    @property
    def first(self) -> tuple[bytes, str, str, int]:
        """The content (b"" where it is not known), the name and the digest of the file, and the number of the table that
        ``next`` tells of."""
        assert self._next is not None
        file, part = self._next
        return file.content, file.name, file.digest, part

    def pass_over(self) -> None:
        if self._next is not None:
            file, part = self._next
            file.left = tuple(one for one in file.left if one[0] != part)

    def next(
        self, problem: Problem, steady: Set[str], by_name: Problem | None, answered: Container[str] = ()
    ) -> FurtherSheet | None:
        """The next one of which nothing is ``answered``, first those called like an output in no comparison; where several
        outputs predict something and one of them is in no comparison, nor do names tell it."""
        self._next = None
        if problem.data is None or not isinstance(problem.meaning, Predictions):
            return None
        every = [(file, FurtherSheet(file.name, *one, bool(file.content))) for file in self._files for one in file.left]
        every = [(file, sheet) for file, sheet in every if sheet.question not in answered]
        told = problem if by_name is None else by_name
        predicting = [o for o in problem.outputs if not o.only_key and o.name not in steady]
        idle = unpaired(told, steady, open_too=True).outputs if every and len(predicting) >= FEWEST_OUTPUTS else ()
        if not idle:
            return None
        named = {*same_names(idle, [sheet.title for _, sheet in every]).values()}
        file, sheet = next((one for one in every if one[1].title in named), every[0])
        self._next = file, sheet.part
        return sheet
