"""A comparison whose key was chosen from another file of the program, while the file of its values has that key too. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np

from bayescope.engine.problem import definition as d
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.compared_outputs import Array, compared
from bayescope.gui.models.data.keys.by_places import ByPlaces
from bayescope.gui.models.data.keys.key_candidates import Key
from bayescope.gui.models.data.keys.own_text_keys import by_own_text, file_words, foreign_keys
from bayescope.gui.models.plain import one_line

FILE_KEPT = "The key is right"


@dataclass(frozen=True)
class OtherFile(ByPlaces):
    """Comparison ``row`` paired by a key of ``own``, the file of its values, rather than by that of another one."""

    own: str = ""

    @property
    def button(self) -> str:
        return f"&Pair by that of {self.own.replace('&', '&&')}"

    @property
    def hint(self) -> str:
        return "Rows of equal number in two files may be those of other times or places."


def first_of_other_file(
    problem: d.Problem, report: TrialRunReport | None, second: TrialRunReport | None = None, kept: Collection[str] = ()
) -> OtherFile | None:
    """The first comparison that ``of_other_file`` tells of, but for what was said in ``kept``."""
    count = len(problem.meaning.matches) if isinstance(problem.meaning, d.Predictions) else 0
    ways = (of_other_file(problem, i, report, second) for i in range(count))
    return next((way for way in ways if way is not None and way.words not in kept), None)


def of_other_file(
    problem: d.Problem, index: int, report: TrialRunReport | None, second: TrialRunReport | None = None
) -> OtherFile | None:
    """Comparison ``index``, paired by a key of another file, while its own prints other entries of that key; None: it is not."""
    known = compared(problem, index, report)
    if known is None or not (foreign := foreign_keys(problem, known[0])):
        return None
    match, found = known[0], by_own_text(problem, index, report, second)
    if found is None or not _others(match, found[1], known[2]):
        return None
    declared = {o.name: file_words(o.source) for o in problem.outputs}
    (output, column), own = foreign[0], declared[match.output]
    words = (
        f"“{one_line(match.output, 30)}” is read from {own}, but the key “{one_line(output, 30)}” of its rows from "
        f"{declared[output]}: {own} prints other entries of that key beside its values."
    )
    return OtherFile(index, column, words, found[0], own=own)


def _others(match: d.Match, keys: tuple[Key, ...], outputs: Mapping[str, Array]) -> bool:
    """Whether one of the ``keys`` has other entries than that of ``match`` in its place."""
    values = [key.codes if key.codes is not None else outputs[key.output] for key in keys]
    pairs = zip(match.keys, values, strict=True)
    return any(not np.array_equal(outputs[now], other, equal_nan=True) for (now, _), other in pairs)
