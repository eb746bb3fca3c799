"""A support bundle: what somebody who helps needs to see, in one zip file that the user can look into first.

Logs, versions, settings, the run log and the outcomes of runs; the measured data and the parameter values only if wanted.
"""

from __future__ import annotations

import io
import json
import os
import re
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import msgspec

from ..session import atomic
from ..session.errors import SessionError
from ..session.places import logs_folder
from ..session.store import SessionStore
from .export import versions

_MAX_LOG = 2_000_000
_LOGS = ("engine.log", "engine.log.1", "window.log", "window.log.1", "window-crash.log")


def export_support_bundle(
    path: Path | str, store: SessionStore | None = None, *, with_data: bool = False, replace: bool = False
) -> None:
    """Write the bundle. ``with_data``: the whole session file goes in as well; ``replace``: a file of that name may be lost.

    Raises SessionError.
    """
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as bundle:
        bundle.writestr("versions.json", json.dumps(versions() | _machine(), indent=2))
        for name in _LOGS:
            text = _tail(logs_folder() / name)
            if text:
                bundle.writestr(f"logs/{name}", without_home(text))
        if store is not None:
            bundle.writestr("session.json", json.dumps(describe(store, with_data=with_data), indent=2, default=str))
            if with_data:
                with tempfile.TemporaryDirectory(prefix="bayescope-") as folder:
                    copy = Path(folder) / "session.bayescope"
                    store.copy_to(copy)
                    bundle.write(copy, copy.name)
    atomic.write(path, out.getvalue(), replace=replace)


def describe(store: SessionStore, *, with_data: bool) -> dict[str, Any]:
    """The session in words and numbers, without measured data and parameter values unless ``with_data``."""
    problem = msgspec.to_builtins(store.problem)
    if not with_data:
        problem.pop("data", None)
        for template in problem.get("simulator", {}).get("templates", []):
            template["text"] = f"({len(template.get('text', ''))} characters)"
    found: dict[str, Any] = {"problem": problem, "writable": store.writable, "read_only_reason": store.read_only_reason}
    found["run_log"] = [[e.at, e.level, without_home(e.text)] for e in store.run_log()]
    try:
        evaluations = store.evaluations()
        found["evaluations"] = [
            {"index": e.index, "order": e.order, "outcome": e.outcome, "duration_s": e.duration_s, "purpose": e.purpose,
             "reason": without_home(e.reason), **({"values": e.values, "log_target": e.log_target} if with_data else {})}
            for e in evaluations
        ]  # fmt: skip
        found["iterations"] = [
            {"n": r.n_evaluations, "elbo": r.elbo, "elbo_sd": r.elbo_sd, "components": len(r.weights), "reasons": r.reasons,
             "diagnostics": r.diagnostics}
            for r in store.iterations()
        ]  # fmt: skip
    except SessionError as error:
        found["damage"] = str(error)
    found["left_out"] = list(store.damage)
    return found


def without_home(text: str) -> str:
    """The user's name is nobody's business: the home folder becomes ~."""
    home = str(Path.home())
    return re.sub(re.escape(home) + r"(?=[/\\]|\b)", "~", text) if len(home) > 1 else text


def _tail(path: Path) -> str:
    try:
        with path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - _MAX_LOG))
            return file.read().decode("utf-8", "replace")
    except OSError:
        return ""


def _machine() -> dict[str, str]:
    import psutil

    return {"cores": str(os.cpu_count()), "memory_gb": f"{psutil.virtual_memory().total / 2**30:.1f}"}
