"""Where the pages of a printed report end: no heading without what it is about, no picture without its words, no table cut."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QTextBlock, QTextCursor, QTextDocument, QTextFormat, QTextTable

PICTURE = "\ufffc"  # the character that stands for a picture in a document's text
MOST_BREAKS = 200  # each costs one layout of the document
TABLE_KEPT = 0.7  # of a page: a longer table may be broken
BEFORE = QTextFormat.PageBreakFlag.PageBreak_AlwaysBefore


def keep_together(document: QTextDocument) -> None:
    """Begin new pages in ``document``, which has the size of its pages, where Qt would part what belongs together."""
    for _ in range(MOST_BREAKS):
        found = next((block for block in _parted(document) if not _begins_page(block)), None)
        if found is None:
            return
        _break_before(found)


def _parted(document: QTextDocument) -> list[QTextBlock]:
    """What would have to begin a page, from the top: with what is parted, the headings that lead to it."""
    height = document.pageSize().height()
    found = []
    block = document.begin()
    while block.isValid():
        following = _beside(block, QTextBlock.next)
        apart = following.isValid() and _page(block, height, last=True) != _page(following, height)
        if _leads(block) and apart:
            found.append(_first_of(block))
        block = block.next()
    found += [_first_of(t.firstCursorPosition().block()) for t in _tables(document) if _is_in_two(document, t, height)]
    return sorted(found, key=QTextBlock.position)


def _leads(block: QTextBlock) -> bool:
    """Whether it says little without what follows it."""
    said = block.blockFormat().headingLevel() > 0 or PICTURE in block.text() or block.text().rstrip().endswith(":")
    return said and not _in_table(block)


def _first_of(block: QTextBlock) -> QTextBlock:
    while (before := _beside(block, QTextBlock.previous)).isValid() and _leads(before):
        block = before
    return block


def _beside(block: QTextBlock, way: Callable[[QTextBlock], QTextBlock]) -> QTextBlock:
    """The next one that ``way`` leads to, but for the empty one that Qt puts before every table."""
    found = way(block)
    while found.isValid() and not found.text() and not _in_table(found):
        found = way(found)
    return found


def _table_of(block: QTextBlock) -> QTextTable | None:
    frame = block.document().frameAt(block.position())
    return frame if isinstance(frame, QTextTable) else None


def _in_table(block: QTextBlock) -> bool:
    return _table_of(block) is not None


def _tables(document: QTextDocument) -> list[QTextTable]:
    return [frame for frame in document.rootFrame().childFrames() if isinstance(frame, QTextTable)]


def _is_in_two(document: QTextDocument, table: QTextTable, height: float) -> bool:
    place = document.documentLayout().frameBoundingRect(table)
    return place.height() < TABLE_KEPT * height and int(place.top() // height) != int((place.bottom() - 1) // height)


def _page(block: QTextBlock, height: float, last: bool = False) -> int:
    """Which page its first line is on; ``last``: its last one."""
    lines = block.layout()
    top = block.document().documentLayout().blockBoundingRect(block).top() - lines.boundingRect().top()
    if not lines.lineCount():
        return int(top // height)
    return int((top + lines.lineAt(lines.lineCount() - 1 if last else 0).y() + 1) // height)


def _begins_page(block: QTextBlock) -> bool:
    table = _table_of(block)
    form = block.blockFormat() if table is None else table.format()
    return bool(form.pageBreakPolicy() & BEFORE)  # type: ignore[attr-defined]


def _break_before(block: QTextBlock) -> None:
    table = _table_of(block)
    if table is not None:
        form = table.format()
        form.setPageBreakPolicy(BEFORE)  # type: ignore[attr-defined]
        table.setFormat(form)  # type: ignore[arg-type]
        return
    changed = block.blockFormat()
    changed.setPageBreakPolicy(BEFORE)
    QTextCursor(block).setBlockFormat(changed)
