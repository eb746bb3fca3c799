"""A region in words, and names for what it reads."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

import msgspec

from ..data.dates.stated_day_zero import statements
from ..data.names.classes import CLASS
from ..data.units.unit_names import is_unit
from ..definition import Region
from ..extract.reading import Line, ordinal
from ..extract.region_places import which_words
from ..extract.row_cells import BARS, cells_of, is_rule
from ..numbers.number_characters import shorten
from ..numbers.number_text import value_of
from .anchors.anchor_texts import numbered_names
from .labels.label_names import says_statistic
from .labels.labelled_rows import heading_of
from .tables.block import Block, Column
from .tables.broken_words import without_blank_columns
from .tables.grouped_names import MOST_GROUPED, group_of
from .tables.listed_names import listed_name
from .tables.numbered_headings import error_of, numbered_headings
from .tables.placed_headings import legend_name, placed_headings
from .tables.scattered_rows import heading_words
from .tables.unit_lines import UNIT, are_units, two_lines
from .tables.united_headings import HEADING, Span, flush_headings, has_parted_units, united_headings

MOST_NAME_WORDS = 4  # of a name that several lines of a heading make
MOST_ROWS = 20  # from which it is told where columns end
MOST_SHOWN = 64  # characters of a heading in words
_SAYS = re.compile(rf"[=:]|^(?!{CLASS}$)[-+.0-9]+$| [0-9]+(?!\w)")  # dt = 0.1, TIME STEP 2 name no column; 0-4, 65+, 2theta do
_GIVES = re.compile(r"[=:]\s*[-+.]?[0-9]")  # dt = 0.1, but time [mm:ss] does not
_VALUE = re.compile(r"(?<=[^\W\d_])\s+[-+]?[0-9][0-9.]*(?!\w)")  # SCAN 3, angle 60.00 deg
_PHRASES = re.compile(r"\s{2,}")
_COMMENT = re.compile(r"^\s*[#%!]+")
_BRACKETS = re.compile(r"[(\[][^()\[\]]*[)\]]")


def words_of(region: Region, tables: int = 1, bars: int = 0, rows: int = 0) -> str:
    """What is read: rows 1–2 of column 4, below “E I G E N V A L U E”.

    ``tables``: read with 'all' (0: not said); ``bars``: before column 1; ``rows``: read in all (0: not said).
    """
    if region.on_line and not region.columns and region.count is None:
        return f"every number{place_words(region, tables)}, on the next lines too"
    if region.first_number != 1 or region.number_count is not None:
        return f"{numbers_words(region)}{place_words(region, tables)}"
    if not region.columns and not region.characters and region.count is None and region.first == 1 and _every_row(region):
        return f"every number, row by row{place_words(region, tables)}"
    where, columns = rows_words(region, rows), columns_words(region, bars)
    return f"{where} of {columns}{place_words(region, tables)}" if where else f"{columns}{place_words(region, tables)}"


def _every_row(region: Region) -> bool:
    return region.row_label is None and region.where is None


def numbers_words(region: Region) -> str:
    """Which numbers of a list that is printed over several lines."""
    first, count = region.first_number, region.number_count
    rows = "row by row" if region.first == 1 else f"row by row from row {region.first} on"
    if count is None:
        return f"every number from the {ordinal(first)} on, {rows}"
    return f"numbers {first}–{first + count - 1}, {rows}" if count > 1 else f"number {first}, {rows}"


def rows_words(region: Region, rows: int = 0) -> str:
    first, count = region.first, region.count
    if region.where is not None:
        told = f" with “{shorten(region.where[1], MOST_SHOWN)}” in column {region.where[0]}"
        return f"{rows_words(msgspec.structs.replace(region, where=None), rows)}{told}"
    if region.row_label is not None:
        return f"the row “{shorten(region.row_label, MOST_SHOWN)}”"
    if region.on_line and count == 1 and first == 1:
        return ""
    if count == 1:
        return "the last row" if first == -1 else f"row {first}" if first > 0 else f"row {-first} from the end"
    if count is None:
        counted = f"all {rows} rows" if rows > 1 else "all rows"
        return counted if first == 1 else f"{counted} from row {first} on"
    return f"rows {first}–{first + count - 1}" if first > 0 else f"the last {count} rows"


def columns_words(region: Region, bars: int = 0) -> str:
    if region.characters:
        fields = [region.characters[c - 1] for c in region.columns if c <= len(region.characters)] or region.characters
        return f"characters {fields[0][0]}–{fields[-1][1]} of the line"
    if not region.columns:
        return "every number of the line" if region.on_line else "every column"
    what = "number" if region.by == "number" else "column"
    numbers = [c - bars for c in region.columns]
    if len(numbers) == 1:
        return f"{what} {numbers[0]}"
    if numbers == list(range(numbers[0], numbers[-1] + 1)):
        return f"{what}s {numbers[0]}–{numbers[-1]}"
    return f"{what}s {', '.join(map(str, numbers))}"


def place_words(region: Region, tables: int = 1) -> str:
    passed = "; other lines between the rows are passed over" if region.gaps == "text" else ""
    if region.anchor is None:
        return f", from the top of the text{passed}"
    place = f"{'behind' if region.on_line else 'below'} “{shorten(region.anchor, MOST_SHOWN)}”"
    which = which_words(region.since, region.until)
    if region.occurrence == "all" and region.on_line:
        here = f" ({tables} here)" if tables else ""
        some = f" {which}" if which.startswith("from") else f", {which} of them" if which else ""
        since = " from this one on" if region.since > 1 and region.until == -1 else some
        return f", in every line with “{shorten(region.anchor, MOST_SHOWN)}”{since}{here}{passed}"
    led = " a row follows" if region.followed else ""
    if region.occurrence == "all":
        here = f" ({tables} time{'s' * (tables != 1)} here)" if tables else ""
        if which and not which.startswith("from"):
            here = "" if region.since > 0 and region.until > 0 else here  # that says how many
            return f", {place}, {which} time{'s' * which[-1].isdigit()}{led}{here}{passed}"
        return f", {place}, every time{led}{f' {which}' if which else ''}{here}{passed}"
    if region.occurrence == -1:
        return f", {place}, the last time{led}{passed}"
    nth = int(region.occurrence)
    which = f", the {ordinal(nth) if nth != 1 else 'first'} time{led}" if led or nth != 1 else ""
    return f", {place}{which}{passed}"


def bars_before(block: Block, lines: Sequence[Line]) -> int:
    """1 if the rows of a drawn table begin with a bar, so that its first column is cell 2."""
    sign = block.shape.delimiter
    return int(sign is not None and sign in BARS and lines[block.rows[0]].text.lstrip().startswith(sign))


def column_name(block: Block, column: Column, lines: Sequence[Line]) -> str:
    """What the heading right above the rows calls the column; empty if that is not sure."""
    if block.shape.on_line:
        named = heading_of(block, lines)
        return named[column.number - 1] if named else ""
    if block.heading is not None:
        return (heading_words(lines[block.heading].text)[column.number - 1 :] or [""])[0]
    if (two := two_lines(block, lines)) is not None and column.number <= len(two.name_spans):
        return lines[two.names].text[slice(*two.name_spans[column.number - 1])].strip("\"'")
    above: list[Line] = []
    for i in range(block.rows[0] - 1, max(block.rows[0] - 8, -1), -1):
        if is_rule(lines[i].text):
            continue
        if not lines[i].text.strip() or not any(c.isalpha() for c in lines[i].text) or _is_data(lines[i].text):
            if above or lines[i].text.strip():
                break
            continue
        above.append(lines[i])
    above = without_blank_columns(above, lines[block.rows[0]].text) if len(above) > 1 else above
    if above and len(counted := numbered_names(above[0].text)) >= max(c.number for c in block.columns):
        return counted[column.number - 1]
    if above and column in block.columns and (spans := numbered_headings(above[0].text, block.columns)):
        return above[0].text[slice(*spans[block.columns.index(column)])]
    if above and above[0].text.lstrip().startswith("@"):
        return legend_name(block, column.number, lines)
    if above and (placed := placed_headings(block, lines, above[0].text)):
        return above[0].text[slice(*placed.get(column.number, (0, 0)))]
    united = united_over(block, lines, above[0].text) if above else []
    if united and column.number <= len(united):
        return above[0].text[slice(*united[column.number - 1])]
    if name := _stacked_name(block, column, lines, above) or _flush_name(block, column, above):
        return name
    spaced = [list(re.finditer(r"\S+(?: \S+)*", _COMMENT.sub(_blank, line.text))) for line in reversed(above)]
    near = 2 if above and are_units(above[0].text.lstrip("#%! ").replace(",", " ").split()) else 1  # units stand below names
    if spaced and len(spaced[-1]) == 1 and len(block.columns) > 1 and (name := _counted_name(block, column, lines, above[:near])):
        return name  # single spaces between the headings right above, so what stands farther up says less
    shifted = spaced and len(spaced[-1]) > 1 and _out_of_line(spaced[-1], block, lines)
    if shifted and (name := _counted_name(block, column, lines, above[:near])):
        return name
    if block.shape.delimiter is None and (name := _name_over(spaced, column, len(block.columns))):
        return name
    alone = (m[0].group() for m in spaced if _is_alone(m, column, above, block.columns))
    return _counted_name(block, column, lines, above) or next(alone, "") or listed_name(block, column, lines, above)


def output_name(block: Block, column: Column, lines: Sequence[Line]) -> str:
    """As ``column_name``; where the heading only says ± or s.e., of the column before it: deme 1 se; where it comes again, with
    the group that it stands in: theta Node(11)."""
    name = column_name(block, column, lines)
    if column not in block.columns or not name or len(block.columns) > MOST_GROUPED:
        return name
    names, at = [column_name(block, one, lines) for one in block.columns], block.columns.index(column)
    if not (error := error_of(name)):
        return f"{name} {group_of(names, at, lines, block.rows[0])}".rstrip()
    before = names[:at]
    of = next((one for one in reversed(before) if not error_of(one)), "")
    return f"{of} {error}" if of and not says_statistic(of) else name


def united_over(block: Block, lines: Sequence[Line], heading: str) -> list[Span]:
    """Where the headings stand, one for each cell of the rows, if units in them or they themselves have blanks; else empty."""
    if block.shape.characters or block.shape.delimiter is not None or block.shape.by != "word":
        return []
    cells = cells_of(lines[block.rows[0]].text, by=block.shape.by, comma=block.comma)
    text = _COMMENT.sub(_blank, heading)
    found = united_headings(text, len(cells)) or flush_headings(text, _some_rows(block, lines))
    said = _SAYS.search(_undated(text)) is not None or not all(any(c.isalpha() for c in text[a:b]) for a, b in found)
    return [] if said or are_units([text[a:b] for a, b in found]) else found


def _some_rows(block: Block, lines: Sequence[Line]) -> list[list[tuple[str, Span]]]:
    """The words of the first rows, and where they stand."""
    texts = [lines[i].text for i in block.rows[:MOST_ROWS]]
    return [[(t[c.start : c.end], (c.start, c.end)) for c in cells_of(t, by=block.shape.by, comma=block.comma)] for t in texts]


def _is_data(text: str) -> bool:
    """Whether a line holds results rather than names, though it has letters in it: 1 -5.10 -0.51E+01 T, and energy = 2.5."""
    decimals = sum("." in word and value_of(word) is not None for word in text.split())
    if decimals and ("=" in text or ":" in text):
        return True
    return decimals > 1 and 2 * decimals > len(text.split()) - decimals


def _undated(text: str) -> str:
    """``text`` without brackets that say from which date its numbers count: time (hours since 2019-09-01 00:00:00)."""
    return _BRACKETS.sub(lambda found: "" if statements(found[0]) else found[0], text)


def _blank(sign: re.Match[str]) -> str:
    return " " * len(sign.group())


def _out_of_line(phrases: Sequence[re.Match[str]], block: Block, lines: Sequence[Line]) -> bool:
    """Whether headings stand over several columns, or beside theirs: what stands over a column does not tell its name then."""
    columns = block.columns
    lefts, rights = sorted(c.left for c in columns), sorted(c.right for c in columns)
    if any(bisect_left(lefts, p.end()) - bisect_right(rights, p.start()) > 1 for p in phrases):
        return True
    if block.shape.by == "number" or block.shape.characters:
        pairs = list(zip(phrases, columns, strict=True)) if len(phrases) == len(columns) else []
    else:
        cells = cells_of(lines[block.rows[0]].text, by=block.shape.by, delimiter=block.shape.delimiter, comma=block.comma)
        pairs = [(phrases[c.number - 1], c) for c in columns] if len(phrases) == len(cells) else []
    return any(p.end() <= c.left or c.right <= p.start() for p, c in pairs)


def _stacked_name(block: Block, column: Column, lines: Sequence[Line], above: Sequence[Line]) -> str:
    """The name where the lowest line of a heading names the first column alone, and the one above it all the others: Time below
    Probe 0 1, whose columns are Time, Probe 0 and Probe 1."""
    if len(above) < 2 or block.shape.characters or block.shape.by == "number":
        return ""
    first, others = (_COMMENT.sub("", line.text).split() for line in above[:2])
    by, delimiter = block.shape.by, block.shape.delimiter
    n = len(cells_of(lines[block.rows[0]].text, by=by, delimiter=delimiter, comma=block.comma))
    if len(first) != 1 or len(others) != n or n < 2 or not (first[0].isidentifier() and others[0].isidentifier()):
        return ""
    if is_unit(first[0]) or any(_SAYS.search(word) and not word.isdigit() for word in others):
        return ""
    if column.number == 1:
        return first[0]
    name = others[column.number - 1]
    return f"{others[0]} {name}" if name.isdigit() else name


def _flush_name(block: Block, column: Column, above: Sequence[Line]) -> str:
    words = flush_words(block, above[0]) if above and column in block.columns else []
    return words[block.columns.index(column)].group() if words else ""


def flush_words(block: Block, line: Line) -> list[re.Match[str]]:
    """The names in a heading, each of which ends where its column does: of a data frame that R prints, whose rows begin with
    labels that have no heading, and whose headings may have a single space between them; none where one ends elsewhere."""
    words = list(re.finditer(r"\S+", line.text))
    if len(words) != len(block.columns) or len(words) < 2 or are_units([w.group() for w in words]):
        return []
    named = all(any(x.isalpha() for x in w.group()) and not _SAYS.search(w.group()) for w in words)
    return words if named and all(w.end() == c.right for w, c in zip(words, block.columns, strict=True)) else []


def _name_over(heading: Sequence[Sequence[re.Match[str]]], column: Column, columns: int) -> str:
    """What stands over the column in the lines of a heading, from the top: a name may take several, "Surface" above "temp."."""
    found: list[str] = []
    for phrases in heading:
        if len(phrases) < (columns if found else max(2, columns // 2)):
            continue  # a line below the names goes on with them only where it does so over every column
        if len(phrases) < columns and len({m.group().lstrip("+-.")[:1].isdigit() for m in phrases}) > 1:
            continue  # a title that says a number, ANGLE  20.0 deg, stands over columns by chance
        if phrases is not heading[-1] and (_says_numbers(phrases) or phrases[0].group().endswith(":")):  # Units:  m
            continue
        over = [m.group() for m in phrases if m.start() < column.right and column.left < m.end()]
        plain = _undated(over[0]) if len(over) == 1 else ""
        if plain and not UNIT.fullmatch(over[0]) and not _SAYS.search(plain) and len(plain.split()) < 4:
            word = over[0] if error_of(over[0]) else over[0].strip("-=~ ")
            if word and not (found and is_unit(word)):
                fits = len(" ".join((*found, _undated(word))).split()) <= MOST_NAME_WORDS
                found = [*found, word] if fits else [word]  # the nearest line names the column, a title above it does not
    return " ".join(dict.fromkeys(found))


def _says_numbers(phrases: Sequence[re.Match[str]]) -> bool:
    """Whether it is a title, SCAN 3  REFLECTANCE  angle 60.00 deg: numbers behind words of which no two are alike, as those of
    groups of columns are: Node 5  Node 7."""
    said = [_VALUE.sub("", m.group()) for m in phrases if _VALUE.search(m.group())]
    return bool(said) and len(set(said)) == len(said)


def _is_alone(
    phrases: Sequence[re.Match[str]], column: Column, above: Sequence[Line], columns: Sequence[Column]
) -> bool:
    """Whether the only words of a heading stand right above the column."""
    if len(phrases) != 1 or len(above) > 1 or len(columns) > 1 or len(phrases[0].group().split()) > 2:
        return False
    return phrases[0].start() < column.right and column.left < phrases[0].end()


def _counted_name(block: Block, column: Column, lines: Sequence[Line], above: Sequence[Line]) -> str:
    """The name in the heading, nearest first, that has as many words as the rows have cells."""
    delimiter = block.shape.delimiter
    if block.shape.characters or block.shape.by == "number":
        return ""
    by = block.shape.by
    below = cells_of(lines[block.rows[0]].text, by=by, delimiter=delimiter, comma=block.comma)
    units = ""
    for line in above:
        text = line.text.lstrip("#%! ")
        cut = delimiter is not None and text.count(delimiter) == len(below) - 1 > 0  # no title is: Step,Node 5,Node 7
        said = any(_GIVES.search(cell) for cell in text.split(delimiter)) if cut else _SAYS.search(_undated(line.text))
        if said or line.text.rstrip().endswith("..."):
            continue
        names = (
            [n.strip().strip('"') for n in text.split(delimiter)] if delimiter and delimiter in text
            else _PHRASES.split(text) if by == "gap" else text.split()
        )  # fmt: skip
        if len(names) != len(below) and not (delimiter and delimiter in text):
            names = next((n for n in (HEADING.findall(text), _PHRASES.split(text.strip())) if len(n) == len(below)), [])
        if delimiter is None and by == "word" and has_parted_units(text):
            continue  # counted as united already: here the rest of a unit would be taken for a name
        if len(names) == len(below) and any(c.isalpha() for c in names[column.number - 1]):
            if units or not are_units(names):
                return names[column.number - 1]
            units = names[column.number - 1]  # their names may stand above
    return units
