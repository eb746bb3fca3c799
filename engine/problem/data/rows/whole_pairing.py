"""Which output predicts which column where names do not tell: all of them at once, by the values of a test run, else by order.

The assignment of least cost (Kuhn, Naval Research Logistics Quarterly 2 (1955) 83). The cost of a pair is how far the values of
the run are from the measured ones, in logarithms of their ratio where they are large beside the error and in errors where they
are not, since the parameters of a test run are not the answer. A pair is sure if without it all others fit much worse.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..units.molar_masses import apart as of_another_substance
from ..units.unit_kinds import contradict, from_si
from ..units.unit_names import bare_unit
from ..units.unit_scales import times

Array = NDArray[np.float64]
Ground = Literal["name", "series", "unit", "value", "order", "left"]
MOST = 60  # outputs or columns: more are no list that a person reads through
NO_PAIR = 1e3  # cost of a pair that cannot be compared
FARTHEST = math.log(1000.0)  # beyond it one is as far as another: it may be a unit
ARBITRARY = 0.98 * FARTHEST  # ... and no column is a better guess than others that are as far
ORDER = 0.2  # cost of another place in the list, where both lists are of one length and seem to have one order
TIE = 1e-3  # ... where they do not: of equals the first
UNITS = 0.7  # cost of units that are known on both sides and differ in what is not understood
KINDS = 500.0  # cost of units of other kinds, a depth and a flow: more than the values of all other pairs
BASE = 0.4  # cost of an output that says no unit in the SI's beside a column in kN: one that is as near as it is goes first
SURE = math.log(3.0)  # what the other ways cost more: of what is sure 2 to 6 in 100 are wrong where a run is a factor 2 off
NEAR = math.log(10.0)  # farther apart nothing is sure
FEWEST_MISLED = 2  # outputs whose names mislead, or whose values tell nothing
MOST_ROWS = 400  # of a column that are looked at: all pairs are, while a person waits
FEWEST_SHAPED = 4  # values in a row whose ups and downs are compared
FLOOR = 0.05  # of the spread of measured values, where their errors are not known
LEAST = 1e-3  # of a value that is alone


@dataclass(frozen=True)
class Side:
    """An output or a column: ``values`` (n,) of the test run or measured, None: not known; ``sds`` (n,) where they are known;
    ``unit`` '' if its name says none."""

    name: str
    values: Array | None = None
    sds: Array | None = None
    unit: str = ""


@dataclass(frozen=True)
class Pair:
    """``rival``: the column that would do as well where it is not ``sure``; '' if there is none. ``far``: the values of the run
    are far from the measured ones."""

    output: str
    column: str
    ground: Ground
    sure: bool
    rival: str = ""
    far: bool = False


def whole_pairing(
    outputs: Sequence[Side], columns: Sequence[Side], told: Mapping[str, str] | None = None, series: Sequence[Pair] = (),
    never: Collection[tuple[str, str]] = (),
) -> list[Pair]:  # fmt: skip
    """The pairs, in the order of the outputs; an output that has no partner is in none.

    ``told``: pairs that names tell, which stay, as those of ``series`` do; ``never``: pairs that names speak against. Without
    values on either side the order tells, where both are of one number.
    """
    told = told or {}
    found = {o: Pair(o, c, "name", True) for o, c in told.items()} | {pair.output: pair for pair in series}
    taken = {pair.column for pair in found.values()}
    mine = [o for o in outputs if o.name not in found][:MOST]
    its = [c for c in columns if c.name not in taken][:MOST]
    found.update({pair.output: pair for pair in _assigned(mine, its, never)})
    return [found[o.name] for o in outputs if o.name in found]


def _assigned(outputs: Sequence[Side], columns: Sequence[Side], never: Collection[tuple[str, str]]) -> list[Pair]:
    if not outputs or not columns:
        return []
    known = sum(o.values is not None for o in outputs) >= max(len(outputs) - 1, 1)
    if not known and len(outputs) != len(columns):
        return []
    values = np.array([[NO_PAIR if (o.name, c.name) in never else distance(o, c) for c in columns] for o in outputs])
    costs = values.copy()
    if len(outputs) == len(columns):
        costs += (ORDER if _order_counts(values) else TIE) * (1.0 - np.eye(len(outputs)))
    rows, places = solved(costs)
    best = float(costs[rows, places].sum())
    arbitrary: list[Pair] = []
    pairs, by_unit = [], _units_tell(outputs, columns, list(zip(rows.tolist(), places.tolist(), strict=True)))
    for i, j in zip(rows.tolist(), places.tolist(), strict=True):
        if costs[i, j] >= NO_PAIR:
            continue
        if len(outputs) == len(columns) == 1:
            pairs.append(Pair(outputs[i].name, columns[j].name, "left", bool(values[i, j] <= NEAR)))
            continue
        if (i, j) in by_unit:
            sure = len(outputs) == len(columns) or bool(outputs[i].unit and columns[j].unit)
            pairs.append(Pair(outputs[i].name, columns[j].name, "unit", sure))
            continue
        worse, rival = without_pair(costs, i, j, best)
        by_value = known and worse > ORDER * 2.0 + 1e-9
        sure = by_value and worse > SURE and bool(values[i, j] <= NEAR)
        ground: Ground = "value" if by_value else "order" if len(outputs) == len(columns) and i == j else "value"
        other = columns[rival].name if known and not sure and rival >= 0 else ""
        pairs.append(Pair(outputs[i].name, columns[j].name, ground, sure, other, bool(known and values[i, j] > NEAR)))
        if ground == "value" and other and values[i, j] > ARBITRARY:
            arbitrary.append(pairs[-1])
    return [pair for pair in pairs if len(arbitrary) < FEWEST_MISLED or pair not in arbitrary]


def misled(outputs: Sequence[Side], columns: Sequence[Side], told: Mapping[str, str]) -> frozenset[str]:
    """Outputs that names pair (``told``) with columns far from the test run, where each is near another one that is free or is
    that of another such output: names mislead. Two at least, since one may be near by chance; none in units of one kind."""
    sides = {c.name: c for c in columns}
    far = [
        o for o in outputs
        if o.values is not None and (c := sides.get(told.get(o.name, ""))) is not None and NEAR < distance(o, c) < NO_PAIR
        and not (o.unit and c.unit and times(bare_unit(o.unit), bare_unit(c.unit)) is not None)
    ]  # fmt: skip
    free = set(sides) - set(told.values()) | {told[o.name] for o in far}
    costs = np.array([[distance(o, sides[c]) for c in sides if c in free] for o in far])
    if len(far) < FEWEST_MISLED:
        return frozenset()
    rows, places = solved(costs)
    elsewhere = len(rows) == len(far) and bool(np.all(costs[rows, places] <= SURE))
    return frozenset(o.name for o in far) if elsewhere else frozenset()


def _units_tell(
    outputs: Sequence[Side], columns: Sequence[Side], pairs: Sequence[tuple[int, int]]
) -> set[tuple[int, int]]:
    """Those of ``pairs`` whose column is the only one left that is not of another kind, those told so taken away."""
    other = np.array([[_units_apart(o.unit, c.unit)[0] >= KINDS for c in columns] for o in outputs])
    told: set[tuple[int, int]] = set()
    for _ in pairs if other.any() else ():
        taken = {j for _, j in told}
        told |= {
            (i, j) for i, j in pairs
            if not other[i, j] and all(other[i, k] for k in range(len(columns)) if k != j and k not in taken)
        }  # fmt: skip
    return told


def _order_counts(values: Array) -> bool:
    """Whether the two lists seem to have one order: pairs in order fit nearly as well as any, or most of the best pairs are."""
    rows, places = solved(values)
    gain = float(np.trace(values) - values[rows, places].sum())
    return gain <= 0.5 * ORDER * len(values) or 2 * int((rows == places).sum()) > len(values)


def solved(costs: Array) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    from scipy.optimize import linear_sum_assignment  # takes time to load: only where names do not tell

    rows, places = linear_sum_assignment(costs)
    return rows, places


def without_pair(costs: Array, i: int, j: int, best: float) -> tuple[float, int]:
    """How much more the best assignment costs without this pair, and the column that the output has then (-1: none)."""
    other = costs.copy()
    other[i, j] = NO_PAIR * costs.size
    if other.shape[0] >= other.shape[1]:  # it may also stay without a column
        other = np.hstack([other, np.full((other.shape[0], 1), NO_PAIR)])
    rows, places = solved(other)
    at = int(places[rows == i][0]) if i in rows else -1
    there = 0 <= at < costs.shape[1] and costs[i, at] < NO_PAIR
    return float(other[rows, places].sum()) - best, at if there else -1


def distance(output: Side, column: Side) -> float:
    """How far the values of the run are from the measured ones, from 0; NO_PAIR where they cannot be compared."""
    if of_another_substance(output.name, column.name):
        return NO_PAIR
    cost, factor = _units_apart(output.unit, column.unit)
    if cost >= NO_PAIR or output.values is None or column.values is None or not len(column.values):
        return cost
    found = _values_apart(factor * output.values, column)
    if _mirrored(output.values, column.values):
        found = min(found, BASE + _values_apart(-factor * output.values, column))
    base = from_si(bare_unit(column.unit)) if column.unit and not output.unit else None
    if base is not None and base != 1.0:
        found = min(found, BASE + _values_apart(base * output.values, column))
    return min(cost + found, NO_PAIR)


def _mirrored(computed: Array, measured: Array) -> bool:
    """Whether all of a series has the one sign and all of the other the opposite one: changes of a head against drawdowns."""
    signs = [np.sign(side[np.isfinite(side) & (side != 0.0)]) for side in (computed, measured)]
    return min(map(len, signs)) >= FEWEST_SHAPED and all(np.ptp(one) == 0.0 for one in signs) and signs[0][0] == -signs[1][0]


def _values_apart(computed: Array, column: Side) -> float:
    """How far values of a run, in the unit of the column, are from those measured there; NO_PAIR where their numbers differ."""
    measured = np.empty(0) if column.values is None else column.values
    if not len(computed) or not bool(np.isfinite(computed).any()):
        return NO_PAIR
    one = len(measured) == 1
    if one != (len(computed) == 1) or len(computed) < len(measured):
        return NO_PAIR
    sds, longer = column.sds, len(computed) > len(measured)
    computed, measured = _thinned(computed), _thinned(measured)
    if longer:  # which rows belong together is not known yet: as they are distributed
        shares = (np.arange(len(measured)) + 0.5) / len(measured)
        sds, computed, measured = None, np.nanquantile(computed, shares), np.sort(measured)
    scale = _scale(computed, measured, None if sds is None else _thinned(sds))
    apart = np.abs(np.arcsinh(computed / (2.0 * scale)) - np.arcsinh(measured / (2.0 * scale)))
    apart = np.where(np.isfinite(apart), np.minimum(apart, FARTHEST), FARTHEST)
    return float(apart.mean()) + (_unlike(computed, measured) if len(measured) >= FEWEST_SHAPED else 0.0)


def _units_apart(unit: str, other: str) -> tuple[float, float]:
    """What it costs that two units differ, and by what a number in the one is multiplied to be one in the other."""
    if not unit or not other or unit.casefold() == other.casefold():
        return 0.0, 1.0
    one, two = bare_unit(unit), bare_unit(other)
    if (factor := times(one, two)) is not None:
        return 0.0, factor
    if contradict(one, two):
        return NO_PAIR, 1.0
    known = times(one, one) is not None and times(two, two) is not None
    return (KINDS if known else UNITS), 1.0


def _thinned(values: Array) -> Array:
    """As many of the values (n,), evenly over all, as tell curves apart: the same rows of all of one length."""
    return values if len(values) <= MOST_ROWS else values[np.linspace(0, len(values) - 1, MOST_ROWS).astype(np.intp)]


def _scale(computed: Array, measured: Array, sds: Array | None) -> Array:
    """What counts as nothing beside each value (n,)."""
    spread = FLOOR * float(np.nanstd(measured)) if len(measured) > 1 else 0.0
    largest = float(np.nanmax(np.abs(measured))) or float(np.nanmax(np.abs(computed))) or 1.0
    plain = np.full(len(measured), max(spread, LEAST * largest))
    return plain if sds is None else np.where(np.isfinite(sds) & (sds > 0.0), sds, plain)


def _unlike(computed: Array, measured: Array) -> float:
    """From 0 to 2: whether the two go up and down together."""
    there = np.isfinite(computed) & np.isfinite(measured)
    if there.sum() < FEWEST_SHAPED or np.ptp(computed[there]) == 0.0 or np.ptp(measured[there]) == 0.0:
        return 0.5
    return 1.0 - float(np.corrcoef(computed[there], measured[there])[0, 1])
