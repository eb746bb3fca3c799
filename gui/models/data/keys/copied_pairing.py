"""How one comparison is paired - keys, their unit, tolerance, interpolation, rows left out - copied to its siblings. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

import msgspec

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.errors.sd_pairs import sd_pairs
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.compared_outputs import compared, with_match
from bayescope.gui.models.data.keys.key_candidates import Key, candidates, paired_by
from bayescope.gui.models.data.keys.other_key import pairs_all
from bayescope.gui.models.data.keys.own_columns import by_own_columns, is_twin, own_name
from bayescope.gui.models.data.keys.own_table import counterpart
from bayescope.gui.models.data.keys.own_text_keys import by_own_text
from bayescope.gui.models.data.keys.possible_keys import places_beside
from bayescope.gui.models.data.keys.rows_outside import without_outside

# of a comparison, beside its keys: the scale of the first key, and how its entries find their partners
SCALE = ("key_factor", "key_offset", "key_inverse")
BETWEEN = ("key_tolerance", "interpolate", "by_day")


def way_of(match: d.Match) -> tuple[object, ...]:
    """How rows are paired by the keys that ``match`` has."""
    return tuple(getattr(match, field) for field in (*SCALE, *BETWEEN))


def copied(match: d.Match, keys: Sequence[tuple[str, str]], model: d.Match, scale: bool = True) -> d.Match:
    """``match`` paired by ``keys`` in the way of ``model``; ``scale``: the first is in the unit of that of ``model``."""
    fields = (*SCALE, *BETWEEN) if scale else BETWEEN
    return msgspec.structs.replace(paired_by(match, keys), **{field: getattr(model, field) for field in fields})


def like_twin(problem: d.Problem, twin: d.Match, column: str, behind: str = "") -> d.Match:
    """The comparison ``twin`` for another ``column``, in its unit, with its own keys and deviations where these have ``behind``
    them; those of a repeated measurement ('' behind) are the same, but for errors of its own. No test run is asked."""
    data = problem.data
    key, second, sd = (own_name(data, name, behind) for name in (twin.key_column, twin.second_key_column, twin.sd_column))
    if behind:
        sd = sd if sd != twin.sd_column else None
    elif data is not None and sd is not None and (sds := sd_pairs(list(data.columns))).get(twin.column) == sd:
        sd = sds.get(column)
    return msgspec.structs.replace(
        twin, column=column, key_column=key, second_key_column=second, sd_column=sd, left_out=(), outside=None, rows=()
    )


def paired_like(problem: d.Problem, index: int, report: TrialRunReport | None, model: d.Match) -> d.Problem | None:
    """Comparison ``index`` paired as ``model`` is, by the data columns of its own file; None: its rows do not fit so in the test
    run. Rows that are interpolated and lie beyond the ends are left out."""
    assert isinstance(problem.meaning, d.Predictions)
    if problem.data is None:
        return None
    return _paired(problem, index, report, by_own_columns(problem.data, problem.meaning.matches[index], model))


def with_factor_of(problem: d.Problem, index: int, model: d.Match) -> d.Problem:
    """Comparison ``index``, if it repeats the measurement of ``model``, with the factor of that, unless it has one."""
    assert isinstance(problem.meaning, d.Predictions)
    match = problem.meaning.matches[index]
    if match.output != model.output or not is_twin(model, match) or (match.factor, match.offset) != (1.0, 0.0):
        return problem
    return with_match(problem, index, msgspec.structs.replace(match, factor=model.factor, offset=model.offset))


def copied_to(
    problem: d.Problem, others: Iterable[int], report: TrialRunReport | None, model: d.Match
) -> tuple[d.Problem, list[int]]:
    """The comparisons ``others`` paired as ``model`` is, and which of them become so."""
    done: list[int] = []
    for i in others:
        changed = paired_like(problem, i, report, model)
        if changed is not None and changed.meaning != problem.meaning:
            problem = changed
            done.append(i)
    return problem, done


def newly_left_out(before: d.Problem, after: d.Problem, index: int) -> int:
    """How many rows of comparison ``index`` are left out ``after`` and were not ``before``."""
    assert isinstance(before.meaning, d.Predictions)
    assert isinstance(after.meaning, d.Predictions)
    return len(set(after.meaning.matches[index].left_out) - set(before.meaning.matches[index].left_out))


def _paired(problem: d.Problem, index: int, report: TrialRunReport | None, model: d.Match) -> d.Problem | None:
    """By the keys that stand in the table of ``index`` where those of ``model`` stand in its own, those of ``model``, or others
    beside the values of ``index``, with the data columns of ``model``."""
    found = compared(problem, index, report)
    if found is None or report is None:
        return None
    match, data, outputs, _texts = found
    if match.column in [column for _, column in model.keys] or _another_sweep(problem, match, model):
        return None
    assert isinstance(problem.meaning, d.Predictions)
    measured = {m.output for m in problem.meaning.matches if m.column}  # what is compared itself is no place of others

    def in_its_table(output: str) -> str:
        own = counterpart(problem, output, match.output)
        return output if own is None or own in measured else own

    beside = [(in_its_table(output), column) for output, column in model.keys]

    def ways() -> Iterator[tuple[Sequence[Key], bool]]:
        """Keys, and whether the first is in the unit of that of ``model``."""
        if (own := by_own_text(with_match(problem, index, copied(match, beside, model)), index, report)) is not None:
            yield own[1], True  # rather than one of another file
        yield [Key(*pair) for pair in beside], True
        yield [Key(*pair) for pair in model.keys], True
        every = list(candidates(problem, match, data, outputs, report, labels_only=False))  # reads the table many times
        for keys in product(*([key for key in every if key.column == column] for _, column in model.keys)):
            yield keys, keys[0].pair in (model.keys[0], beside[0])

    for keys, alike in ways():
        codes = {k.output: k.codes for k in keys if k.codes is not None}
        if any(k.output not in outputs and k.output not in codes for k in keys) or match.output in [k.output for k in keys]:
            continue
        trial = copied(match, [key.pair for key in keys], model, scale=alike)
        cut = without_outside(trial, data, {**outputs, **codes}) if trial.interpolate else None
        trial = trial if cut is None else cut[0]
        if pairs_all(trial, data, {**outputs, **codes}, labels_only=False):
            added = tuple(k.declared for k in keys if k.declared is not None)
            read = msgspec.structs.replace(problem, outputs=(*problem.outputs, *added))
            return with_match(read, index, trial)
    return None


def _another_sweep(problem: d.Problem, match: d.Match, model: d.Match) -> bool:
    """Whether the places of ``match`` stand beside it in a column of their own, which is none of the keys of ``model``."""
    mine, its = places_beside(problem, match.column), places_beside(problem, model.column)
    assert isinstance(problem.meaning, d.Predictions)
    paired = [m.column for m in (*problem.meaning.matches, model) if m.keys]  # they are measured, and places of nothing
    keys = [column for _, column in model.keys]
    return bool(mine) and mine not in (*paired, *keys) and its in keys
