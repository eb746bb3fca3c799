"""Rows paired by the nearest key, as far as that is no whole row away. Pure."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
import numpy as np
from numpy.typing import NDArray

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.rows.comparison import key_codes, key_values
from bayescope.engine.problem.data.rows.pairing import Unpaired
from bayescope.engine.problem.data.rows.text_keys import FIRST_LABEL
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.compared_outputs import compared, fits, with_match
from bayescope.gui.models.data.keys.distances import Distance, distance
from bayescope.gui.models.data.keys.gaps import has_tie, in_one_gap
from bayescope.gui.models.data.rows.unfit import unfit

Array = NDArray[np.float64]
ONE_STEP = 0.99  # of the spacing of keys
ROOM = 1.001  # a tolerance is a little wider than the distance it must bridge


def nearest_key(problem: d.Problem, index: int, report: TrialRunReport) -> tuple[d.Problem | None, Distance | None]:
    """The problem in which comparison ``index`` pairs by the nearest key, and how far that is; None: no way, or no distance."""
    found = compared(problem, index, report)
    if found is None:
        return None, None
    _, _, outputs, texts = found
    return near_key(problem, index, unfit(*found)[1], outputs, texts, report)


def near_key(
    problem: d.Problem, index: int, lost: list[Unpaired], outputs: Mapping[str, Array], texts: Mapping[str, tuple[str, ...]],
    report: TrialRunReport,
) -> tuple[d.Problem | None, Distance | None]:  # fmt: skip
    """As ``nearest_key``, of the rows that are ``lost`` and of ``outputs`` and their ``texts`` that are read already."""
    near = _nearest(problem, index, lost, outputs, texts)
    far = None if near is None else distance(near, index, report)
    if far is not None and far.largest > ONE_STEP * far.spacing:
        return None, None  # a whole row away or more: the row is missing, any other would do as well
    if far is not None and _no_nearest(problem, index, lost, outputs):
        return None, None
    return near, far


def _no_nearest(problem: d.Problem, index: int, lost: list[Unpaired], outputs: Mapping[str, Array]) -> bool:
    """Whether rows ``lost`` lie half way between two keys, or all beside the same one: none is the nearest, or all are of
    something else."""
    assert isinstance(problem.meaning, d.Predictions)
    assert problem.data is not None
    match = problem.meaning.matches[index]
    wanted = key_codes(problem.data, match.keys[0][1])[[one.row - 1 for one in lost]]
    places = key_values(match, outputs)[0]
    return has_tie(wanted, places) or in_one_gap(wanted, places)


def _nearest(
    problem: d.Problem,
    index: int,
    lost: list[Unpaired],
    outputs: Mapping[str, Array],
    texts: Mapping[str, tuple[str, ...]],
) -> d.Problem | None:
    """Numbers: a tolerance wide enough. Labels: those of the data written as the program writes them."""
    assert isinstance(problem.meaning, d.Predictions)
    assert problem.data is not None
    match, data = problem.meaning.matches[index], problem.data
    if not lost or not all(one.nearest for one in lost) or match.by_day or match.key_column is None or match.key_output is None:
        return None
    output_key, name = match.key_output, match.key_column
    codes, found = key_codes(data, name), key_values(match, outputs)[0]
    gaps = [abs(float(found[one.nearest[0]] - codes[one.row - 1])) for one in lost if codes[one.row - 1] < FIRST_LABEL]
    if gaps:
        match = msgspec.structs.replace(match, key_tolerance=float(f"{max(gaps) * ROOM:.4g}"))
    labels = texts.get(output_key, ())
    renamed = {one.row - 1: labels[one.nearest[0]] for one in lost if codes[one.row - 1] >= FIRST_LABEL and labels}
    if renamed and name in data.texts:
        cells = tuple(renamed.get(i, t) for i, t in enumerate(data.texts[name]))
        data = msgspec.structs.replace(data, texts={**data.texts, name: cells})
    changed = with_match(msgspec.structs.replace(problem, data=data), index, match)
    return changed if fits(match, data, outputs) else None
