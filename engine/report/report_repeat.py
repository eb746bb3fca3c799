"""The report's section on how to repeat the analysis: the files that belong to it, and the commands."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from html import escape

from ..answer.asked_again import asked_again
from ..answer.likelihood_words import left_out_words
from ..problem.command_text import command_text
from ..problem.files import dumps
from ..problem.relocate import relocate
from ..session import places
from ..session.kept_over import kept_over_of
from ..session.store import SessionStore
from .export import called, evaluations_csv, versions
from .report_earlier import EARLIER, asked_commands, earlier_csv, earlier_words, import_command, run_commands

PROBLEM, RUNS = "problem.json", "runs.csv"  # beside EARLIER
UNSAVED = "The analysis was not saved when this was written. Save it (File menu) under the name below; its runs are kept with it."
MOST_ATTACHED = 16 * 1024 * 1024  # bytes of one file inside the report; larger ones are in the session alone
_TYPES = {PROBLEM: "application/json", RUNS: "text/csv", EARLIER: "text/csv"}
_WORDS = {
    PROBLEM: "everything that was declared: parameters, priors, program, data, errors, settings",
    RUNS: "every simulator run with its values and its log-likelihood",
    EARLIER: "the evaluations that were imported",
}


def attached(store: SessionStore) -> dict[str, bytes]:
    """The files by name, without those that are too large."""
    foreign, first = store.foreign or not store.agreed, store.runs_of
    problem = store.problem if first is None else relocate(store.problem, store.path.parent, first.parent)
    found = {PROBLEM: dumps(problem, foreign=foreign) + b"\n", RUNS: evaluations_csv(store)}
    if (earlier := earlier_csv(store)) is not None:
        found[EARLIER] = earlier
    return {name: data for name, data in found.items() if len(data) <= MOST_ATTACHED}


def how_to_repeat(store: SessionStore, found: Mapping[str, bytes], *, links: bool) -> str:
    """``links``: the files can be saved from the page itself; else they are attached to the document."""
    rows = "".join(
        f"<li>{_link(name, data) if links else escape(name)}: {_WORDS[name]}.</li>" for name, data in found.items()
    )
    wanted = (PROBLEM, RUNS) if import_command(store, called(store)) is None else _WORDS
    left = "".join(
        f"<li>{escape(name)} is too large to be in here; the session file holds it.</li>" for name in wanted if name not in found
    )
    where = "Save these files from here" if links else "These files are attached to this document (in a PDF viewer: Attachments)"
    known = versions()["bayescope"]
    version = "" if known == "unknown" else known
    name, draft, first = called(store), places.is_draft(store.path), store.runs_of
    repeated = f"repeated-{name}"
    lines = [*_making(store, repeated), *asked_commands(store, repeated)]
    lines.append(command_text(["bayescope", "export", repeated, "--report", "repeated.html"]))
    if first is None:
        needed = (
            "The program itself is needed too, where the problem file names it; paths in it are from the folder of that file."
        )
    else:
        needed = (
            f"The runs are those of “{first.name}”: that file is needed, and {PROBLEM} and the commands belong in its folder. "
            "How those runs were made is said in a report of that analysis."
        )
    same = (
        f"The settings are in it. The same seed ({store.problem.settings.seed}), the same version and one run at a time choose "
        f"the same runs; with more at a time their order may differ. {earlier_words(store)}".rstrip()
    )
    unsaved = f"<p>{escape(UNSAVED)}</p>" if draft else ""
    return (
        f"<h2>How to repeat this</h2>{_origin(store)}<p>{where}:</p><ul>{rows}{left}</ul>"
        f"<p>With Bayescope {escape(version)} in a terminal:</p><pre>{escape(chr(10).join(lines))}</pre>"
        f"<p>{escape(needed if first is not None and not _own_runs(store) else f'{needed} {same}')}</p>"
        f"{unsaved}<p>{escape(_figures_again(name))}</p>"
    )


def _origin(store: SessionStore) -> str:
    """How the answer came about: whose runs it is made of, and what was asked of them; rows of the data that do not count."""
    told = asked_again(store)
    meaning = store.problem.meaning
    left = tuple(
        f"Of column “{m.column}” {left_out_words(m)}." for m in getattr(meaning, "matches", ()) if m.left_out
    )
    kept = tuple(change.sentence for change in kept_over_of(store))
    said = (*(() if told is None else told.sentences(_own_runs(store))), *left, *kept)
    return "".join(f"<p>{escape(words)}</p>" for words in said)


def _own_runs(store: SessionStore) -> int:
    """Runs that a variant made itself, beside those that it took over."""
    told = asked_again(store)
    return 0 if told is None else max(store.evaluation_count - told.runs, 0)


def _making(store: SessionStore, repeated: str) -> list[str]:
    """The commands that lead to the same answer."""
    first = store.runs_of
    if first is None:
        given = import_command(store, repeated)
        new = command_text(["bayescope", "new", PROBLEM, repeated])
        return [new, *([] if given is None else [given]), *run_commands(store, repeated)]
    again = command_text(["bayescope", "again", first.name, PROBLEM, repeated])
    return [again, *run_commands(store, repeated)] if _own_runs(store) else [again]


def _figures_again(name: str) -> str:
    command = command_text(["bayescope", "export", name, "--notebook", "figures.ipynb"])
    return f"The figures and numbers can be made again from the session file, without a run: {command} writes a Jupyter notebook."


def _link(name: str, data: bytes) -> str:
    inside = base64.b64encode(data).decode("ascii")
    return f'<a download="{name}" href="data:{_TYPES[name]};base64,{inside}">{name}</a>'
