"""Tables of a file that are not taken yet, while outputs are still without a measured column. Pure."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass

import msgspec

from bayescope.engine.problem.data.files.data_files import ALL_PARTS, DataFileError, tables_in
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


class FurtherSheets:
    """Those of the file of which a table was taken last; in a window opened again its ``content`` is not known (b"")."""

    def __init__(self) -> None:
        self.content, self._file, self.digest = b"", "", ""
        self._left: tuple[tuple[int, str], ...] = ()

    def took(self, content: bytes, file: str, part: int) -> None:
        """Table ``part`` of these bytes is in; of those of another file nothing more is said."""
        if content != self.content:
            self.content, self._file, self.digest = content, file, digest_of(content)
            try:
                self._left = tables_in(content, file)
            except DataFileError:
                self._left = ()
        self._left = () if part == ALL_PARTS else tuple(one for one in self._left if one[0] != part)

    def noted(self, read: ReadFile) -> ReadFile:
        """``read`` with the tables that are left, for a window that is opened later."""
        return msgspec.structs.replace(read, left=self._left)

    def recall(self, files: Sequence[ReadFile]) -> None:
        """As the session knows it, where its newest table was not taken in this window."""
        if files and files[-1].digest != self.digest:
            self.content, self._file, self.digest, self._left = b"", files[-1].name, files[-1].digest, files[-1].left

    def replaced(self) -> None:
        """What was taken of that file is out again."""
        self.content, self.digest, self._left = b"", "", ()

    @property
    def first(self) -> tuple[str, int]:
        """The file and the number of the table that ``next`` tells of."""
        return self._file, self._left[0][0]

    def pass_over(self) -> None:
        self._left = self._left[1:]

    def next(self, problem: Problem, steady: Set[str], by_name: Problem | None) -> FurtherSheet | None:
        """The next one, where several outputs predict something and one of them is in no comparison, nor do names tell it."""
        if not self._left or problem.data is None or not isinstance(problem.meaning, Predictions):
            return None
        told = problem if by_name is None else by_name
        predicting = [o for o in problem.outputs if not o.only_key and o.name not in steady]
        if len(predicting) < FEWEST_OUTPUTS or not unpaired(told, steady, open_too=True).outputs:
            return None
        part, title = self._left[0]
        return FurtherSheet(self._file, part, title, bool(self.content))
