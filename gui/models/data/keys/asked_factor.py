"""A key of the data that the program's table counts in another unit which nothing tells: pore volumes beside mL. Its factor is
asked for. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

import msgspec
import numpy as np

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.names.column_names import unit_in, without_unit
from bayescope.engine.problem.data.rows.comparison import key_codes, measured_values
from bayescope.engine.problem.data.rows.key_scale import Scale, with_scale
from bayescope.engine.problem.data.rows.pairing import swept
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.compared_outputs import compared, fits, with_match
from bayescope.gui.models.data.keys.between_keys import stands_first
from bayescope.gui.models.data.keys.key_candidates import paired_by
from bayescope.gui.models.data.keys.own_table import same_table
from bayescope.gui.models.data.keys.places_of_rows import said_columns
from bayescope.gui.models.data.keys.possible_keys import FEWEST_RISING
from bayescope.gui.models.data.keys.rows_outside import without_outside
from bayescope.gui.models.plain import one_line

TITLE = "Pair by a key times a factor"


@dataclass(frozen=True)
class AskedFactor:
    """The ``comparisons`` of one table of the program that ``output``, times a factor, and ``column`` pair."""

    output: str
    column: str
    comparisons: tuple[int, ...]

    @property
    def button(self) -> str:
        return f"{one_line(self.output, 20).replace('&', '&&')} × fac&tor…"

    @property
    def hint(self) -> str:
        return f"“{one_line(self.column, 30)}” may be “{one_line(self.output, 24)}” in another unit: say how much one of them is."

    @property
    def question(self) -> str:
        unit = unit_in(self.column)
        per = f" {unit}" if unit else ""
        return (
            f"How much of “{one_line(without_unit(self.column), 30)}” is 1 of “{one_line(self.output, 24)}”?\n"
            f"For example 62 where it is 62{per}, or 1/60:"
        )

    def paired(self, problem: d.Problem, report: TrialRunReport | None, factor: float) -> d.Problem | None:
        """``problem`` with the comparisons interpolated over the key times ``factor``; None: most rows lie outside then."""
        made = problem
        for index in self.comparisons:
            found = compared(problem, index, report)
            if found is None or not factor > 0.0:
                return None
            match, data, outputs, _ = found
            changed = with_scale(paired_by(match, [(self.output, self.column)]), Scale(factor))
            inside = without_outside(msgspec.structs.replace(changed, interpolate=True), data, outputs)
            if inside is None or not fits(inside[0], data, outputs):
                return None
            made = with_match(made, index, inside[0])
        return made


def asked_factor(
    problem: d.Problem, index: int, report: TrialRunReport | None, marked: Collection[str] = ()
) -> AskedFactor | None:
    """For comparison ``index``, in order, and those like it: the key that was said or guessed (``marked``) for its rows, and the
    first column of the program's table, both only rising or falling from zero on; None: it has no such, or it fits."""
    found = compared(problem, index, report)
    if found is None or found[0].keys or fits(*found[:3]):
        return None
    match, data, outputs, _ = found
    there = np.flatnonzero(~np.isnan(measured_values(match, data)))
    said = [c for c in said_columns(data, match, marked, there) if c in data.columns]
    places = list(_places(problem, match, outputs))
    if len(said) != 1 or len(places) != 1 or len(there) < FEWEST_RISING:
        return None
    codes = key_codes(data, said[0])[there]
    if not swept(codes) or codes.min() < 0.0:
        return None
    assert isinstance(problem.meaning, d.Predictions)
    declared = {o.name: o for o in problem.outputs}
    alike = tuple(
        i for i, m in enumerate(problem.meaning.matches)
        if not m.keys and m.column in data.columns and same_table(declared[m.output], declared[match.output])
        and said_columns(data, m, said, np.flatnonzero(~np.isnan(measured_values(m, data)))) == said
    )  # fmt: skip
    return AskedFactor(places[0], said[0], alike)


def _places(problem: d.Problem, match: d.Match, outputs: dict[str, np.ndarray]) -> Iterator[str]:
    """The output that leads the table of ``match``, where that may say where its rows are."""
    assert isinstance(problem.meaning, d.Predictions)
    taken = {m.output for m in problem.meaning.matches if m.column}
    mine = next((o for o in problem.outputs if o.name == match.output), None)
    table = [o for o in problem.outputs if mine is not None and same_table(o, mine)]
    for k, output in enumerate(table):
        values = outputs.get(output.name, np.empty(0))
        leads = (k == 0 or stands_first(output)) and output.name not in taken
        whole = FEWEST_RISING < len(values) == len(outputs[match.output])
        if leads and whole and swept(values) and values.min() >= 0.0:
            yield output.name
