"""One button that adds the marked columns of every table like the marked one, each table by itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from bayescope.engine.problem.definition import Output
from bayescope.engine.problem.marks import Mark, Offer
from bayescope.engine.problem.marks.tables.equal_tables import EqualTable
from bayescope.gui.models.parameters import fresh_name
from bayescope.gui.models.plain import tip as plain_tip

MOST_NAMED = 6  # outputs that the tool tip names


class EqualTablesButton(QPushButton):
    """``alike``: the tables like the marked one, none if it stands alone."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.alike: Callable[[Mark, Offer], Sequence[EqualTable]] = lambda mark, offer: ()
        self._tables: Sequence[EqualTable] = ()
        self._behind = ""
        self.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Ignored)  # no higher than the line
        self.hide()

    def offer(self, mark: Mark | None, offer: Offer, names: Sequence[str]) -> None:
        """For what ``offer`` reads under ``names``; nothing is offered where it reads several tables already."""
        one = offer.repeat in ("", "this", "first", "last")
        self._tables = self.alike(mark, offer) if mark is not None and one else ()
        self._behind = offer.behind
        self.setVisible(bool(self._tables))
        if self._tables:
            marked = [Output(name=name, source="", extractor=offer.first) for name in names]
            every = [output.name for output in self.outputs(marked)]
            more = " …" if len(every) > MOST_NAMED else ""
            files = len({table.source for table in self._tables})
            what = "files" if files > 1 else "tables"
            self.setText(f"Add all {len(self._tables)} {what}: {len(every)} outputs")
            self.setToolTip(plain_tip(f"Each by itself: {', '.join(every[:MOST_NAMED])}{more}"))

    def outputs(self, marked: Sequence[Output]) -> tuple[Output, ...]:
        """``marked``: those of the marked table; the same of each table, with what tells it apart behind their names."""
        found: list[Output] = []
        for table in self._tables:
            for one, column in zip(marked, table.columns, strict=False):
                stem = one.name.removesuffix(f"_{self._behind}") if self._behind else one.name
                name = fresh_name([o.name for o in found], f"{stem}_{table.behind}")
                read = msgspec.structs.replace(one, source=table.source, extractor=column.extractor, length=None)
                found.append(msgspec.structs.replace(read, name=name))
        return tuple(found)
