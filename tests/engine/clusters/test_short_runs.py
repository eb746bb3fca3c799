"""Whoever runs short programs through a queue is told once what is meant for them."""

from __future__ import annotations

from bayescope.engine.clusters.short_runs import ENOUGH, ShortRuns
from bayescope.engine.session.profiles import Profile


def said(seconds: float, **changes: object) -> list[str]:
    runs = ShortRuns(Profile(**{"name": "box", **changes}))
    return [words for _ in range(3 * ENOUGH) if (words := runs.note(seconds))]


def test_short_runs_are_told_of_once_and_only_where_pilots_are_not_used_yet() -> None:
    (words,) = said(4.0)
    assert "Runs take about 4 s each" in words
    assert "“box”" in words
    assert said(60.0) == []
    assert said(4.0, pilot=True) == []
    assert said(4.0, queue="", host="far") == []
