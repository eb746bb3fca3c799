"""Answers and evaluations as files for other programs: CSV, netCDF, and the provenance that belongs to them."""

from __future__ import annotations

import csv
import io
import json
import math
import platform
import time
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..answer.csv_cells import csv_bytes, safe_cell
from ..answer.failures.far_off import FarOff
from ..answer.failures.set_aside import Remade, set_aside_of
from ..answer.latest import posterior_of, usable_posterior
from ..answer.modes import find_modes
from ..answer.posterior import StoredPosterior
from ..problem import files
from ..problem.definition import Problem, free_parameters
from ..problem.relocate import relocate
from ..session import atomic, places
from ..session.errors import SessionError
from ..session.records import EvaluationRecord, IterationRecord
from ..session.store import SUFFIX, SessionStore

MAX_SAMPLES = 10_000_000
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
HDI_LEVEL = 0.9












def export_problem(
    problem: Problem, folder: Path, path: Path | str, *, foreign: bool, replace: bool = False
) -> None:
    """The declaration as a problem file, relative paths (so far from ``folder``) being from where it lies.

    ``foreign``: it came from somebody else. Raises SessionError, ProblemError.
    """
    path = Path(path)
    moved = relocate(problem, folder, path.absolute().parent)
    atomic.write(path, files.dumps(moved, foreign=foreign) + b"\n", replace=replace)


def provenance_file(samples: Path | str) -> Path:
    """Where the provenance of a file of samples goes: ``model.csv`` has ``model.csv.provenance.json``."""
    path = Path(samples)
    return path.with_name(f"{path.name}.provenance.json")


def export_samples(
    store: SessionStore, path: Path | str, n: int = 10_000, seed: int = 0, *, replace: bool = False
) -> Path:
    """``n`` posterior draws in the user's units, one column per free parameter; the same seed gives the same file. Where there
    are several modes a last column, ``mode``, holds the number of each draw's.

    Writes the provenance beside it and returns that file's path. Raises SessionError. ``replace``, here and below: files of
    these names may be lost.
    """
    if not 1 <= n <= MAX_SAMPLES:
        raise SessionError(f"The number of samples must lie between 1 and {MAX_SAMPLES:,}, not {n:,}", str(path))
    path, beside = Path(path), provenance_file(path)
    for file in (path, beside):
        atomic.refuse_existing(file, replace=replace)
    posterior, record = posterior_of(store)
    with usable_posterior(store):
        u = posterior.sample_in_inference(n, seed)
        draws, modes = posterior.space.to_user(u), find_modes(posterior)
        belongs = [f",{modes.modes[k].name}" for k in modes.labels(u)] if modes.several else [""] * n
    names = [*posterior.names, *([_mode_column(posterior.names)] if modes.several else [])]
    head = io.StringIO(newline="")
    csv.writer(head, lineterminator="\n").writerow([safe_cell(name) for name in names])
    body = "\n".join(",".join(map(repr, row)) + mode for row, mode in zip(draws.tolist(), belongs, strict=True))
    atomic.write(path, (head.getvalue() + body + "\n").encode("utf-8", "replace"), replace=replace)
    content = {"file": path.name, "samples": n, "sampling_seed": seed, **provenance(store, record)}
    if modes.several:
        content["modes"] = [{"name": m.name, "mass": m.mass, "mass_sd": m.mass_sd, "differs": m.differs} for m in modes]
    text = json.dumps(_plain(content), indent=2, ensure_ascii=False) + "\n"
    atomic.write(beside, text.encode("utf-8", "replace"), replace=replace)
    return beside


def _mode_column(names: Sequence[str]) -> str:
    """A heading that is no parameter's."""
    found = "mode"
    while found in names:
        found = f"posterior_{found}"
    return found


def called(store: SessionStore) -> str:
    """Name of the session file; of one that was not saved yet, as a person would call it."""
    if places.is_draft(store.path):
        return f"{places.safe_stem(store.problem.name)}{SUFFIX}"
    return store.path.name if store.path.name.endswith(SUFFIX) else f"analysis{SUFFIX}"


def provenance(store: SessionStore, record: IterationRecord) -> dict[str, Any]:
    """Where an answer comes from: versions, settings, seed, evaluations, ELBO and evidence with their sd."""
    problem = store.problem
    evaluations = store.evaluations()
    outcomes = [e.outcome for e in evaluations]
    return {
        "analysis": problem.name,
        "session": called(store),
        "session_saved": not places.is_draft(store.path),
        "created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "method": problem.settings.method,
        "options": dict(problem.settings.options),
        "seed": problem.settings.seed,
        "evaluations": len(outcomes),
        "failed": outcomes.count("failed"),
        "impossible": outcomes.count("impossible"),
        "made_again": Remade.of(set_aside_of(store), {e.index for e in evaluations}).done,
        "iteration": record.iteration,
        "evaluations_in_answer": record.n_evaluations,
        "elbo": record.elbo,
        "elbo_sd": record.elbo_sd,
        "log_evidence": record.log_evidence,
        "log_evidence_sd": record.log_evidence_sd,
        "converged": record.converged,
        "reasons": list(record.reasons),
        "posterior_from": "weighted draws of the surrogate" if record.preferred == "draws" else "Gaussian mixture",
        "parameters": [{"name": p.name, "label": p.label, "unit": p.unit} for p in free_parameters(problem)],
        "fixed": {p.name: p.fixed for p in problem.parameters if p.fixed is not None},
        "versions": versions(),
    }


def versions() -> dict[str, str]:
    """Of this program and what computes with it; looked up without importing anything."""
    found = {"python": platform.python_version(), "system": platform.platform()}
    for name in ("bayescope", "numpy", "scipy", "torch", "gpytorch"):
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = "unknown"
    return found


