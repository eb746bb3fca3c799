"""``bayescope taught``: what the data taught, in a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..answer import sensitivity_words as words
from ..answer.sensitivity import Indices, Sensitivity, stored_sensitivity
from ..answer.sensitivity_words import titles_of
from ..answer.taught import HINT, Taught, scales_words, taught_of_store
from ..session.store import SessionStore
from .exit_status import OK, Failure
from .terminal import say


def print_taught(path: Path, work_out: bool = False) -> int:
    """Print it; the exit status. ``work_out``: sensitivities too, which are kept. Raises Failure where there is no posterior,
    SessionError."""
    note, made = "", None
    with SessionStore.open(path, mode="read") as store:
        found, sensitivity = taught_of_store(store), stored_sensitivity(store)
        titles = titles_of(store.problem.parameters)
        if work_out and sensitivity is None and found is not None:
            from ..sensitivity.study import keep, study

            sensitivity = made = study(store)
    if made is not None:
        note = keep(path, made)
    if found is None:
        raise Failure("there is no posterior yet; run the analysis first.")
    say(_table(found))
    for sentence in found.said:
        say(sentence)
    say(f"{HINT} {scales_words(found.learnt)}".strip())
    if sensitivity is not None:
        say("\n" + sensitivity_text(sensitivity, titles))
    if note:
        say(note)
    return OK


def sensitivity_text(found: Sensitivity, titles: words.Titles) -> str:
    """Sentences, and the indices of every quantity as a table."""
    lines = []
    for over in ("posterior", "prior"):
        whole = [i for i in found.indices if i.over == over and not i.row]
        if whole:
            lines += [f"Over the {over}:" if over == "posterior" else words.over_words(found, titles)]
            lines += ["  " + words.sentence(i, found.parameters, titles) for i in whole]
            lines += _indices(found, whole)
    lines += [*words.part_sentences(found, titles)]
    lines += [f"  {p.title}: {p.bits:.2f} bits; {words.part_words(p, found.parameters, titles)}" for p in found.parts]
    if found.next:
        lines += ["What to measure next:", *(f"  {said}" for said in words.next_sentences(found, titles))]
    return "\n".join([*lines, *found.notes, *([f"{words.HINT} {found.interval}"] if found.indices else [])])


def _indices(found: Sensitivity, shown: Sequence[Indices]) -> list[str]:
    width = max(len(p[:23]) for p in found.parameters)
    lines = [f"  {'':<{width}}" + "".join(f"{i.name[:27]:>28}" for i in shown)]
    for k, name in enumerate(found.parameters):
        cells = [f"{words.index_words(i.first[k][0])} / {words.index_words(i.total[k][0])}" for i in shown]
        lines.append(f"  {name[:23]:<{width}}" + "".join(f"{cell:>28}" for cell in cells))
    return [*lines, "  (first order / total)"]


def _table(found: Taught) -> str:
    heads = ("parameter", "prior, 90 %", "posterior, 90 %", "contraction", "bits")
    cells = [heads] + [
        (r.parameter.name[:23], r.prior_words, r.posterior_words, r.contraction_words, r.bits_words) for r in found.learnt
    ]
    widths = [max(len(row[k]) for row in cells) for k in range(len(heads))]
    told = ["in words", *(r.words for r in found.learnt)]
    lines = [
        "  ".join([row[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(row[1:], widths[1:], strict=True)), said])
        for row, said in zip(cells, told, strict=True)
    ]
    return "\n".join(lines)
