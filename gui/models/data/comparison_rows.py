"""What the table of comparisons says of each: what is compared with what, how rows are paired, by what the output is multiplied,
and how large the errors are. Pure."""

from __future__ import annotations

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.errors.sd_pairs import is_own_sd
from bayescope.engine.problem.data.rows.key_scale import Scale, scale_of
from bayescope.engine.problem.definition import Match
from bayescope.engine.problem.numbers.shown_digits import in_full, spoken
from bayescope.gui.models.data.errors.error_size import size_of, text_of_size
from bayescope.gui.models.data.errors.factor_size import factor_text
from bayescope.gui.models.data.keys.own_text_keys import file_words, foreign_keys
from bayescope.gui.models.data.rows.left_out import measured
from bayescope.gui.models.plain import shown
from bayescope.gui.models.records import Column

MOST_NAMED = 3  # rows of an output that are taken
OPEN = "not chosen yet"
UNSAID = "not said yet"
AS_IT_IS = "as it is"
FACTOR_TIP = (
    "By what the output is multiplied, and what is added to it: 1000, 1/4.184, 1.8 + 32. Or the unit of the program: m where mm "
    "were measured."
)
KEY_TIP = (
    "How it is known which computed value belongs to which measured one. A click types the shift or the factor of the key: "
    "+ 12.3, x 1000, / 60, 180 - it; the unit in which the program counts it: min; or the name of another key: time, time x 60."
)
ERRORS_TIP = (
    "0.5, 3 %, 0.01 + 3 %, 0.40 (k=2), or the name of a column that holds them; empty: as large as those of the others, which "
    "stand in grey."
)


def match_columns(problem: d.Problem | None = None) -> tuple[Column[Match], ...]:
    """Those of the table of comparisons of ``problem``. What is typed into a cell, ``list_edits`` takes."""
    meaning = problem.meaning if problem is not None else None
    common = meaning.noise if isinstance(meaning, d.Predictions) else None
    outputs = tuple(o.name for o in problem.outputs) if problem is not None else ()
    columns = tuple(problem.data.columns) if problem is not None and problem.data is not None else ()
    return (
        Column("output", "Output", "What the program computes. Double-click: another one.", lambda m: m.output, _typed,
               choices=outputs),
        Column("column", "Measured", "The measured values. Double-click: another column.", lambda m: m.column or OPEN,
               _typed, choices=columns),
        Column("key", "Paired", KEY_TIP, lambda m: _paired_of(problem, m), _typed, edited=key_scaling_typed),
        Column("factor", "Factor", FACTOR_TIP, scaling_text, _typed, empty=AS_IT_IS, edited=scaling_typed),
        Column("noise", "Errors", ERRORS_TIP, lambda m: errors_words(m, common), _typed, edited=lambda m: errors_text(m, common)),
    )  # fmt: skip


def _typed(match: Match, text: str) -> Match:
    """A cell that is typed into changes more than its record: see ``list_edits``."""
    raise NotImplementedError(text)


def scaling_text(match: Match) -> str:
    """By what an output is multiplied and what is added: “× 1000 − 273.15”; '' where it is taken as it is."""
    return Scale(match.factor, match.offset).written("").strip()


def scaling_typed(match: Match) -> str:
    """The same with all digits, as it is typed."""
    return _scale_typed(Scale(match.factor, match.offset))


def key_scaling_typed(match: Match) -> str:
    """The scale of the key with all digits, as it is typed: + 12.3, × 1000, 1239.84 / wavelength."""
    scale = scale_of(match)
    return _scale_typed(scale, match.key_output or "") if match.keys else ""


def _scale_typed(scale: Scale, name: str = "") -> str:
    times = f"{shown(scale.factor)} / {name}" if scale.inverse else "" if scale.factor == 1.0 else f"× {shown(scale.factor)}"
    plus = "" if scale.offset == 0.0 else f" {'+' if scale.offset > 0.0 else '−'} {in_full(abs(scale.offset))}"
    return f"{times}{plus}".strip()


