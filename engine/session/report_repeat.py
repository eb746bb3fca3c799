"""The report's section on how to repeat the analysis: the files that belong to it, and the commands."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from html import escape

from ..problem.command_text import command_text
from ..problem.files import dumps
from .export import evaluations_csv, versions
from .store import SUFFIX, SessionStore

PROBLEM, RUNS = "problem.json", "runs.csv"
MOST_ATTACHED = 16 * 1024 * 1024  # bytes of one file inside the report; larger ones are in the session alone
_TYPES = {PROBLEM: "application/json", RUNS: "text/csv"}
_WORDS = {
    PROBLEM: "everything that was declared: parameters, priors, program, data, errors, settings",
    RUNS: "every simulator run with its values and its log-likelihood",
}


def attached(store: SessionStore) -> dict[str, bytes]:
    """The files by name, without those that are too large."""
    foreign = store.foreign or not store.agreed
    found = {PROBLEM: dumps(store.problem, foreign=foreign) + b"\n", RUNS: evaluations_csv(store)}
    return {name: data for name, data in found.items() if len(data) <= MOST_ATTACHED}


def how_to_repeat(store: SessionStore, found: Mapping[str, bytes], *, links: bool) -> str:
    """``links``: the files can be saved from the page itself; else they are attached to the document."""
    rows = "".join(
        f"<li>{_link(name, data) if links else escape(name)}: {_WORDS[name]}.</li>" for name, data in found.items()
    )
    left = "".join(
        f"<li>{escape(name)} is too large to be in here; the session file holds it.</li>" for name in _WORDS if name not in found
    )
    where = "Save them from here" if links else "They are attached to this document (in a PDF viewer: Attachments)"
    known = versions()["bayescope"]
    version = "" if known == "unknown" else known
    name = store.path.name if store.path.name.endswith(SUFFIX) else f"analysis{SUFFIX}"
    lines = [
        command_text(["bayescope", "new", PROBLEM, f"repeated-{name}"]),
        command_text(["bayescope", "run", f"repeated-{name}"]),
        command_text(["bayescope", "export", f"repeated-{name}", "--report", "repeated.html"]),
    ]
    needed = (
        "The program itself is needed too, where the problem file names it; paths in it are from the folder of that file. "
        f"The settings are in it. The same seed ({store.problem.settings.seed}), the same version and one run at a time choose "
        "the same runs; with more at a time their order may differ."
    )
    return (
        f"<h2>How to repeat this</h2><p>{where}:</p><ul>{rows}{left}</ul><p>With Bayescope {escape(version)} in a terminal:</p>"
        f"<pre>{escape(chr(10).join(lines))}</pre><p>{escape(needed)}</p>"
        f"<p>{escape(_figures_again(name))}</p>"
    )


def _figures_again(name: str) -> str:
    command = command_text(["bayescope", "export", name, "--notebook", "figures.ipynb"])
    return f"The figures and numbers can be made again from the session file, without a run: {command} writes a Jupyter notebook."


def _link(name: str, data: bytes) -> str:
    inside = base64.b64encode(data).decode("ascii")
    return f'<a download="{name}" href="data:{_TYPES[name]};base64,{inside}">{name}</a>'
