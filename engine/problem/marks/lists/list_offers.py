"""Ways to read a list of numbers, or some of it, in words: by its name, where it stands now, the last time, every time."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import msgspec

from ...definition import NumberList
from ...extract import ExtractionError
from ...extract.list_body import ListBody
from ...extract.number_list import bodies_of
from ...extract.reading import ordinal
from ...numbers.number_characters import shorten
from ...propose_tables import Proposal
from ..marked import Repeat
from ..offer import Offer
from ..words import MOST_SHOWN
from .found_list import Found

MOST_READ = 300_000  # numbers of all lists of one name that are read to propose "every time"
_QUOTED = re.compile(r"""["']([^"']+)["']""")
_PATH_SIGNS = re.compile(r"[/@]|\.(?!.*/)")  # /run/table.flux, /run/flux@scale
_KIND = re.compile(r"\s+(?:non)?uniform\b.*|\s*<-.*|\([^()]*\)|\[[^\[\]]*\]|\s+(?:np\.|numpy\.)?(?:array|tensor|c|matrix)$")
_TYPES = re.compile(r"^(?:(?:const|static|double|float|int|long|real|auto|integer)\s+)+(?=\S)", re.IGNORECASE)
_COUNT_WORDS = re.compile(r"(?:\s+[A-Z])?\s+[nN]\s*=?$")  # R N= of a formatted checkpoint file


def label_of_list(name: str | None) -> str:
    """What a list is called, of the text before it: flux of ``"flux":`` and ``flux = array``, p of ``Name="p"``."""
    plain = (name or "").strip()
    if plain.startswith("/"):
        return _PATH_SIGNS.split(plain)[-1] or plain
    quoted = list(_QUOTED.finditer(plain))
    if quoted:
        return quoted[-1][1]
    plain = _COUNT_WORDS.sub("", plain.lstrip("<>$ ").rstrip("=:> "))
    plain = _TYPES.sub("", plain)
    plain = re.sub(r"\s*(?:=|<-)?$", "", _KIND.sub("", re.sub(r"\s*(?:=|<-)\s*(?=\S*$)", " ", plain))).strip()
    return plain


def list_words(extractor: NumberList) -> str:
    """How it is read, in words that hold in every run."""
    each = f", each number {extractor.each} times" if extractor.each > 1 else ""
    times = f", all of it {extractor.times} times" if extractor.times > 1 else ""
    return f"{_plain_words(extractor)}{each}{times}"


def _plain_words(extractor: NumberList) -> str:
    if extractor.name is None:
        behind = "at the beginning of the text"
    else:
        where = "at" if extractor.name.startswith("/") else "behind"
        behind = f"{where} “{shorten(extractor.name, MOST_SHOWN)}”{_which(extractor)}"
    first, count = extractor.first, extractor.count
    if count == 1:
        which = "the last number" if first == -1 else f"number {first}"
        return f"{which} of the list {behind}"
    if count is not None:
        return f"numbers {first}–{first + count - 1} of the list {behind}"
    if first != 1:
        return f"numbers from the {ordinal(first)} on of the list {behind}"
    return f"the list {behind}, to its “{extractor.end}”" if extractor.end else f"the list {behind}"


def _which(extractor: NumberList, here: int = 0) -> str:
    if extractor.occurrence == "all":
        return f", every time ({here} here)" if here else ", every time"
    if extractor.occurrence == -1:
        return ", the last time"
    return "" if extractor.occurrence == 1 else f", the {ordinal(extractor.occurrence)} time"


def ways(found: Found, text: str, hits: Sequence[int]) -> Iterator[tuple[Repeat, str, Proposal]]:
    """How ``hits``, numbers of the list from 0, or all of it are read: each with its words, the best first."""
    whole = found.whole
    if hits:
        whole = msgspec.structs.replace(whole, first=hits[0] + 1, count=len(hits))
    for one, repeat in _repeated(whole, found.nth, found.count):
        try:
            here = one.occurrence == found.nth or (one.occurrence == -1 and found.nth == found.count)
            bodies = [found.body] if here else bodies_of(one, text, found.comma)
            if any(one.count is not None and len(body.values) < one.first - 1 + one.count for body in bodies):
                continue
        except ExtractionError:
            continue
        if repeat == "all" and sum(len(body.values) for body in bodies) > MOST_READ:
            continue
        yield repeat, _words(one, found, text, len(bodies)), _proposal(one, found, bodies)


def _repeated(whole: NumberList, nth: int, count: int) -> Iterator[tuple[NumberList, Repeat]]:
    if count == 1:
        yield whole, ""
        return
    last = msgspec.structs.replace(whole, occurrence=-1)
    if nth == count:
        yield last, "last"
    yield whole, "this"
    if nth < count:
        yield last, "last"
    yield msgspec.structs.replace(whole, occurrence="all"), "all"


def _words(one: NumberList, found: Found, text: str, lists: int) -> str:
    if found.stored and len(found.body.values) == 1:
        return f"the number at “{shorten(one.name or '', MOST_SHOWN)}”{_which(one, lists)}"
    if one.count is not None or one.name is None:
        return list_words(one) if one.occurrence != "all" else f"{list_words(one)} ({lists} here)"
    body = found.body
    named = f"“{shorten(one.name.removesuffix('=>').rstrip(' =:'), MOST_SHOWN)}”{_which(one, lists)}"
    if one.occurrence == "all":
        return f"the lists behind {named}"
    return f"{named}: {len(body.values)} numbers, {lines_words(body, text)}"


def lines_words(body: ListBody, text: str) -> str:
    """On which lines of the text the numbers stand: lines 12–16."""
    first = text.count("\n", 0, min(a for a, _ in body.spans)) + 1
    last = first + text.count("\n", body.spans[0][0], max(b for _, b in body.spans))
    return f"line {first}" if first == last else f"lines {first}–{last}"


def all_fields(fields: Sequence[Found], text: str) -> Offer:
    """Each field of the records of an HDF5 dataset, as an output of its own."""
    names = [label_of_list(one.whole.name) for one in fields]
    path = (fields[0].whole.name or "").removesuffix(f".{names[0]}")
    words = f"“{shorten(path, MOST_SHOWN)}”: {len(fields)} fields of {len(fields[0].body.values)} records"
    return Offer("table", "", words, tuple(_proposal(one.whole, one, [one.body]) for one in fields), tuple(names))


def _proposal(one: NumberList, found: Found, bodies: Sequence[ListBody]) -> Proposal:
    values: list[float] = []
    spans: list[tuple[int, int]] = []
    for body in bodies:
        first = one.first - 1
        last = len(body.values) if one.count is None else first + one.count
        values += body.values[first:last]
        spans += body.spans[first:last]
    return Proposal(one, "", tuple(values), tuple(spans), found.comma, _noted(bodies, values))


def _noted(bodies: Sequence[ListBody], values: Sequence[float]) -> str:
    """What else is to be known of the numbers: some are missing, all are multiplied."""
    missing = sum(value != value for value in values)
    said = []
    if missing:
        said.append(f"{missing} of them missing")
    if bodies[0].lead.scale:
        said.append(f"each times {bodies[0].lead.scale}")
    return ", ".join(said)
