"""Labels that the program prints short and the data have in full, Mon and Monday: the key that pairs their rows. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
import numpy as np

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.rows.comparison import measured_values
from bayescope.engine.problem.data.rows.text_keys import plain
from bayescope.engine.problem.data.tables.quality_flags import is_flags
from bayescope.engine.problem.extract import ExtractionError
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.compared_outputs import compared
from bayescope.gui.models.data.keys.key_candidates import MOST_TEXT, columns_beside, fresh_key_name, text_of
from bayescope.gui.models.data.keys.part_keys import with_keys
from bayescope.gui.models.data.keys.unread_keys import UnreadKey
from bayescope.gui.models.plain import one_line
from bayescope.gui.models.simulator.outputs.readings import reading_of

FEWEST_LETTERS = 2  # Mo, Di, Mi
FEWEST_LABELS = 2  # one may be the beginning of another by chance


def short_labels(problem: d.Problem, index: int, report: TrialRunReport | None) -> UnreadKey | None:
    """Comparison ``index``, whose rows are taken in order, paired by labels beside its values that begin those of a data column,
    or begin with them; the data get the program's spelling. None: there are none."""
    found = compared(problem, index, report)
    if found is None or report is None or found[0].keys:
        return None
    match, data, outputs, _ = found
    declared = next(o for o in problem.outputs if o.name == match.output)
    text = text_of(declared.source, report)
    if not text or len(text) > MOST_TEXT:
        return None
    measured = np.flatnonzero(~np.isnan(measured_values(match, data)))
    matches = problem.meaning.matches if isinstance(problem.meaning, d.Predictions) else ()
    used = {column for m in matches for _, column in m.keys}
    able = {c: cells for c, cells in data.texts.items() if c not in used and not is_flags(data, c)}
    columns = {c: cells for c, cells in able.items() if len(cells) > max(measured, default=-1)}
    for other in columns_beside(declared) if columns else ():
        read = msgspec.structs.replace(other, text=True)
        try:
            texts = reading_of(read, text).texts
        except ExtractionError:
            continue
        if len(texts) != len(outputs[match.output]):
            continue
        for name, cells in columns.items():
            spelled = spellings([cells[i] for i in measured], texts)
            if spelled:
                return _paired(problem, index, read, name, spelled)
    return None


def spellings(labels: Sequence[str | None], printed: Sequence[str]) -> dict[str, str]:
    """The program's label of each of the data's, where each is the beginning of just one and no two of the same; else {}."""
    found: dict[str, str] = {}
    for label in labels:
        fits = {p for p in printed if _short(plain(p), plain(label or ""))}
        if len(fits) != 1:
            return {}
        found[label or ""] = fits.pop()
    alone = len(found) >= FEWEST_LABELS and len(set(found.values())) == len(found)
    return found if alone and any(plain(a) != plain(b) for a, b in found.items()) else {}


def _short(one: str, other: str) -> bool:
    """Whether one of the labels is the other, or the beginning of it, cut within a word: Mon, Mon. and MON of Monday."""
    less, more = sorted((one.casefold().rstrip("."), other.casefold().rstrip(".")), key=len)
    rest = more[len(less) :]
    cut = not rest or (len(less) >= FEWEST_LETTERS and less[-1].isalpha() and rest[0].isalpha())
    return bool(less) and more.startswith(less) and cut


def _paired(problem: d.Problem, index: int, read: d.Output, column: str, spelled: Mapping[str, str]) -> UnreadKey:
    assert problem.data is not None
    known = next((o for o in problem.outputs if (o.source, o.extractor, o.text) == (read.source, read.extractor, True)), None)
    name = known.name if known is not None else fresh_key_name(column, problem)
    cells = tuple(spelled.get(cell or "", cell) for cell in problem.data.texts[column])
    data = msgspec.structs.replace(problem.data, texts={**problem.data.texts, column: cells})
    added = () if known is not None else (msgspec.structs.replace(read, name=name, unit=""),)
    changed = msgspec.structs.replace(problem, data=data, outputs=(*problem.outputs, *added))
    mine, theirs = next((a, b) for a, b in spelled.items() if plain(a) != plain(b))
    words = f"The program prints “{one_line(theirs, 20)}” where the data have “{one_line(mine, 20)}”: the data get its spelling."
    return UnreadKey(name, with_keys(changed, index, [(name, column)]), words, column)
