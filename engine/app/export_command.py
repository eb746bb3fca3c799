"""``bayescope export``: samples, tables, figures and a report from a session."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from .exit_status import OK, Failure
from .terminal import say


def export(arguments: argparse.Namespace) -> int:
    from ..session.store import SessionStore

    wanted = (
        "samples", "evaluations", "summary", "netcdf", "report", "figure", "problem", "predictions", "best_fit", "taught",
        "sensitivity", "notebook",
    )  # fmt: skip
    if not any(getattr(arguments, name) for name in wanted):
        raise Failure("say what to write: " + ", ".join(f"--{name.replace('_', '-')}" for name in wanted) + ".")
    from ..answer import best_fit, sensitivity_words, taught_table
    from ..report import export, figures, notebook, predictions
    from ..session import atomic

    file, force = arguments.file, arguments.force
    beside = [export.provenance_file(arguments.samples)] if arguments.samples else []
    with SessionStore.open(file, mode="read") as store:
        for path in [*(getattr(arguments, name) for name in wanted), *beside]:
            if path is not None:
                _refuse_existing(path, force)
        if arguments.samples:
            export.export_samples(store, arguments.samples, arguments.n, arguments.seed, replace=force)
            say(f"Wrote {arguments.n} samples to {arguments.samples}, their provenance to {beside[0]}.")
        if arguments.evaluations:
            export.export_evaluations(store, arguments.evaluations, replace=force)
            say(f"Wrote {store.evaluation_count} simulator runs to {arguments.evaluations}.")
        if arguments.summary:
            export.export_summary(store, arguments.summary, replace=force)
            say(f"Wrote the summary to {arguments.summary}.")
        if arguments.predictions:
            predictions.export_predictions(store, arguments.predictions, replace=force)
            say(f"Wrote the predictions to {arguments.predictions}.")
        if arguments.best_fit:
            best_fit.export_best_fit(store, arguments.best_fit, replace=force)
            say(f"Wrote the best fit to {arguments.best_fit}.")
        if arguments.taught:
            taught_table.export_taught(store, arguments.taught, replace=force)
            say(f"Wrote what the data taught to {arguments.taught}.")
        if arguments.sensitivity:
            sensitivity_words.export_sensitivity(store, arguments.sensitivity, replace=force)
            say(f"Wrote the sensitivities to {arguments.sensitivity}.")
        if arguments.netcdf:
            export.export_netcdf(store, arguments.netcdf, arguments.n, arguments.seed, replace=force)
            say(f"Wrote {arguments.netcdf}.")
        if arguments.report:
            _write_report(arguments)(store, arguments.report, replace=force)
            say(f"Wrote the report to {arguments.report}.")
        if arguments.problem:
            foreign = store.foreign or not store.agreed
            export.export_problem(store.problem, store.path.parent, arguments.problem, foreign=foreign, replace=force)
            say(f"Wrote the problem to {arguments.problem}.")
        if arguments.notebook:
            notebook.export_notebook(store, arguments.notebook, replace=force)
            say(f"Wrote the notebook to {arguments.notebook}.")
        if arguments.figure:
            atomic.write(arguments.figure, figures.png(figures.marginals(store)), replace=force)
            say(f"Wrote the marginals to {arguments.figure}.")
    return OK


def _write_report(arguments: argparse.Namespace) -> Callable[..., None]:
    """As a web page, or as the PDF that the window's libraries write. Raises Failure where these are not there."""
    from ..report.report import export_report

    if arguments.report.suffix.lower() != ".pdf":
        return export_report
    write: Callable[..., None] | None = getattr(arguments, "report_pdf", None)
    if write is None:
        raise Failure("a report as PDF is written by the command bayescope alone; nothing was written. Write it as .html.")
    return write


def _refuse_existing(path: Path, force: bool) -> None:
    from ..session import atomic
    from ..session.errors import FileIsThere, SessionError

    try:
        atomic.refuse_existing(path, replace=force)
    except FileIsThere as error:
        hint = "" if force or atomic.is_session(path) else " With --force it is replaced."
        raise Failure(f"{error}{hint} Nothing was written.") from None
    try:
        atomic.refuse_unwritable(path)
    except SessionError as error:
        raise Failure(f"{error} Nothing was written.") from None
