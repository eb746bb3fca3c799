"""What can be written from a finished analysis: each export by name, in plain words, and how it is done."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bayescope.engine.session.store import SessionStore


@dataclass(frozen=True)
class Export:
    """``write(store, path, n, seed)`` replaces a file of that name: the user has been asked.

    ``option`` instead: of ``bayescope export``, where large libraries are loaded: a process of its own writes it, which does not
    hold up the window and can be ended. ``beside``: other files it writes. ``unavailable``: why it cannot be done here, or empty.
    """

    key: str
    title: str
    words: str
    suffix: str
    filter: str
    write: Callable[[SessionStore, Path, int, int], None] | None = None
    option: str = ""
    unavailable: str = ""
    beside: Callable[[Path], tuple[Path, ...]] = lambda path: ()
    names_file: bool = False  # it says which session it comes from, or how to repeat that one


def _samples(store: SessionStore, path: Path, n: int, seed: int) -> None:
    from bayescope.engine.report.export import export_samples

    export_samples(store, path, n, seed, replace=True)


def _provenance(path: Path) -> tuple[Path, ...]:
    from bayescope.engine.report.export import provenance_file

    return (provenance_file(path),)


def _evaluations(store: SessionStore, path: Path, n: int, seed: int) -> None:
    from bayescope.engine.report.export import export_evaluations

    export_evaluations(store, path, replace=True)


def _summary(store: SessionStore, path: Path, n: int, seed: int) -> None:
    from bayescope.engine.report.export import export_summary

    export_summary(store, path, replace=True)


def _predictions(store: SessionStore, path: Path, n: int, seed: int) -> None:
    from bayescope.engine.report.predictions import export_predictions

    export_predictions(store, path, replace=True)


def _best_fit(store: SessionStore, path: Path, n: int, seed: int) -> None:
    from bayescope.engine.answer.best_fit import export_best_fit

    export_best_fit(store, path, replace=True)


def _taught(store: SessionStore, path: Path, n: int, seed: int) -> None:
    from bayescope.engine.answer.taught_table import export_taught

    export_taught(store, path, replace=True)


def _sensitivity(store: SessionStore, path: Path, n: int, seed: int) -> None:
    from bayescope.engine.answer.sensitivity_words import export_sensitivity

    export_sensitivity(store, path, replace=True)


def exports() -> tuple[Export, ...]:
    """In the order of the page."""
    missing = [m for m in ("xarray", "h5netcdf") if importlib.util.find_spec(m) is None]
    netcdf = (
        f"Needs the package{'s' if len(missing) > 1 else ''} {' and '.join(missing)}, which is not installed."
        if missing
        else ""
    )
    csv = "Table (*.csv)"
    return (
        Export(
            "report",
            "Report",
            "One HTML file with figures, numbers, settings, versions and a methods paragraph with references.",
            "report.html",
            "Web page (*.html)",
            option="--report",
            names_file=True,
        ),
        Export(
            "report_pdf",
            "Report as PDF",
            "The same to print and to send; figures stay sharp, the problem file and a table of all runs are attached inside.",
            "report.pdf",
            "PDF (*.pdf)",
            option="--report",
            names_file=True,
        ),
        Export(
            "notebook",
            "Jupyter notebook",
            "Opens this analysis in Python and makes every figure and table of it again.",
            "figures.ipynb",
            "Jupyter notebook (*.ipynb)",
            option="--notebook",
            names_file=True,
        ),
        Export(
            "samples",
            "Posterior samples",
            "A table with one column per parameter, for your own plots and predictions; how they were made is written beside it.",
            "samples.csv",
            csv,
            _samples,
            beside=_provenance,
        ),
        Export(
            "summary",
            "Summary",
            "Mean, standard deviation, median and intervals of each parameter.",
            "summary.csv",
            csv,
            _summary,
        ),
        Export(
            "evaluations",
            "Simulator runs",
            "Every run: its values, outcome, log-likelihood, duration.",
            "runs.csv",
            csv,
            _evaluations,
        ),
        Export(
            "predictions",
            "Predictions",
            "What is predicted for each measured value: median and 90 % bands.",
            "predictions.csv",
            csv,
            _predictions,
        ),
        Export(
            "best_fit",
            "Best fit",
            "The best run: its values, and how far each of its predictions lies from the data.",
            "best-fit.csv",
            csv,
            _best_fit,
        ),
        Export(
            "taught",
            "What the data taught",
            "Each parameter before and after the data, and the combinations that are known.",
            "taught.csv",
            csv,
            _taught,
        ),
        Export(
            "sensitivity",
            "Sensitivities",
            "Sobol indices, what each part of the data taught, what to measure next: once they were worked out.",
            "sensitivity.csv",
            csv,
            _sensitivity,
        ),
        Export(
            "netcdf",
            "Samples for ArviZ",
            "A netCDF file that ArviZ and xarray read.",
            "posterior.nc",
            "netCDF (*.nc)",
            option="--netcdf",
            unavailable=netcdf,
        ),
    )
