"""A saved analysis in Python: ``open_session`` reads a session file and gives its answer, runs and figures. Nothing is run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..answer.best_fit import best_fit_of
from ..answer.checks import checks_of_store
from ..answer.latest import posterior_of, usable_posterior
from ..answer.posterior import StoredPosterior
from ..answer.predictions.predictive import emulated, unlikely, with_fit
from ..answer.words import headline
from ..problem.files import dumps
from ..problem.method_options import closest
from ..report import figures
from ..report.export import summary_rows
from ..report.report_figures import FIGURES, Drawn
from ..session import atomic
from ..session.records import IterationRecord
from ..session.store import SessionStore
from .arguments import whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..problem.definition import Problem

T = TypeVar("T")


@dataclass(frozen=True)
class Picture:
    """A figure that a notebook shows. ``figure``: matplotlib's, to be changed or saved in another way."""

    figure: Figure
    caption: str

    def save(self, path: Path | str, dpi: int = 150, *, replace: bool = False) -> None:
        """By the ending of ``path``: .pdf, .svg, .png. Raises SessionError where a file of that name is there; ``replace`` it."""
        atomic.write(path, figures.in_format(self.figure, Path(path).suffix.removeprefix("."), dpi), replace=replace)

    def _repr_svg_(self) -> str:
        return figures.svg(self.figure)


@dataclass(frozen=True)
class SavedAnalysis:
    """What a session file held when it was opened. Numbers are in the user's units."""

    path: Path
    problem: Problem
    record: IterationRecord
    posterior: StoredPosterior

    @property
    def names(self) -> tuple[str, ...]:
        """Of the parameters that were inferred, in the order of ``sample``."""
        return tuple(self.posterior.names)

    @property
    def log_evidence(self) -> float:
        return self.record.log_evidence

    @property
    def log_evidence_sd(self) -> float:
        return self.record.log_evidence_sd

    @property
    def converged(self) -> bool:
        return self.record.converged

    @property
    def reasons(self) -> tuple[str, ...]:
        """Sentences: why the answer is, or is not yet, to be relied on."""
        r, checks = self.record, self._with(checks_of_store)
        poor = checks.poor if checks is not None else ()
        best = self._with(best_fit_of)
        odd = unlikely(with_fit(emulated(self.problem, r.slices), None if best is None else best.fit))
        return (headline(r.converged, r.warm_up, r.n_evaluations, r.diagnostics, poor=poor, unlikely=odd)[1], *r.reasons)

    def sample(self, n: int, seed: int = 0) -> NDArray[np.float64]:
        """(n, d) draws from the posterior; the same seed gives the same. Raises ValueError for a wrong argument."""
        return np.asarray(self.posterior.sample(whole(n, "n", 0), whole(seed, "seed", 0)))

    def summary(self) -> list[dict[str, Any]]:
        """Per parameter: name, mean, sd, q05, q25, q50, q75, q95, hdi90 (a list of intervals)."""
        return summary_rows(self.posterior)

    def runs(self) -> list[dict[str, Any]]:
        """Every simulator run in order of arrival: index, outcome, values, log_likelihood, log_prior, duration_s, reason."""
        keys = ("index", "purpose", "outcome", "values", "log_likelihood", "log_prior", "noise_sd", "duration_s", "reason")
        return self._with(lambda store: [{key: getattr(e, key) for key in keys} for e in store.evaluations()])

    def figure_names(self) -> tuple[str, ...]:
        """Of the figures there may be; ``figure`` says of one that this session lacks."""
        return tuple(FIGURES)

    def figure(self, name: str) -> Picture:
        """One figure of the report. Raises ValueError for a name that is none, or that this session has no figure of."""
        if name not in FIGURES:
            similar = closest(name, FIGURES)
            hint = f" Did you mean “{similar}”?" if similar else ""
            raise ValueError(f"There is no figure “{name}”.{hint} There are: {', '.join(FIGURES)}.")
        made: Drawn | None = self._with(FIGURES[name][1])
        if made is None:
            raise ValueError(f"This session has nothing to show in the figure “{name}”.")
        return Picture(made.figure, made.caption)

    def problem_json(self) -> str:
        """What was declared, as a problem file."""
        return dumps(self.problem).decode("utf-8")

    def _with(self, work: Callable[[SessionStore], T]) -> T:
        with SessionStore.open(self.path, mode="read") as store, usable_posterior(store):
            return work(store)

    def __repr__(self) -> str:
        return f"{self.path.name}: {self.problem.name}, {self.record.n_evaluations} runs. {self.reasons[0]}"

    def _repr_html_(self) -> str:
        return f"<p><b>{escape(self.problem.name)}</b> ({escape(self.path.name)})<br>{escape(self.reasons[0])}</p>"


def open_session(path: Path | str) -> SavedAnalysis:
    """The analysis in a session file, read only; nothing of it is executed.

    Raises SessionError, in words, where the file is none, is damaged, or holds no posterior yet.
    """
    with SessionStore.open(Path(path), mode="read") as store:
        posterior, record = posterior_of(store)
        return SavedAnalysis(Path(path).absolute(), store.problem, record, posterior)
