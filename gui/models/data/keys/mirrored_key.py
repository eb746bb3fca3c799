"""Keys that count the other way than those of the data over the same range, 180° − theta: every row finds a partner, at the wrong
place. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

import numpy as np

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.names.column_names import unit_in
from bayescope.engine.problem.data.names.same_meaning import mean_the_same
from bayescope.engine.problem.data.rows.comparison import ComparisonError, compare_match, key_codes, key_values
from bayescope.engine.problem.data.rows.key_scale import Scale, scale_of, with_scale
from bayescope.engine.problem.data.units.unit_scales import conversion
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.compared_outputs import Array, compared, fits, with_match
from bayescope.gui.models.data.keys.by_places import ByPlaces
from bayescope.gui.models.data.keys.headings_beside import name_in_program
from bayescope.gui.models.data.keys.same_shift import shifted_as, siblings
from bayescope.gui.models.plain import one_line

FEWEST = 6  # measured rows: the ups and downs of fewer agree by chance
ALONG = 0.9  # correlation of both sides from where on they go up and down together
BETTER = 0.1  # of what the present correlation lacks of 1 that the mirrored one may lack
ANGLES = (180.0, 360.0, 90.0)  # degrees that an angle and the other one are together
MIRROR_KEPT = "It counts the same way"


@dataclass(frozen=True)
class Mirrored(ByPlaces):
    """Comparison ``row`` and those of the same key, paired by it counted the other way, as ``written``."""

    written: str = ""

    @property
    def button(self) -> str:
        return f"&Pair by {self.written.replace('&', '&&')}"

    @property
    def hint(self) -> str:
        return "Both have a partner for every row, whichever way they count."


def first_mirrored(problem: d.Problem, report: TrialRunReport | None, kept: Collection[str] = ()) -> Mirrored | None:
    """The first comparison that ``mirrored_key`` tells of, but for what was said in ``kept``."""
    count = len(problem.meaning.matches) if isinstance(problem.meaning, d.Predictions) else 0
    ways = (mirrored_key(problem, i, report) for i in range(count))
    return next((way for way in ways if way is not None and way.words not in kept), None)


def mirrored_key(problem: d.Problem, index: int, report: TrialRunReport | None) -> Mirrored | None:
    """Comparison ``index``, whose key is called otherwise than the column, with that mirrored, where the test run goes along with
    what was measured so, and far less as it is; None: it does not."""
    found = compared(problem, index, report)
    if found is None or len(found[0].keys) != 1 or found[0].key_inverse or found[0].by_day:
        return None
    match, data, outputs, _ = found
    (output, column), now = match.keys[0], scale_of(match)
    if column not in data.columns or conversion(unit_in(column), "s") is not None or now.factor < 0.0:
        return None  # times only go on
    present = _along(match, data, outputs) if fits(match, data, outputs) else None
    if present is None or present >= ALONG:
        return None
    ways: list[tuple[float, Scale]] = []
    for centre in _centres(key_codes(data, column), key_values(match, outputs)[0]):
        scale = Scale(-now.factor, centre - now.offset)
        turned = with_scale(match, scale)
        if fits(turned, data, outputs) and (along := _along(turned, data, outputs)) is not None:
            ways.append((along, scale))
    along, scale = max(ways, key=lambda way: way[0], default=(0.0, now))
    if along < ALONG or 1.0 - along > BETTER * (1.0 - present):
        return None
    called = next((name_in_program(o, report) or o.name for o in problem.outputs if o.name == output), output)
    if mean_the_same(called, column):
        return None
    made = shifted_as(with_match(problem, index, with_scale(match, scale)), index, siblings(problem, index))
    key, name = one_line(called, 30), one_line(column, 30)
    words = (
        f"Does “{name}” count the other way than “{key}”? Paired by {scale.written(key)}, the test run goes up and down with "
        "what was measured; as it is now it does not."
    )
    return Mirrored(index, column, words, made, written=scale.written(one_line(called, 14)))


def _centres(keys: Array, places: Array) -> Iterator[float]:
    """What a key and the mirrored one may be together: half and whole turns, and what turns the program's range round."""
    whole = places[np.isfinite(places)]
    if not len(whole):
        return
    ends = float(whole.min() + whole.max())
    yield from dict.fromkeys((*(angle for angle in ANGLES if np.nanmax(keys) <= angle), ends))


def _along(match: d.Match, data: d.DataTable, outputs: dict[str, Array]) -> float | None:
    """The correlation of what is predicted with what was measured; None: there are too few rows, or one of both is constant."""
    try:
        both = compare_match(match, data, outputs)
    except ComparisonError:
        return None
    there = both.present & np.isfinite(both.prediction) & ~both.limited
    measured, predicted = both.data[there], both.prediction[there]
    if len(measured) < FEWEST or np.ptp(measured) == 0.0 or np.ptp(predicted) == 0.0:
        return None
    return float(np.corrcoef(measured, predicted)[0, 1])
