"""What a simulator's outputs can mean, as the window offers it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.errors.sd_pairs import sd_pairs
from bayescope.engine.problem.data.names.column_names import same_names, says_where, sd_columns, without_unit
from bayescope.engine.problem.data.names.same_meaning import speak_against
from bayescope.engine.problem.data.rows.comparison import key_texts
from bayescope.engine.problem.data.rows.place_columns import may_say_where, says_place
from bayescope.gui.models.data.errors.errors_beside import stand_beside
from bayescope.gui.models.data.errors.own_scatter import FIELD as OWN_ERROR_FIELD
from bayescope.gui.models.data.keys.key_candidates import may_pair, paired_by
from bayescope.gui.models.data.keys.known_keys import KnownKeys
from bayescope.gui.models.data.keys.places_in_table import without_places
from bayescope.gui.models.data.names_in_units import names_and_units_told
from bayescope.gui.models.data.replicates import named_repeats
from bayescope.gui.models.data.taking_part import unpaired
from bayescope.gui.models.fields import Field

AND_ITS_ERROR = 2  # outputs of a program that computes a log-likelihood, and its standard error
_OUTPUT = Field("output", "Output", "The output that holds this number.", "output")
_NOISE_SD = Field(
    "noise_sd",
    "Its standard error",
    "For random simulators: the output with the estimate's standard error.",
    "optional_output",
)
_AVERAGES = (("log", "The log-likelihoods"), ("likelihood", "The likelihoods (particle filters)"))
_RANDOM = (
    Field("repeats", "Runs at each point", "More than 1: for random programs; their average counts.", "count"),
    Field("average", "What is averaged", "Over the runs at one point.", "choice", choices=_AVERAGES),
    Field("random", "It is random, and nothing says how much", "The size of its noise is then learned too.", "flag"),
)
_ESTIMATORS = (
    ("unbiased_log", "Unbiased for the log-likelihood (recommended)"),
    ("unbiased", "Unbiased for the likelihood"),
    ("plain", "Plain"),
)
_ESTIMATOR = (
    "How the log-likelihood is worked out from mean and covariance of the summaries over the runs at a point. The unbiased ones "
    "allow for their being known from so few runs; plain takes them as they are."
)
_SHRINKAGE = (
    "From 0, the correlations of the summaries as they came out, to 1, none at all. More than 0 helps where the runs at a point "
    "are few for so many summaries, or where summaries say the same; only with the plain estimator."
)
_STANDARD_ERROR = (
    "How far the log-likelihood at a point is off by chance: by the formula for normal summaries (quick), or by drawing among "
    "the runs again and again (right for summaries that are not normal, too)."
)
_ERRORS = (("formula", "Formula"), ("bootstrap", "Resampling (bootstrap)"))
_KERNELS = (("gaussian", "Gradual (Gaussian)"), ("epanechnikov", "With a sharp end (Epanechnikov)"))


@dataclass(frozen=True)
class MeaningKind:
    kind: type[Any]
    title: str
    words: str
    fields: tuple[Field, ...] = ()

    @property
    def tag(self) -> str:
        return str(self.kind.__struct_config__.tag)


MEANINGS: tuple[MeaningKind, ...] = (
    MeaningKind(
        d.Predictions,
        "Predictions of what was measured",
        "The program computes what the instrument should have seen. Bayescope compares that with your data table. "
        "If they come from Monte Carlo or molecular dynamics, tick that under Details, below.",
        (OWN_ERROR_FIELD,),
    ),
    MeaningKind(
        d.LogLikelihoodOutput,
        "The log-likelihood",
        "The program compares itself with the data already and prints ln p(data | parameters).",
        (_OUTPUT, _NOISE_SD, *_RANDOM),
    ),
    MeaningKind(
        d.MinusTwoLogLikelihood,
        "−2 × log-likelihood, or χ²",
        "The program prints χ² = −2 ln L; half of it with a minus sign is the log-likelihood.",
        (_OUTPUT,),
    ),
    MeaningKind(
        d.SumOfSquares,
        "A sum of squared deviations",
        "The program prints Σ (measured − computed)²; the errors are normal with a known standard deviation.",
        (
            _OUTPUT,
            Field("sd", "Standard deviation of the errors", "In the unit of the data.", "number"),
            Field(
                "count", "Number of data points", "How many were summed; needed for the evidence. 0: unknown.", "count"
            ),
        ),
    ),
    MeaningKind(
        d.LogPosteriorOutput,
        "The log-posterior (prior included)",
        "The program adds the logarithm of the prior itself. The priors declared here then only say where to look.",
        (_OUTPUT, _NOISE_SD, *_RANDOM),
    ),
    MeaningKind(
        d.SyntheticLikelihood,
        "Random simulations, summarized (synthetic likelihood)",
        "The program is random. It is run many times at each point; summaries of its outputs are taken as normal and compared "
        "with those of the data.",
        (
            Field("repeats", "Runs at each point", "More runs: less noise, more time.", "count"),
            Field("estimator", "Estimator", _ESTIMATOR, "choice", choices=_ESTIMATORS),
            Field("shrinkage", "Shrink correlations", _SHRINKAGE, "number"),
            Field(
                "standard_error",
                "Standard error by",
                _STANDARD_ERROR,
                "choice",
                choices=_ERRORS,
            ),
        ),
    ),
    MeaningKind(
        d.ApproximateBayes,
        "Random simulations near the data (ABC)",
        "The program is random. It is run many times at each point; what counts is how often it comes near the data.",
        (
            Field("repeats", "Runs at each point", "More runs: less noise, more time.", "count"),
            Field("kernel", "What counts as near", "The shape of the limit.", "choice", choices=_KERNELS),
            Field(
                "width", "How near", "In units of the summaries' scales. Empty: from the quantile.", "optional_number"
            ),
            Field(
                "quantile", "Or the nearest share", "The share of runs that counts, when no width is given.", "number"
            ),
        ),
    ),
    MeaningKind(
        d.InverseBinomial,
        "Random responses, trial by trial",
        "The data are responses in trials; the program simulates one per trial and runs until each measured one has come up.",
        (
            Field("output", "Output", "The simulated responses, one for each trial.", "output"),
            Field("column", "Measured responses", "The data column with the responses.", "data_column"),
            Field("most_repeats", "At most so many runs", "Then trials that never matched count as matched.", "count"),
            Field("rounds", "Averaged over", "More rounds: less noise, more time.", "count", "rounds"),
        ),
    ),
)


def kind_of(meaning: d.Meaning) -> MeaningKind:
    return next(k for k in MEANINGS if isinstance(meaning, k.kind))


def compares_with_data(meaning: d.Meaning) -> bool:
    """Whether the data table is needed."""
    return isinstance(meaning, d.Predictions | d.SyntheticLikelihood | d.ApproximateBayes | d.InverseBinomial)


def converted(problem: d.Problem, kind: MeaningKind, known: KnownKeys | None = None) -> d.Meaning:
    """The meaning of this kind that keeps what can be kept of the present one. ``known``: as for ``first_summaries``."""
    now = problem.meaning
    if kind_of(now) is kind:
        return now
    first = problem.outputs[0].name if problem.outputs else ""
    output = getattr(now, "output", "") or first
    noise_sd = getattr(now, "noise_sd", None)
    made: d.Meaning
    if kind.kind is d.Predictions:
        made = first_predictions(problem, known)
    elif kind.kind is d.SumOfSquares:
        made = d.SumOfSquares(output=output, sd=1.0)
    elif kind.kind is d.MinusTwoLogLikelihood:
        made = d.MinusTwoLogLikelihood(output=output)
    elif kind.kind is d.LogPosteriorOutput:
        made = d.LogPosteriorOutput(output=output, noise_sd=noise_sd)
    elif kind.kind is d.SyntheticLikelihood:
        made = d.SyntheticLikelihood(summaries=first_summaries(problem, known))
    elif kind.kind is d.ApproximateBayes:
        made = d.ApproximateBayes(summaries=first_summaries(problem, known))
    elif kind.kind is d.InverseBinomial:
        made = d.InverseBinomial(output=output, column=_column_for(problem, output))
    else:
        made = d.LogLikelihoodOutput(output=output, noise_sd=noise_sd)
    return made


def first_summaries(problem: d.Problem, known: KnownKeys | None = None) -> tuple[d.Summary, ...]:
    """The summaries there are, else one for each output that a data column is named like and that parameters change, but for
    those that say where a row is."""
    present, known = getattr(problem.meaning, "summaries", ()), known or KnownKeys()
    away = {*known.steady, *(o for o, _ in (*_keys(problem, known), *known.pairs))}
    return present or tuple(_keyed(problem, o, c, known) for o, c in _named_alike(problem).items() if o not in away)


def _keyed(problem: d.Problem, output: str, column: str, known: KnownKeys | None) -> d.Summary:
    """A summary at those keys of the data that two test runs or names tell, if they do."""
    known = known or KnownKeys()
    keys = known.keys_of(problem, output, column, _keys(problem, known))
    own, name = next(iter(keys), (None, None))
    return d.Summary(output=output, column=column, key_output=own, key_column=name)


def next_summary(problem: d.Problem, known: KnownKeys | None = None) -> d.Summary:
    """A summary to add: of the first output that parameters change, rather one that is not summarized yet, and of the column of
    its name or the only one; else the user chooses it."""
    steady = known.steady if known is not None else ()
    names = _numbers(problem) or [o.name for o in problem.outputs]
    names = [n for n in names if n not in steady] or names
    taken = {s.output for s in getattr(problem.meaning, "summaries", ())}
    output = next((n for n in names if n not in taken), names[0])
    return _keyed(problem, output, _column_for(problem, output), known)


def first_predictions(problem: d.Problem, known: KnownKeys | None = None, words: bool = False) -> d.Predictions:
    """Outputs matched with data columns of the same name; a shared time or x column pairs the rows, or one of the ``known`` keys.

    Where names do not tell and one output and one column are left, these two are compared unless names speak against it. The size
    of the errors is left open (nobody but the user knows it), except where a column says it by its name. ``words``: a name within
    the other tells, too.
    """
    known = known or KnownKeys()
    columns, sds, alike, named = _columns(problem), _sd_columns(problem), _named_alike(problem), _keys(problem, known)
    pairs = [(o, c) for o, c in alike.items() if c not in (*sds, *known.marked) and (o, c) not in (*named, *known.pairs)]
    left = [n for n in _numbers(problem) if n not in alike]
    free = [c for c in columns if c not in alike.values() and c not in sds and c not in known.marked]
    if words:
        pairs += (again := _of_repeats(problem, {*known.steady, *alike}))
        left, free = [o for o in left if o not in {o for o, _ in again}], [c for c in free if c not in {c for _, c in again}]
        told = names_and_units_told(problem, left, free).items()
        pairs += [(o, c) for o, c in told if o not in known.steady and not _is_place(problem, c)]
        pairs = without_places(problem, pairs)
    if len(left) == 1 and len(free) == 1 and not pairs and not speak_against(left[0], free[0]):
        pairs = [(left[0], free[0])]
    order = {o.name: i for i, o in enumerate(problem.outputs)}  # as they were marked, however their names told
    pairs.sort(key=lambda pair: order.get(pair[0], len(order)))
    return d.Predictions(matches=matched(problem, pairs, known), noise=d.GaussianKnown())


def _of_repeats(problem: d.Problem, away: Collection[str]) -> list[tuple[str, str]]:
    """Outputs with the repeated measurements that bear their names, but for those ``away`` and columns that do not count."""
    aside = problem.meaning.aside if isinstance(problem.meaning, d.Predictions) else ()
    return [(o, c) for c, o in named_repeats(problem).items() if o not in away and c not in aside]


def _is_place(problem: d.Problem, column: str) -> bool:
    """Whether a column says where or when for what is compared, or may be: one that stands beside nothing compared does not."""
    if problem.data is None or not says_place(problem.data, column):
        return False
    return column not in unpaired(problem).columns


def matched(problem: d.Problem, pairs: Sequence[tuple[str, str]], known: KnownKeys) -> tuple[d.Match, ...]:
    """A comparison for each output and column, with the errors that names tell, rows paired by the keys that fit."""
    columns, sds, named = _columns(problem), _sd_columns(problem), _keys(problem, known)
    own = sd_pairs(columns)
    free_sds = [s for s in sds if s not in own.values()]
    only = free_sds[0] if len(pairs) == 1 == len(free_sds) and stand_beside(problem.data, free_sds[0], pairs[0][1]) else None
    return tuple(
        paired_by(d.Match(output=o, column=c, sd_column=own.get(c, only)), known.keys_of(problem, o, c, named)) for o, c in pairs
    )


def next_match(
    problem: d.Problem, present: Sequence[d.Match], known: KnownKeys | None = None, output: str | None = None
) -> d.Match:
    """A comparison to add to those ``present`` (of ``output``, if given): one that names tell; else of an output that is not
    compared yet, with its column left empty, because no column has a reason to be taken."""
    known = known or KnownKeys()
    proposed = first_predictions(problem, known, words=True).matches
    compared = {m.output for m in present}
    of_keys = {name for m in present for key in m.keys for name in key}
    free = [m for m in proposed if output is not None or not {m.output, m.column} & of_keys]  # rows are paired by the others
    told = next((m for m in free if m.output not in compared and output in (None, m.output)), None)
    if told is not None:
        return told
    keys = _keys(problem, known)
    names = _numbers(problem) or [o.name for o in problem.outputs]
    kept = [n for n in names if n not in {o for o, _ in keys} | of_keys and n not in known.steady] or names
    output = output or next((n for n in kept if n not in compared), kept[0])
    return paired_by(d.Match(output=output, column=""), known.keys_of(problem, output, "", keys))


def _columns(problem: d.Problem) -> list[str]:
    return list(problem.data.columns) if problem.data else []


def _sd_columns(problem: d.Problem) -> list[str]:
    return sd_columns(_columns(problem))


def _named_alike(problem: d.Problem) -> dict[str, str]:
    return same_names(_numbers(problem), _columns(problem))


def _numbers(problem: d.Problem) -> list[str]:
    """The outputs that are numbers, not labels, nor which table a row is of."""
    return [o.name for o in problem.outputs if not o.only_key]


def _column_for(problem: d.Problem, output: str) -> str:
    """The column of the output's name, else the only one; empty where neither says it."""
    columns = _columns(problem)
    return _named_alike(problem).get(output) or (columns[0] if len(columns) == 1 else "")


