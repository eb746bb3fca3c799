"""The part of the report about sensitivities: Sobol indices, what each part of the data taught, what to measure next."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from ..answer import sensitivity_words as words
from ..answer.digits import with_error
from ..answer.sensitivity import Indices, Sensitivity

MOST_NEXT = 10
METHODS = (
    "Sobol indices (Sobol 1993; Homma and Saltelli 1996) of the surrogate: first order by regression on ranks (Plischke et al. "
    "2013), total by Jansen's estimator (1999), of dependent parameters by conditional draws (Kucherenko et al. 2012), of "
    "several values together by their summed variances (Lamboni et al. 2011); functions drawn from the surrogate (Le Gratiet et "
    "al. 2014). Data taken out by Pareto-smoothed importance sampling (Vehtari et al. 2017, 2024); information by nested Monte "
    "Carlo (Lindley 1956)."
)


def sensitivity_html(found: Sensitivity | None, titles: words.Titles) -> str:
    """Nothing where it was not worked out."""
    if found is None:
        return ""
    said = [words.over_words(found, titles) if found.indices else "", found.interval if found.indices else "", *found.notes]
    return "".join(
        (
            "<h2>Sensitivities</h2>",
            *(_indices(found, over, titles) for over in ("posterior", "prior")),
            f"<p><small>{escape(' '.join([words.HINT, words.OVER_POSTERIOR, *(s for s in said if s)]))}</small></p>",
            _parts(found, titles),
            _next(found, titles),
            f"<p><small>{escape(METHODS)}</small></p>",
        )
    )


def _indices(found: Sensitivity, over: str, titles: words.Titles) -> str:
    whole = [i for i in found.indices if i.over == over and not i.row]
    if not whole:
        return ""
    heads = ["Parameter", *(i.name for i in whole)]
    rows = [
        [titles.get(name, name), *(_cell(i, k) for i in whole)] for k, name in enumerate(found.parameters)
    ]
    return (
        f"<h3>What the outputs depend on, over the {over}</h3>"
        f"{_list([words.sentence(i, found.parameters, titles) for i in whole])}{_table(heads, rows)}"
        "<p><small>First order / total, with 90 % intervals.</small></p>"
    )


def _cell(i: Indices, k: int) -> str:
    each = (f"{words.index_words(r[k][0])} ({words.range_words(r[k])})" for r in (i.first, i.total))
    return " / ".join(each)


def _parts(found: Sensitivity, titles: words.Titles) -> str:
    if not found.parts:
        return ""
    rows = [
        [p.title, "–" if p.how == "failed" else f"{p.bits:.2f}", words.part_words(p, found.parameters, titles),
         "" if p.pareto_k is None else f"{p.pareto_k:.2f}"]
        for p in found.parts
    ]  # fmt: skip
    said = _list(words.part_sentences(found, titles))
    return f"<h3>Which data taught it</h3>{said}{_table(('Data', 'Bits', 'In words', 'k̂'), rows)}"


def _next(found: Sensitivity, titles: words.Titles) -> str:
    if not found.next:
        return ""
    rows = [[n.title, with_error(n.bits, n.bits_sd)] for n in found.next[:MOST_NEXT]]
    said = _list(words.next_sentences(found, titles))
    return f"<h3>What to measure next</h3>{said}{_table(('Measure', 'Bits expected'), rows)}"


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    top = "".join(f"<th>{escape(h)}</th>" for h in heads)
    body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f'<div class="wide"><table><tr>{top}</tr>{body}</table></div>'


def _list(said: Sequence[str]) -> str:
    return f"<ul>{''.join(f'<li>{escape(words)}</li>' for words in said)}</ul>" if said else ""
