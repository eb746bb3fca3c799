"""The numbers of a list that is printed over as many lines as it takes: with commas, brackets, repeat counts, missing values."""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from decimal import Decimal, InvalidOperation

from ..numbers.number_refusals import COMMA, comma_is_ambiguous
from ..numbers.number_surroundings import may_mislead, problem_around
from ..numbers.number_text import complaint, looks_like_number, value_of
from .list_lead import CLOSING, COLUMNS, INDEX, MISSING, PLACE, REPEATED, Lead
from .reading import quoted

MOST_REPEATS = 10_000_000  # numbers of a list: a repeat count beyond is a slip, and would fill the memory
_PLAIN_LINE = re.compile(r"[-+0-9.eE, \t\r]*")
_PLAIN_ROW = re.compile(r"(?:[-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?\s+)*[-+]?[0-9.]*[0-9][0-9.]*(?:[eE][-+]?[0-9]+)?")
_PLAIN_WORD = re.compile(r"[^\s,]+")
_EMPTY = re.compile(r",[ \t]*,")
_TOKEN = re.compile(r"[^\S\n]+|//[^\n]*|[,;(){}\[\]]|</?|[^\s,;(){}\[\]<]+")
_TOKEN_COMMA = re.compile(r"[^\S\n]+|//[^\n]*|[;(){}\[\]]|</?|[^\s;(){}\[\]<]+")
_GOES_ON = frozenset("&\\")  # at the end of a line
_LEFT_OUT = ("...", "\u2026")