def export_evaluations(store: SessionStore, path: Path | str, *, replace: bool = False) -> None:
    """Every finished run in order of arrival: values, outcome, densities, duration, reason."""
    atomic.write(path, evaluations_csv(store), replace=replace)


def evaluations_csv(store: SessionStore) -> bytes:
    """The table of ``export_evaluations``."""
    names = [p.name for p in store.problem.parameters]
    header = ["index", "purpose", "outcome", *names, "log_likelihood", "log_prior", "log_joint", "noise_sd", "duration_s",
              "started_at_utc", "reason"]  # fmt: skip
    rows: list[list[object]] = []
    last = store.last_iteration()
    far_off = FarOff.of({} if last is None else last.slices)
    for e in store.evaluations():
        when = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(max(0.0, min(e.started_at, 4e9))))
        values = [e.values.get(name) for name in names]
        rows.append([e.index, e.purpose, e.outcome, *values, e.log_likelihood, e.log_prior, _joint(e), e.noise_sd,
                     e.duration_s, when, e.reason or far_off.words_of(e.index)])  # fmt: skip
    return csv_bytes(header, rows)


def _joint(e: EvaluationRecord) -> float | None:
    return None if e.log_likelihood is None else e.log_likelihood + e.log_prior


def summary_rows(posterior: StoredPosterior) -> list[dict[str, Any]]:
    """Per free parameter: name, mean, sd, quantiles (keys q05 ... q95: the equal-tailed 90 % and 50 %), ``resolution`` of which
    two digits are printed, and the shortest 90 % interval, or one for each separate mode."""
    mean, sd, quantiles = posterior.mean(), posterior.sd(), posterior.quantile(QUANTILES)
    regions, resolutions = posterior.intervals(HDI_LEVEL, "shortest"), posterior.resolution()
    return [
        {
            "name": name,
            "mean": float(mean[i]),
            "sd": float(sd[i]),
            **{f"q{round(100 * p):02d}": float(quantiles[k, i]) for k, p in enumerate(QUANTILES)},
            "hdi90": regions[i],
            "resolution": float(resolutions[i]),
        }
        for i, name in enumerate(posterior.names)
    ]


def export_summary(store: SessionStore, path: Path | str, *, replace: bool = False) -> None:
    """One row per free parameter. Several modes give several intervals of the 90 % region, separated by semicolons."""
    posterior, _ = posterior_of(store)
    units = {p.name: p.unit for p in store.problem.parameters}
    keys = ["mean", "sd", *(f"q{round(100 * p):02d}" for p in QUANTILES)]
    rows: list[list[object]] = []
    with usable_posterior(store):
        summary = summary_rows(posterior)
    for row in summary:
        low = ";".join(repr(a) for a, _ in row["hdi90"])
        high = ";".join(repr(b) for _, b in row["hdi90"])
        cells = [float(low), float(high)] if len(row["hdi90"]) == 1 else [low, high]
        rows.append([row["name"], units.get(row["name"], ""), *(row[k] for k in keys), *cells])
    header = ["parameter", "unit", *keys, "hdi90_low", "hdi90_high"]
    atomic.write(path, csv_bytes(header, rows), replace=replace)


def export_netcdf(
    store: SessionStore, path: Path | str, n: int = 10_000, seed: int = 0, *, replace: bool = False
) -> None:
    """Groups ``posterior``, ``prior`` and ``observed_data`` as ArviZ reads them. Raises SessionError."""
    try:
        import h5netcdf  # noqa: F401
        import xarray as xr
    except ImportError as error:
        raise SessionError(
            "NetCDF files need two more packages", str(path), "Install them with: pip install 'bayescope[netcdf]'"
        ) from error
    posterior, record = posterior_of(store)
    space = posterior.space
    with usable_posterior(store):
        draws, prior = posterior.sample(n, seed), space.sample_prior(n, np.random.default_rng(seed))
    attributes = {
        "inference_library": "bayescope",
        "provenance": json.dumps(_plain(provenance(store, record)), ensure_ascii=False),
    }
    groups: dict[str, Any] = {
        "posterior": _draws_dataset(xr, posterior.names, draws, attributes),
        "prior": _draws_dataset(xr, posterior.names, prior, attributes),
    }
    if store.problem.data is not None:
        columns = {
            _variable(name): ("row", np.array([np.nan if v is None else v for v in values], dtype=float))
            for name, values in store.problem.data.columns.items()
        }
        groups["observed_data"] = xr.Dataset(columns, attrs=attributes)
    atomic.write(path, _netcdf_bytes(groups), replace=replace)


def _netcdf_bytes(groups: dict[str, Any]) -> bytes:
    import tempfile

    with tempfile.TemporaryDirectory(prefix="bayescope-") as folder:
        file = Path(folder) / "export.nc"
        for k, (name, dataset) in enumerate(groups.items()):
            dataset.to_netcdf(file, mode="w" if k == 0 else "a", group=name, engine="h5netcdf")
        return file.read_bytes()


def _draws_dataset(xr: Any, names: Sequence[str], draws: NDArray[np.float64], attributes: dict[str, str]) -> Any:
    columns = {_variable(name): (("chain", "draw"), draws[None, :, i]) for i, name in enumerate(names)}
    coordinates = {"chain": np.arange(1), "draw": np.arange(len(draws))}
    return xr.Dataset(columns, coords=coordinates, attrs=attributes)


def _variable(name: str) -> str:
    """A name that netCDF takes: no slash, nothing invisible."""
    return "".join(c if c.isprintable() and c != "/" else "_" for c in name).strip() or "_"


def _plain(value: Any) -> Any:
    """JSON has no infinities and no NaN: they become null."""
    if isinstance(value, dict):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
