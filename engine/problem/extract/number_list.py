"""A list of numbers behind its name, over as many lines as it takes (``definition.NumberList``)."""

from __future__ import annotations

from itertools import islice

from ..definition import NumberList
from ..netcdf_text import group_of, groups_in
from .hdf_dump import places
from .list_body import ListBody
from .list_lead import Lead, leads
from .numbers import ExtractionError
from .reading import Reading, pick_occurrence, quoted, times

MOST_GIVEN = 10_000_000  # numbers of a list that is repeated: as many as a list of several dimensions may have


def number_list(extractor: NumberList, text: str, decimal_comma: bool) -> Reading:
    """The numbers asked for, list by list. Raises ExtractionError."""
    values: list[float] = []
    spans: list[tuple[int, int]] = []
    for body in bodies_of(extractor, text, decimal_comma):
        first, last = _taken(extractor, body, text)
        values += body.values[first:last]
        spans += body.spans[first:last]
    if len(values) * extractor.each * extractor.times > MOST_GIVEN:
        raise ExtractionError(f"the list {named(extractor)} would be given {extractor.each} × {extractor.times} times.")
    return Reading(tuple(values), tuple(spans)) if extractor.each * extractor.times == 1 else _repeated(values, spans, extractor)


def _repeated(values: list[float], spans: list[tuple[int, int]], extractor: NumberList) -> Reading:
    places = [k for k in range(len(values)) for _ in range(extractor.each)] * extractor.times
    return Reading(tuple(values[k] for k in places), tuple(spans[k] for k in places))


def bodies_of(extractor: NumberList, text: str, decimal_comma: bool) -> list[ListBody]:
    """The lists that are asked for. Raises ExtractionError if there are none or something is wrong with one."""
    if extractor.name is not None and not extractor.name.strip():
        raise ExtractionError("the name before the list is empty.")
    found_places = places_of(text, extractor.name, extractor.counted)
    if not found_places:
        raise ExtractionError(_nowhere(extractor, text))
    if extractor.occurrence != "all":
        found_places = [pick_occurrence(found_places, extractor.occurrence, f"a list {named(extractor)}")]
    found = [ListBody(text, lead, extractor.end, decimal_comma) for _, _, lead in found_places]
    for body, (start, _, _) in zip(found, found_places, strict=True):
        if body.problem:
            line = text.count("\n", 0, max(start, 0)) + 1
            raise ExtractionError(f"in the list {named(extractor)} from line {line} on {body.problem}")
        if not body.values:
            raise ExtractionError(_nowhere(extractor, text))
    return found


def places_of(text: str, name: str | None, counted: bool = False, most: int | None = None) -> list[tuple[int, int, Lead]]:
    """The appearances of ``name`` that a list follows (``most`` of them), with what leads to it; a path from / on is of an HDF5
    dump, and one of a group of a netCDF file, ocean/temp =, of ncdump's text."""
    stored = places(text, name) if name is not None and name.startswith("/") else []
    path, _, own = (name or "").rpartition("/")
    if not stored and path and any(one.path == path for one in groups_in(text)):
        stored = [place for place in leads(text, own, counted) if group_of(text, place[0]) == path][:most]
    return stored or list(islice(leads(text, name, counted), most))


def named(extractor: NumberList) -> str:
    if extractor.name is None:
        return "at the beginning of the text"
    return f"{'at' if extractor.name.startswith('/') else 'behind'} {quoted(extractor.name)}"


def _nowhere(extractor: NumberList, text: str) -> str:
    if extractor.name is None:
        return "the text does not begin with a list of numbers. Mark the list again in a text that has it."
    words = " ".join(extractor.name.split())
    there = " ".join(text.split()).count(words)
    said = f"stands there {times(there)}, but no number follows it" if there else "does not occur"
    return f"{quoted(words)} {said}. Mark the list again in a text that has it."


def _taken(extractor: NumberList, body: ListBody, text: str) -> tuple[int, int]:
    """The first number taken of a list, from 0, and the one behind the last. Raises ExtractionError."""
    n = len(body.values)
    first = extractor.first - 1 if extractor.first > 0 else n + extractor.first
    last = n if extractor.count is None else first + extractor.count
    if extractor.first == 0 or not 0 <= first < last <= n:
        line = text.count("\n", 0, body.lead.at) + 1
        one = extractor.count == 1
        asked = f"number {extractor.first}" if one else f"numbers {first + 1} {'on' if extractor.count is None else f'to {last}'}"
        raise ExtractionError(
            f"{asked} of the list {named(extractor)} {'is' if one else 'are'} asked for, but it has {n} (from line {line} on). "
            "If their number varies, take the whole list."
        )
    return first, last