def _keys(problem: d.Problem, known: KnownKeys) -> list[tuple[str, str]]:
    """Output and column of the labels or the quantity that pair the rows, told by their names: none, one, or two where the first
    is the same in several measured rows (one depth on many dates)."""
    data = problem.data
    if data is None:
        return []
    found = list(same_names([o.name for o in problem.outputs if o.text], list(data.texts)).items())
    sds = _sd_columns(problem)
    if len(problem.outputs) >= 2 + len(found) and len(_columns(problem)) - len(sds) >= 2:
        plain = [c for c in _columns(problem) if c not in sds]
        shared = [(o, c) for o, c in _named_alike(problem).items() if c not in sds and may_pair(data, c)]
        found += [(o, c) for o, c in shared if may_say_where(data, c) or (without_unit(c) == c and says_where(o))] or (
            [] if found or known.pairs else _without_errors(shared, plain, sd_pairs(_columns(problem)), known)
        )
    if len(found) < 2 or len(found) == len(problem.outputs):
        return found[:1]
    shown = key_texts(data, found[0][1])
    measured = [v for c, v in data.columns.items() if c not in sds and c not in {c for _, c in found}]
    rows = [[shown[i] for i, v in enumerate(values) if v is not None] for values in measured]
    return found[: 2 if any(len(set(keys)) < len(keys) for keys in rows) else 1]


def _without_errors(
    shared: list[tuple[str, str]], columns: Sequence[str], own: Collection[str], known: KnownKeys
) -> list[tuple[str, str]]:
    """The one of the ``columns`` without errors of its own where all others have theirs (``own``): it says where, they what."""
    bare = [c for c in columns if c not in own]
    return [(o, c) for o, c in shared if [c] == bare and (o, c) not in known.unlike] if len(columns) > 1 else []
