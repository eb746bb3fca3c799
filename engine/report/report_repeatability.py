"""The report's section on whether the program repeats itself, as HTML with every text escaped."""

from __future__ import annotations

from html import escape

from ..answer.same_outputs import same_outputs
from ..session.replayed import Replay, how_to_check
from ..session.store import SessionStore
from .export import called

DIGITS = 16  # of a digest: enough to tell two versions of a program apart


def repeatability(store: SessionStore) -> str:
    """What runs made again gave, and whether runs at different values gave the same."""
    evaluations = store.evaluations()
    found = same_outputs(store.problem, evaluations)
    warning = "" if found is None else f'<p class="warn">{escape(f"{found.what} {found.meaning}")}</p>'
    replay = store.replay()
    if replay is None:
        how = escape(f"Not checked: no stored run was made again. {how_to_check(called(store))}.")
        return f"<h2>Repeatability</h2>{warning}<p>{how}</p>"
    verdict = f'<b class="{"good" if replay.agrees else "warn"}">{escape(replay.headline())}</b>'
    since = len(evaluations) - replay.evaluations
    later = f" {since} more {'run was' if since == 1 else 'runs were'} made since." if since > 0 else ""
    stored = f"when {replay.evaluations} runs were stored; each was given the same values and seed again."
    details = "".join(f"<li>{escape(words)}</li>" for words in replay.sentences())
    listed = f"<ul>{details}</ul>" if details else ""
    checked = escape(f" Checked {replay.when()}, {stored}{later}")
    return f"<h2>Repeatability</h2>{warning}<p>{verdict}{checked}</p>{listed}{_files(replay)}"


def _files(replay: Replay) -> str:
    """What ran, by content: a later reader can tell whether it is still the same program."""
    if not replay.files:
        return ""
    rows = "".join(
        f"<tr><td>{escape(file.role)}</td><td>{escape(file.name)}</td><td>{escape(file.digest[:DIGITS] or 'not there')}</td></tr>"
        for file in replay.files
    )
    return f"<table><tr><th>File that ran</th><th>Name</th><th>SHA-256, its beginning</th></tr>{rows}</table>"
