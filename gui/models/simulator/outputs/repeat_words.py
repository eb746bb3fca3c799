"""Which of several tables, or of several lines with the same text, are read, in words. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bayescope.engine.problem.definition import Extractor, LabelledNumber, NumberList, Region
from bayescope.engine.problem.extract.region_places import which_words
from bayescope.engine.problem.marks import Offer
from bayescope.gui.models.plain import one_line
from bayescope.gui.models.simulator.trials.trial_tables import first_values

MOST = 3  # values that are shown
TABLES = {  # in the order of the choices; "loop" says how many
    "": "by its name",
    "first": "the first table",
    "this": "this table",
    "last": "the last table",
    "loop": "the first tables",
    "all": "all these tables",
    "on": "this and all below",
    "up": "this and all above",
}
_PLACES = {
    "first": "the first line", "this": "this line", "last": "the last line", "on": "this line and all below",
    "up": "this line and all above",
}  # fmt: skip


def each_choices(each: Iterable[Extractor]) -> list[tuple[str, str]]:
    """The choices between what was clicked alone and with its kin in all tables, or in every line with the same text."""
    lines = any(map(in_lines, each))
    return [("this", _PLACES["this"]), ("all", "every such line")] if lines else [(r, TABLES[r]) for r in ("this", "all")]


def in_lines(extractor: Extractor) -> bool:
    """Whether lines or lists with the same text repeat, rather than tables."""
    return isinstance(extractor, LabelledNumber | NumberList) or (isinstance(extractor, Region) and extractor.on_line)


def table_choices(offers: Sequence[Offer], repeats: Iterable[str]) -> list[tuple[str, str]]:
    """The choices between tables with the same heading, and their words: the first 11 tables."""
    words = dict(TABLES)
    for offer in offers:
        if offer.repeat == "loop" and isinstance(offer.first, Region):
            which = which_words(offer.first.since, offer.first.until)
            words["loop"] = f"{which} table{'s' * which[-1].isdigit()}"
    return [(repeat, words[repeat]) for repeat in repeats]


def repeat_choices(offers: Sequence[Offer], repeats: Iterable[str]) -> list[tuple[str, str]]:
    """The choices between lines and their words; a way that is known by another text than theirs comes last."""
    ordered = sorted(repeats, key=lambda repeat: repeat == "" and offers[0].repeat != "")
    return [(repeat, repeat_words(offers, repeat)) for repeat in ordered]


def repeat_words(offers: Sequence[Offer], repeat: str) -> str:
    """What the first of ``offers`` with this ``repeat`` reads: every line with “tmfreqs:,” (5): 0.159, 0.261, 0.285, …"""
    offer = next(o for o in offers if o.repeat == repeat)
    how, values = offer.first, [v for proposal in offer.proposals for v in proposal.values]
    place = _PLACES.get(repeat, "by its name" if offers[0] is offer else "another way")
    if isinstance(how, NumberList):
        place = "all lists" if how.occurrence == "all" else place.replace("line", "list")
    if isinstance(how, Region) and how.occurrence == "all":
        lines = len(values) // max(1, len(how.columns))
        every = f"every line with “{one_line(how.anchor or '', 24)}”"
        place = f"{place if repeat in ('on', 'up') else every} ({lines})"
    return f"{place}: {first_values(values, MOST)}"