class ListBody:
    """``values`` and ``spans``: the numbers and their characters in the text; ``end``: the sign that ends the list, empty: none;
    ``problem``: what is wrong with it, in a sentence; ``missing``: how many places hold no value."""

    def __init__(self, text: str, start: Lead, end: str | None, comma: bool) -> None:
        self.text, self.lead, self.wanted, self.comma = text, start, end, comma
        self.values: list[float] = []
        self.spans: list[tuple[int, int]] = []
        self.breaks: list[int] = []  # how many numbers stand before each line of the list
        self.end = self.problem = ""
        self.missing = 0
        self.separators: set[str] = set()
        self._open = start.brackets
        self._blocks: list[list[int]] = [[]] if start.column is not None else []  # of columns: where their rows begin
        self._pending = False  # a comma stood last, so that the list goes on
        self._apart = True  # something stands between the last number and what comes
        self._fresh = True  # a row begins, so that no comma need stand before the next number
        self._ended = False
        self.stop = start.at
        self._read()

    # -------------------------------------------------------------- lines

    def _read(self) -> None:
        at, first = self.lead.at, True
        while not self._ended and not self.problem:
            stop = self.text.find("\n", at)
            stop = len(self.text) if stop < 0 else stop
            if not first and not self._continues(at, stop):
                break
            first = False
            self.breaks.append(len(self.values))
            self._apart = self._fresh = True
            self._line(at, stop)
            if self._full():
                self._ended = True
            if stop >= len(self.text):
                break
            at = stop + 1
            if self._blocks and not self._ended:
                at = self._next_columns(at)
        self._finish()

    def _full(self) -> bool:
        return self.lead.count is not None and not self.lead.brackets and len(self.values) >= self.lead.count

    @property
    def indexed(self) -> bool:
        """Whether the place of its first number is printed before it."""
        return INDEX.match(self.text, self.lead.at) is not None

    @property
    def nested(self) -> bool:
        """Whether its brackets hold rows in brackets."""
        return len(self.lead.brackets) > 1 and self.lead.brackets[-2:] in ("]]", "))", "}}")

    @property
    def _closed(self) -> bool:
        """Whether something is to come that ends it, whatever lines lie between."""
        return bool(self._open or self.lead.tag or (self.lead.count is not None) or self.wanted)

    def _continues(self, at: int, stop: int) -> bool:
        """Whether the list goes on in the line [at, stop)."""
        if self._closed:
            return True
        line = self.text[at:stop].strip()
        if self._pending:
            return True
        again = INDEX.match(line)
        if not line or (again is not None and again[1] == "1" and self.values):
            return False
        if line[0] == ",":
            return True
        if "," in self.separators:
            return self._ends_below(at)
        lines = len(self.breaks)
        if lines == 1 and self.lead.lines == 0 and len(self.values) < 2 and not INDEX.match(self.text, self.lead.at):
            return False  # n = 3 above a table
        return self._numbers_only(line)

    def _ends_below(self, at: int) -> bool:
        """Whether nothing but the sign that ends the list stands in the line: a lone semicolon."""
        return self.text[at : at + 200].lstrip().startswith(";")

    def _numbers_only(self, line: str) -> bool:
        labelled = INDEX.match(line)
        rest = (line[labelled.end() :] if labelled is not None else line).rstrip("; ")
        if _PLAIN_ROW.fullmatch(rest) is not None:
            return True
        words = rest.split()
        return bool(words) and all(value_of(w, self.comma) is not None or w in MISSING for w in words)

    def _next_columns(self, at: int) -> int:
        """Past blank lines and the name of the next columns, if such follow a block of columns; else ``at``."""
        ahead = re.compile(r"(?:[^\S\n]*\n)+").match(self.text, at)
        headed = COLUMNS.match(self.text, ahead.end()) if ahead is not None else None
        if headed is None:
            self._blocks[-1].append(len(self.values))
            return at
        self._blocks[-1].append(len(self.values))
        across = self._across()
        if int(headed[1]) != across + (self.lead.column or 1):
            self.problem = f"columns {across + (self.lead.column or 1)} to {int(headed[1]) - 1} of the list are not there."
        self._blocks.append([])
        below = re.compile(r"(?:[^\S\n]*\n)*").match(self.text, headed.end())
        return below.end() if below is not None else headed.end()

    def _across(self) -> int:
        """How many columns the blocks so far have."""
        total, before = 0, 0
        for block in self._blocks:
            total += (block[0] - before) if block else 0
            before = block[-1] if block else before
        return total

    # -------------------------------------------------------------- one line

    def _line(self, at: int, stop: int) -> None:
        line = self.text[at:stop]
        plain = not self.comma and _PLAIN_LINE.fullmatch(line) is not None and not may_mislead(line)
        if plain and self._plain(at, line):
            return
        doubtful = may_mislead(line)
        labelled = INDEX.match(self.text, at + len(line) - len(line.lstrip())) if not self._open else None
        if labelled is not None and labelled.end() <= stop:
            if int(labelled[1]) != len(self.values) + 1:
                self.problem = f"{quoted(labelled.group().strip())} stands before number {len(self.values) + 1} of the list."
                return
            at = labelled.end()
        placed = PLACE.match(self.text, at) if self._open else None
        if placed is not None and placed.end() <= stop:
            if "," not in placed[1] and int(placed[1]) * max(1, self.lead.record) != len(self.values):
                self.problem = f"{quoted(placed.group().strip())} stands before number {len(self.values) + 1} of the list."
                return
            at = placed.end()
        for token in (_TOKEN_COMMA if self.comma else _TOKEN).finditer(self.text, at, stop):
            self._token(token, stop, doubtful)
            if self._ended or self.problem:
                return

    def _plain(self, at: int, line: str) -> bool:
        """Take a line of plain numbers; False: it is not surely one."""
        words = list(_PLAIN_WORD.finditer(line))
        if self.lead.count is not None and not self.lead.brackets and len(words) + len(self.values) > self.lead.count:
            return False
        commas = line.count(",")
        if commas not in (0, len(words), len(words) - 1) or (commas and _EMPTY.search(line)):
            return False
        if commas and words and line.lstrip()[0] == ",":
            return False
        try:
            found = [float(word.group()) for word in words]
        except ValueError:
            return False
        if any(math.isinf(value) for value in found):
            return False
        if len(words) > 1 or (commas and words):
            self.separators.add("," if commas else " ")
        self._pending = line.rstrip()[-1:] == "," or (not words and self._pending)
        if self.lead.scale:
            found = [self._scaled(word.group(), value) for word, value in zip(words, found, strict=True)]
        self.values += found
        self.spans += [(at + word.start(), at + word.end()) for word in words]
        if words:
            self.stop = at + words[-1].end()
        return True

    def _token(self, token: re.Match[str], stop: int, doubtful: bool) -> None:
        sign, at = token.group(), token.start()
        if sign.isspace() or sign.startswith("//"):
            self._apart = True
        elif sign == ",":
            if self._pending or not self.values:
                self.problem = f"nothing stands before a comma of the list, behind its number {len(self.values)}."
            self._pending = self._apart = True
            self.separators.add(",")
        elif sign in CLOSING and not self._open:
            self._word(sign, at, doubtful)
        elif sign in CLOSING:
            if not self._apart and self.values and self.spans[-1][1] == at:
                self.problem = f"“{self.text[self.spans[-1][0] : at + 3]}” has a bracket right behind its digits."
            self._open += CLOSING[sign]
            self._apart, self._pending, self._fresh = True, False, True
        elif sign in ")]}":
            self._close(sign, token.end())
        elif sign == ";":
            if self._open or self.comma:
                self._apart = self._fresh = True
            else:
                self._end(";", token.end())
        elif sign == "</":
            self._end("</" + (self.lead.tag or ""), token.end())
        elif sign in _GOES_ON and not self.text[token.end() : stop].strip():
            self._pending = True
        else:
            self._word(sign, at, doubtful)

    def _close(self, sign: str, stop: int) -> None:
        if self._open and self._open[-1] != sign:
            self.problem = f"a “{sign}” stands where a “{self._open[-1]}” should close the list."
            return
        self._open = self._open[:-1]
        self._apart, self._pending, self._fresh = True, False, True
        if not self._open:
            self._end(sign, stop)

    def _end(self, sign: str, stop: int) -> None:
        self.end, self._ended, self._pending, self.stop = sign, True, False, stop

    def _word(self, word: str, at: int, doubtful: bool) -> None:
        if self._full():
            self._ended = True
            return
        inner = word.rstrip(",") if self.comma else word
        if inner[:1] in ("'", '"') and inner[-1:] == inner[0] and len(inner) > 2:
            inner, at = inner[1:-1], at + 1
        again, body = 1, inner
        repeated = REPEATED.fullmatch(inner)
        if repeated is not None:
            again, body = int(repeated[1]), repeated[2]
        value = value_of(body, self.comma)
        if body.endswith(_LEFT_OUT) or inner in _LEFT_OUT:
            self.problem = f"some of its numbers are left out (“{inner[-3:]}”). Let the program print all of them."
        elif value is None and body in MISSING:
            value = math.nan
            self.missing += again
        elif value is None and looks_like_number(body, self.comma):
            self.problem = complaint(body, self.comma)
        elif value is None and (self._open or self.lead.tag or self.wanted):
            self.problem = f"{quoted(inner)} stands where number {len(self.values) + 1} of the list should be."
        elif value is None:
            self._ended, self._pending = True, False
        if value is None or self.problem:
            return
        start = at + len(inner) - len(body)
        if doubtful and not math.isnan(value):
            self.problem = problem_around(self.text, start, start + len(body), True)
        if again > MOST_REPEATS - len(self.values) or again == 0:
            self.problem = f"“{inner}” is a number that is repeated {again} times."
        if self.problem:
            return
        if not self._fresh and not self._pending:
            self.separators.add(" ")
        scaled = self._scaled(body, value) if self.lead.scale else value
        self.values += [scaled] * again
        self.spans += [(start, start + len(body))] * again
        self._apart = self._fresh = False
        self._pending = self.comma and word.endswith(",")
        self.stop = start + len(body)

    def _scaled(self, word: str, value: float) -> float:
        try:
            return float(Decimal(word) * Decimal(self.lead.scale))
        except InvalidOperation:
            return value * float(self.lead.scale)

    # -------------------------------------------------------------- the whole

    def _finish(self) -> None:
        if self.problem:
            return
        expected = self.lead.count
        if self._open or self._pending or (self.lead.tag and not self._ended):
            what = f"a “{self._open[-1]}”" if self._open else "another number" if self._pending else f"“</{self.lead.tag}>”"
            self.problem = f"the text ends in the middle of the list, behind its number {len(self.values)}: {what} should follow."
        elif expected is not None and not self._is_announced(expected):
            self.problem = (
                f"{expected} numbers are announced, and {len(self.values)} follow."
                + (" The output seems to be cut off there." if len(self.values) < expected else "")
            )
        elif self.wanted and self.end != self.wanted:
            self.problem = (
                f"the list does not end with “{self.wanted}” behind its number {len(self.values)}. "
                "The output seems to be cut off there."
            )
        elif "," in self.separators and " " in self.separators and not self.comma:
            self.problem = "some of its numbers have commas between them and others do not: a comma may be a decimal comma."
        elif "," in self.separators and not (self.comma or self.lead.brackets) and self._is_two_ways():
            self.problem = f"{quoted(self.text[self.spans[0][0] : self.spans[-1][1]])} {COMMA}."
        elif self.lead.field is not None:
            self._by_field(self.lead.field)
        else:
            self._by_rows()

    def _is_announced(self, count: int) -> bool:
        """Whether there are as many as said; of rows in brackets, as many rows."""
        n = len(self.values)
        return n == count or (bool(self.lead.brackets) and count > 0 and n > 0 and n % count == 0)

    def _is_two_ways(self) -> bool:
        """Whether a comma may be a decimal one, or part thousands: nowhere stands a space behind one."""
        whole = self.text[self.spans[0][0] : self.spans[-1][1]]
        return not any(c.isspace() for c in whole) and comma_is_ambiguous(whole)

    def _by_field(self, field: int) -> None:
        """Of records, the same number of each."""
        if len(self.values) % self.lead.record:
            self.problem = f"its {len(self.values)} numbers are no whole records of {self.lead.record}."
            return
        self.values, self.spans = self.values[field :: self.lead.record], self.spans[field :: self.lead.record]
        self.breaks = list(range(len(self.values)))

    def _by_rows(self) -> None:
        """Of a matrix whose columns are printed in blocks: row by row, as others are."""
        rows = {len(block) for block in self._blocks}
        if len(self._blocks) < 2 or rows == {1}:
            return
        if len(rows) > 1:
            self.problem = "its blocks of columns have different numbers of rows."
            return
        order: list[int] = []
        for k in range(rows.pop()):
            before = 0
            for block in self._blocks:
                order += range(block[k - 1] if k else before, block[k])
                before = block[-1]
        self.values = [self.values[i] for i in order]
        self.spans = [self.spans[i] for i in order]

    def line_of(self, k: int) -> int:
        """Which line of the list, from 0, number ``k`` stands on."""
        return bisect_right(self.breaks, k) - 1
