"""Which column of a table of earlier evaluations is which parameter, and what its values mean: as said, and as names suggest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from ..problem.definition import Problem
from ..problem.transforms import ParameterSpace
from .column_words import plain, without_unit
from .table import ArchiveError, Table

Meaning = Literal["log_likelihood", "log_posterior", "minus_log_likelihood", "minus_two_log_likelihood"]

MEANINGS: dict[Meaning, str] = {
    "log_likelihood": "log-likelihood",
    "log_posterior": "log-posterior (the prior is in it)",
    "minus_log_likelihood": "minus log-likelihood (nll)",
    "minus_two_log_likelihood": "−2 log-likelihood (deviance, chi²)",
}
KNOWN: tuple[tuple[Meaning, tuple[str, ...]], ...] = (
    ("log_likelihood", ("loglikelihood", "loglik", "loglike", "lnlike", "lnlikelihood", "logl", "lnl", "llh", "ll")),
    (
        "log_posterior",
        ("logposterior", "logpost", "lnpost", "lnprob", "logprob", "logp", "lp", "logdensity", "logtarget"),
    ),
    (
        "minus_log_likelihood",
        ("nll", "negloglik", "negloglikelihood", "negativeloglikelihood", "minusloglikelihood", "minuslogl"),
    ),
    (
        "minus_two_log_likelihood",
        (
            "minustwologlikelihood",
            "minus2loglikelihood",
            "minus2loglik",
            "minus2loglike",
            "minus2lnlike",
            "minus2lnl",
            "minus2logl",
            "minus2ll",
            "neg2loglik",
            "neg2ll",
            "m2lnl",
            "m2ll",
            "2lnl",
            "chi2",
            "chisq",
            "chi2tot",
            "totalchi2",
            "x2",
            "deviance",
        ),
    ),
)
NOISES = ("noisesd", "sd", "sigma", "stderr", "noise", "logliksd", "std", "error")


@dataclass(frozen=True)
class Mapped:
    """Which column is what. ``columns``: parameter -> column."""

    columns: dict[str, str]
    value: str
    meaning: Meaning
    sd: str | None = None


def mapping_from_options(
    table: Table,
    problem: Problem,
    columns: Mapping[str, str],
    value: str | None,
    meaning: Meaning | None,
    sd: str | None,
) -> Mapped:
    """What was said completed by what the names suggest. Raises ArchiveError when something is still missing."""
    chosen = parameter_columns(table, columns, ParameterSpace(problem.parameters).names)
    by_plain = _by_plain(table)
    guess = next(
        ((by_plain[w], m) for m, words in KNOWN for w in words if w in by_plain and by_plain[w] not in chosen.values()),
        (None, None),
    )
    column = value or guess[0]
    if column is None:
        raise ArchiveError(
            "Which column holds the log-likelihood was not said.",
            "",
            f"The table has: {', '.join(table.columns[:30])}.",
        )
    what = meaning or (guess[1] if column == guess[0] else None)
    if what is None:
        what = next((m for m, words in KNOWN if plain(column) in words), None)
    if what is None:
        raise ArchiveError(
            f"What the column “{column}” means was not said.",
            "",
            f"It can be {', '.join(MEANINGS)}.",
        )
    taken = {*chosen.values(), column}
    noise = sd or next((by_plain[w] for w in NOISES if w in by_plain and by_plain[w] not in taken), None)
    return Mapped(chosen, column, what, noise)


def parameter_columns(table: Table, columns: Mapping[str, str], wanted: Sequence[str]) -> dict[str, str]:
    """Parameter -> column: as said, and of the ``wanted`` ones as their names suggest."""
    by_plain, chosen = _by_plain(table), dict(columns)
    for name in wanted:
        if name not in chosen:
            found = name if name in table.columns else by_plain.get(plain(name))
            if found is not None:
                chosen[name] = found
    return chosen


def _by_plain(table: Table) -> dict[str, str]:
    return {without_unit(c): c for c in reversed(table.columns)} | {plain(c): c for c in reversed(table.columns)}
