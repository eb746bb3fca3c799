"""One factor for outputs of a file that are compared in one unit, with the sign of each, and for those of one output. Pure."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.names.column_names import unit_in
from bayescope.gui.models.data.units.molar_factors import is_mass
from bayescope.gui.models.data.units.own_changes import Change, usual
from bayescope.gui.models.data.units.sides import Sides

ALIKE = 1.1  # powers of ten that a factor may be off the one beside it: units lie further apart, parameters of a test run do not
_SEPARATORS = re.compile(r"[\W_]+")


def of_one_factor(
    matches: tuple[d.Match, ...], sides: Mapping[int, Sides], own: Mapping[int, Change]
) -> dict[int, Change]:
    """What becomes of the ``own`` changes of comparisons in one unit whose outputs are in one file (``sides``): one factor for
    all that are off the same way, also for those whose values are too near zero to tell."""
    plain = {i: own[i] for i in sides if i in own and own[i].units is None and own[i].molar is None and not own[i].offset}
    off = {i: change for i, change in plain.items() if abs(change.times) != 1.0 or change.asked}
    fit = [i for i in sides if len(sides[i].powers) and i not in off and (i not in own or i in plain)]
    made = {}
    for i, change in off.items():
        power, now = _middle([sides[i]]), abs(matches[i].factor)
        theirs = [abs(matches[k].factor) / now for k in fit if now and abs(matches[k].factor) != now and shared(matches[k])]
        near = [by for by in theirs if by and abs(math.log10(by) - power) < ALIKE]  # those beside it that are multiplied already
        alike = [sides[k] for k in off if abs(matches[k].factor) == now and not off[k].asked]
        pooled = usual(_middle(alike)) if alike else math.inf
        if change.asked and not near and abs(pooled - power) >= ALIKE:
            continue  # nobody knows by how much
        by = near[0] if near else 10.0**pooled if abs(pooled - power) < ALIKE else abs(change.times)
        made[i] = replace(change, times=math.copysign(float(f"{by:.12g}"), change.times), asked=False)
    told = {i: change.of(matches[i]).factor for i, change in made.items()} | {i: _turned(matches[i], own.get(i)) for i in fit}
    told = {i: factor for i, factor in told.items() if shared(matches[i], factor)}
    silent = [i for i in sides if i not in told and i not in own and not len(sides[i].powers) and matches[i].factor]
    return made | _as_beside(matches, silent, told)


def of_one_output(
    matches: tuple[d.Match, ...], both: Mapping[int, Sides | None], own: Mapping[int, Change]
) -> dict[int, Change]:
    """The changes of comparisons of one output in one unit, as of repeated measurements: it has one factor, also beside values of
    which some are near enough. One that its values contradict stays as it is."""
    groups: dict[tuple[str, str], list[int]] = {}
    for i, match in enumerate(matches):
        if both.get(i) is not None and match.factor and not match.offset:
            groups.setdefault((match.output, unit_in(match.column)), []).append(i)
    made: dict[int, Change] = {}
    for group in (of for of in groups.values() if len(of) > 1):
        powers = {i: _middle([side]) for i in group if (side := both[i]) is not None and len(side.powers)}
        plain = [i for i in group if i in own and not own[i].offset and own[i].molar is None and not own[i].asked]
        changed = [i for i in plain if own[i].alike is None]
        fit = [i for i in powers if i not in own]
        if len({own[i].of(matches[i]).factor for i in changed}) > 1 or not (changed or fit):
            continue
        tells = changed[0] if changed else min(fit, key=lambda i: abs(powers[i]))
        factor = own[tells].of(matches[tells]).factor if changed else matches[tells].factor
        tells = next((i for i in fit if matches[i].factor == factor), tells)  # one that is multiplied so already
        made |= {i: replace(own[i], mate=tells) for i in changed if i != tells}
        for i in (i for i in fit if matches[i].factor != factor):
            times_it = float(f"{factor / matches[i].factor:.12g}")
            if abs(powers[i] - math.log10(abs(times_it))) < min(abs(powers[i]), ALIKE):
                like = own[tells] if tells in own and own[tells].units is not None else Change(times_it)
                made[i] = replace(like, mate=tells)
    return made


def shared(match: d.Match, factor: float | None = None) -> bool:
    """Whether the factor may be one of several outputs: between amounts and masses each substance has its own."""
    size = abs(match.factor if factor is None else factor)
    power = math.log10(size) if size > 0.0 else 0.5
    return not is_mass(unit_in(match.column)) or math.isclose(power, round(power), abs_tol=1e-9)


def _middle(sides: Sequence[Sides]) -> float:
    return float(np.median([np.median(side.larger if len(side.larger) else side.powers) for side in sides]))


def _as_beside(matches: tuple[d.Match, ...], silent: Sequence[int], told: Mapping[int, float]) -> dict[int, Change]:
    """The changes of comparisons whose values tell nothing (``silent``) to the one factor, signs aside, of those ``told``."""
    sizes = {abs(factor) for factor in told.values()}
    made = {}
    for i in silent if len(sizes) == 1 else ():
        size = next(iter(sizes))
        if abs(matches[i].factor) != size:
            sign, tells = _sign_of_mates(matches, i, told)
            made[i] = Change(times=float(f"{sign * size / matches[i].factor:.12g}"), alike=tells)
    return made


def _turned(match: d.Match, change: Change | None) -> float:
    return match.factor if change is None else change.of(match).factor


def _sign_of_mates(matches: tuple[d.Match, ...], index: int, told: Mapping[int, float]) -> tuple[float, int]:
    """The sign of a factor among those ``told``, by comparison, and one that tells it: the one of all, or else of those whose
    names have the same word at a place that tells signs apart: D4_LF2 as D4_LF1, where others of LF1 have another sign."""
    first = next(iter(told))
    if len({np.sign(factor) for factor in told.values()}) == 1:
        return float(np.sign(told[first])), first
    words = {i: _SEPARATORS.split(matches[i].output) for i in (index, *told)}
    found: list[tuple[float, int]] = []
    for place, word in enumerate(words[index]):
        signs: dict[str, dict[float, int]] = {}  # by the word at this place: each sign, and one comparison that has it
        for k in (k for k in told if place < len(words[k])):
            signs.setdefault(words[k][place], {}).setdefault(float(np.sign(told[k])), k)
        if word in signs and all(len(of) == 1 for of in signs.values()):  # the words here tell the sign
            found += signs[word].items()
    if len({sign for sign, _ in found}) == 1:
        return found[0]
    return 1.0, next(k for k, factor in told.items() if factor > 0.0)