def _paired(match: Match) -> str:
    if not match.keys:
        return f"in order, with its {'row' if len(match.rows) == 1 else 'rows'} {_few(match.rows)}" if match.rows else "in order"
    way = "interpolated in" if match.interpolate else "by the day of" if match.by_day else "by"
    scale = scale_of(match)
    scaled = "" if scale.plain else f" ({scale.written(match.key_output or '')})"
    return f"{way} {' and '.join(column for _, column in match.keys)}{scaled}"


def _paired_of(problem: d.Problem | None, match: Match) -> str:
    """How rows are paired, from which file where their key is not in that of the values, and how many are left out."""
    foreign = foreign_keys(problem, match) if problem is not None else ()
    sources = {o.name: o.source for o in problem.outputs} if problem is not None else {}
    of_file = f", from {file_words(sources[foreign[0][0]])}" if foreign else ""
    return f"{_paired(match)}{of_file}{_without(problem, match)}"


def _few(rows: tuple[int, ...]) -> str:
    return ", ".join(map(str, rows[:MOST_NAMED])) + (" …" if len(rows) > MOST_NAMED else "")


def is_common(match: Match) -> bool:
    """Whether the errors are those that are said for all."""
    return match.noise is None and match.sd_column is None


def errors_words(match: Match, common: d.NoiseModel | None = None) -> str:
    """How large the errors are: a size, a column, or the model in a word or two."""
    own = match.sd_column is not None and is_own_sd(match.sd_column, match.column)
    found = "own sd" if own else match.sd_column or model_words(match.noise or common, match.column)
    return found if match.discrepancy is None else f"{found}; the program may be off"


def model_words(noise: d.NoiseModel | None, column: str | None = None) -> str:
    """A model of the errors of the measured ``column`` in a word or two."""
    if noise is None:
        return UNSAID
    if isinstance(noise, d.GaussianKnown):
        size = text_of_size(size_of(noise))
        own = column is not None and noise.sd_column is not None and is_own_sd(noise.sd_column, column)
        sds = "own sd" if own else noise.sd_column or ""
        return " + ".join(part for part in (sds, size) if part) or UNSAID
    if (learned := getattr(noise, "parameter", None)) is not None:
        return f"learned: {learned}" if learned else "learned"
    names = () if isinstance(noise, d.GaussianIntegrated) else ("scale_column", "scale", "log_sd", "sd", "size")
    size = next((v for name in names if (v := getattr(noise, name, None)) is not None), "")
    if isinstance(noise, d.LogNormalNoise) and isinstance(size, float):
        factor = factor_text(size)
        return f"{spoken(100.0 * size, 4)} % of the prediction" if factor.startswith("log") else f"{factor} (log-normal)"
    name = _MODELS[type(noise)]
    if isinstance(noise, d.StudentTNoise) and noise.percent is not None:
        size = " + ".join(p for p in (_sized(size), f"{spoken(noise.percent)} %") if p)
    return f"{name}, {_sized(size)}" if size != "" else name


def _sized(size: float | str) -> str:
    return shown(size) if isinstance(size, float) else size


_MODELS: dict[type, str] = {
    d.GaussianInferred: "learned", d.GaussianIntegrated: "averaged over", d.StudentTNoise: "Student t",
    d.LogNormalNoise: "log-normal", d.PoissonNoise: "counts (Poisson)", d.NegativeBinomialNoise: "counts (negative binomial)",
    d.Ar1Noise: "AR(1)", d.CovarianceNoise: "covariance matrix",
}  # fmt: skip


def errors_text(match: Match, common: d.NoiseModel | None) -> str:
    """The same as it is typed: a size or the name of a column; '' for a model that is chosen below."""
    if match.sd_column is not None:
        return match.sd_column
    noise = match.noise or common
    if isinstance(noise, d.GaussianKnown) and noise.sd_column is not None:
        return noise.sd_column
    if isinstance(noise, d.LogNormalNoise) and noise.log_sd is not None:
        return factor_text(noise.log_sd)
    return text_of_size(size_of(noise))


def _without(problem: d.Problem | None, match: Match) -> str:
    """How many of its values are left out: rows may be that have none."""
    count = len(match.left_out) if problem is None else sum(measured(problem, match, row) for row in match.left_out)
    return f", {count} left out" if count else ""
