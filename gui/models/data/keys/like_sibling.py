"""A comparison whose rows find no partner, paired as one beside it is: of its file, a further one, another instrument. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.rows.key_scale import scale_of
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.compared_outputs import compared
from bayescope.gui.models.data.keys.copied_pairing import copied_to, newly_left_out, paired_like, with_factor_of
from bayescope.gui.models.data.keys.own_columns import is_twin
from bayescope.gui.models.data.keys.own_table import same_table
from bayescope.gui.models.data.keys.rows_outside import outside_words
from bayescope.gui.models.data.rows.unfit import unfit_words
from bayescope.gui.models.plain import one_line

MOST_SIBLINGS = 6  # that are tried, while the window waits


@dataclass(frozen=True)
class LikeSibling:
    """``problem`` with ``count`` comparisons paired as that of ``output`` with ``column`` is; ``words``: how, a sentence."""

    problem: d.Problem
    output: str
    column: str
    count: int
    words: str

    @property
    def button(self) -> str:
        those = f"all {self.count}" if self.count > 1 else "it"
        return f"&Pair {those} as {one_line(self.output, 20)}".replace("&", "&&").replace("&&Pair", "&Pair", 1)


def like_sibling(problem: d.Problem, index: int, report: TrialRunReport | None) -> LikeSibling | None:
    """Comparison ``index``, whose rows do not fit, and all others that do not, paired as one that does is: by its key, or the one
    of that name in the own file, with its factor, and interpolated where that is. None: none does, or they do not fit so."""
    meaning = problem.meaning
    if report is None or not isinstance(meaning, d.Predictions) or not 0 <= index < len(meaning.matches):
        return None
    if not unfit_words(problem, index, report):
        return None
    for model in _models(problem, index, report)[:MOST_SIBLINGS]:
        changed = paired_like(problem, index, report, model)
        if changed is None:
            continue
        others = [j for j, m in enumerate(meaning.matches) if j != index and m.column and unfit_words(problem, j, report)]
        changed, done = copied_to(changed, others, report, model)
        for j in (index, *done):
            changed = with_factor_of(changed, j, model)
        return LikeSibling(changed, model.output, model.column, len(done) + 1, _words(problem, changed, index, model))
    return None


def _models(problem: d.Problem, index: int, report: TrialRunReport) -> list[d.Match]:
    """The comparisons with a key whose rows fit: of repeated measurements first, then of the same table of the program."""
    assert isinstance(problem.meaning, d.Predictions)
    matches, declared = problem.meaning.matches, {o.name: o for o in problem.outputs}
    match = matches[index]
    fit = [
        m for i, m in enumerate(matches)
        if i != index and m.keys and m.column and compared(problem, i, report) is not None and not unfit_words(problem, i, report)
    ]  # fmt: skip
    beside = {m.output for m in fit if match.output in declared and same_table(declared[m.output], declared[match.output])}
    return sorted(fit, key=lambda m: (m.output != match.output or not is_twin(m, match), m.output not in beside))


def _key_words(match: d.Match) -> str:
    """Its key, and by what the output that it is paired with is multiplied."""
    scale = scale_of(match)
    times = "" if scale.plain else f", {scale.written(f'“{one_line(match.key_output or str(), 20)}”')}"
    return f"“{one_line(match.key_column or '', 30)}”{times}"


def _words(before: d.Problem, after: d.Problem, index: int, model: d.Match) -> str:
    assert isinstance(before.meaning, d.Predictions)
    assert isinstance(after.meaning, d.Predictions)
    new = after.meaning.matches[index]
    way = "interpolated over" if new.interpolate else "paired by the day of" if new.by_day else "paired by"
    told = f"“{one_line(model.output, 24)}” is {way} {_key_words(model)}"
    told += "." if _key_words(new) == _key_words(model) else f"; here that is {_key_words(new)}."
    n = sum(v is not None for v in before.data.columns[new.column]) if before.data is not None else 0
    return f"{told} {outside_words(newly_left_out(before, after, index), n)}".strip()
