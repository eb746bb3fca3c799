"""Outputs made of what a mark offers: their names, units and how they are read. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bayescope.engine.problem import placeholders
from bayescope.engine.problem.definition import Output
from bayescope.engine.problem.marks import Mark, Offer
from bayescope.engine.problem.marks.labels.label_names import heading_names, says_statistic, short_name
from bayescope.engine.problem.propose_tables import Proposal
from bayescope.gui.models.parameters import fresh_name
from bayescope.gui.models.simulator.outputs.heading_units import heading_unit, unit_above


def output_of(name: str, source: str, proposal: Proposal, unit: str = "") -> Output:
    """An output that is read as proposed."""
    return Output(
        name=name, source=source, extractor=proposal.extractor, length=None if proposal.is_vector else 1,
        decimal_comma=proposal.decimal_comma, scale_letters=proposal.scale_letters, unit=unit,
        text=bool(proposal.texts), label_columns=proposal.label_columns,
    )  # fmt: skip


def headings_of(offer: Offer) -> tuple[str, ...]:
    """What stands above the column of each proposal; '' where nothing does."""
    return (*offer.names, *[""] * len(offer.proposals))[: len(offer.proposals)]


def units_of(mark: Mark | None, offer: Offer) -> list[str]:
    """The unit that each heading states, or a line above the table; '' where none does."""
    pairs = zip(headings_of(offer), offer.proposals, strict=True)
    return [heading_unit(mark, told, p.extractor) or (unit_above(mark, told, _first(p)) if told else "") for told, p in pairs]


def _first(proposal: Proposal) -> int:
    return min((a for a, _ in proposal.spans), default=0)


def proposed_names(offer: Offer, fallback: str, taken: Callable[[str, Proposal], Sequence[str]]) -> list[str]:
    """A name for each proposal: of its heading, else its row or ``fallback``. ``taken``: names that one so called and read so may
    not have."""
    found: list[str] = []
    columns = [getattr(proposal.extractor, "column", "") for proposal in offer.proposals]
    headings = [c if isinstance(c, str) and c else told for c, told in zip(columns, headings_of(offer), strict=True)]
    for heading, called, proposal in zip(headings, heading_names(headings), offer.proposals, strict=True):
        labelled = getattr(proposal.extractor, "row_label", None) if offer.scope == "number" else None
        row = short_name(labelled) if labelled else fallback if offer.scope == "number" else ""
        if row not in ("", "output") and says_statistic(heading):
            called = ""
        stem = f"{fallback}_{called}" if called[:1].isdigit() and fallback else called  # cases_0_4: no name begins with a digit
        name = fresh_name(found, (f"{stem}_{offer.behind}" if stem and offer.behind else stem) or row or fallback)
        others = taken(name, proposal)
        found.append(fresh_name([*found, *others], name) if others else name)
    return found


def names_of_all(offer: Offer, typed: Sequence[str]) -> list[str]:
    """``typed`` names of what is offered; where only the numbers are named, columns of labels keep those of their headings."""
    labels = [bool(proposal.texts) for proposal in offer.proposals]
    if not any(labels) or len(typed) != labels.count(False) or len(offer.names) != len(labels):
        return list(typed)
    given = iter(typed)
    return [placeholders.nearest_name(name) if label else next(given) for name, label in zip(offer.names, labels, strict=True)]
