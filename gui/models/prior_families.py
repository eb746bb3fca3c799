"""The prior families as the window offers them: names, numbers to fill in, one plain line each, and text in and out."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

import msgspec

from bayescope.engine.problem import definition as d
from bayescope.gui.models.plain import listed, number_of, one_line, optional_number_of, shown
from bayescope.gui.models.priors_in_words import limits_of, plain_words, worded_prior
from bayescope.gui.models.spoken_priors import log_normal_over, log_normal_words, spoken_prior
from bayescope.gui.models.typed_functions import evaluated

MOST_DIGITS = 7  # of a median that is shown to be typed over
MOST_LOG = 690.0  # of a natural logarithm, short of what a float holds


@dataclass(frozen=True)
class Number:
    """One number of a prior. ``default`` is offered when the family is chosen anew."""

    field: str
    label: str
    tip: str
    default: float | None
    optional: bool = False


@dataclass(frozen=True)
class Family:
    kind: type[Any]  # a Prior record
    title: str
    words: str
    numbers: tuple[Number, ...]
    short: tuple[str, ...] = ()  # other ways to write it

    @property
    def tag(self) -> str:
        return str(self.kind.__struct_config__.tag)


def _low_high(low: float = 0.0, high: float = 1.0) -> tuple[Number, Number]:
    return (
        Number("low", "From", "The smallest value that is possible.", low),
        Number("high", "To", "The largest value that is possible.", high),
    )


_SHAPE = Number("shape", "Shape", "Larger: more peaked. Must be positive.", 2.0)
_SCALE = Number("scale", "Scale", "Stretches the prior; in the parameter's unit. Must be positive.", 1.0)

FAMILIES: tuple[Family, ...] = (
    Family(d.Uniform, "Uniform", "Every value between two limits is equally plausible.", _low_high(), ("flat", "u")),
    Family(
        d.LogUniform,
        "Log-uniform",
        "Every order of magnitude between two positive limits is equally plausible.",
        _low_high(0.01, 100.0),
        ("loguniform", "reciprocal", "jeffreys"),
    ),
    Family(
        d.Normal,
        "Normal",
        "Near a central value, with a typical deviation; no limits.",
        (
            Number("mean", "Mean", "The value you expect.", 0.0),
            Number("sd", "Standard deviation", "How far it may typically be from the mean.", 1.0),
        ),
        ("gaussian", "n"),
    ),
    Family(
        d.TruncatedNormal,
        "Truncated normal",
        "As the normal, but cut off at one limit or both.",
        (
            Number("mean", "Mean", "The peak before cutting.", 0.0),
            Number("sd", "Standard deviation", "How far it may typically be from the peak.", 1.0),
            Number("low", "From", "Lower limit; empty for none.", 0.0, True),
            Number("high", "To", "Upper limit; empty for none.", None, True),
        ),
        ("truncnorm", "truncatednormal"),
    ),
    Family(
        d.LogNormal,
        "Log-normal",
        "Positive; its logarithm is normal, so factors matter rather than differences. Or type it whole: "
        "log-normal 5 ± 20 %, 5 */ 2.",
        (
            Number("log_mean", "Mean of the natural logarithm", "Of the typical value: ln(25), 3.2, if that is about 25.", 0.0),
            Number(
                "log_sd", "Sd of the natural logarithm", "0.1 means within about 10 %; 1 means within a factor of about 3.", 1.0
            ),
        ),
        ("lognormal",),
    ),
    Family(
        d.HalfNormal,
        "Half-normal",
        "Positive, mostly below a scale; large values are ruled out.",
        (_SCALE,),
        ("halfnormal",),
    ),
    Family(
        d.HalfCauchy,
        "Half-Cauchy",
        "Positive, mostly around a scale, but very large values stay possible.",
        (_SCALE,),
        ("halfcauchy",),
    ),
    Family(
        d.Beta,
        "Beta",
        "Between two limits, with a peak or a slope you shape.",
        (
            Number("a", "a", "Larger: more mass towards the upper limit.", 2.0),
            Number("b", "b", "Larger: more mass towards the lower limit.", 2.0),
            *_low_high(),
        ),
    ),
    Family(d.Gamma, "Gamma", "Positive, with a peak at (shape − 1) × scale.", (_SHAPE, _SCALE)),
    Family(
        d.InverseGamma,
        "Inverse gamma",
        "Positive, never near zero; usual for variances.",
        (Number("shape", "Shape", "Larger: more peaked. Must be positive.", 3.0), _SCALE),
        ("inversegamma", "invgamma"),
    ),
    Family(
        d.Exponential,
        "Exponential",
        "Positive; small values are the most plausible.",
        (Number("mean", "Mean", "The average value. Must be positive.", 1.0),),
        ("exp",),
    ),
    Family(
        d.StudentT,
        "Student t",
        "As the normal, but values far from the centre stay possible.",
        (
            Number("location", "Centre", "The value you expect.", 0.0),
            Number("scale", "Scale", "How far it may typically be from the centre.", 1.0),
            Number("dof", "Degrees of freedom", "Small (such as 3): far values are more plausible.", 4.0),
        ),
        ("studentt", "t"),
    ),
)


def family_of(prior: d.Prior) -> Family:
    return next(f for f in FAMILIES if isinstance(prior, f.kind))


def number_in(prior: d.Prior, field: str) -> float | None:
    value = getattr(prior, field)
    return None if value is None else float(value)


def with_number(prior: d.Prior, number: Number, text: str) -> d.Prior:
    """The prior with one number typed anew. Raises ValueError with words."""
    value = optional_number_of(text, number.label) if number.optional else number_of(text, number.label)
    changed: d.Prior = msgspec.structs.replace(prior, **{number.field: value})
    return changed


def converted(prior: d.Prior, family: Family) -> d.Prior:
    """A prior of another family over about the same range, so that choosing a family loses nothing needlessly."""
    if family_of(prior) is family:
        return prior
    low, high = _rough_range(prior)
    middle, width = (low + high) / 2, (high - low) or 1.0
    made: dict[type[Any], dict[str, float | None]] = {
        d.Uniform: {"low": low, "high": high},
        d.LogUniform: {"low": low if low > 0 else max(high, 1e-6) / 1000, "high": high if high > 0 else 1.0},
        d.Normal: {"mean": middle, "sd": width / 4},
        d.TruncatedNormal: {"mean": middle, "sd": width / 4, "low": low, "high": high},
        d.Beta: {"a": 2.0, "b": 2.0, "low": low, "high": high},
        d.StudentT: {"location": middle, "scale": width / 4, "dof": 4.0},
    }
    if family.kind is d.LogNormal:
        return log_normal_over(low, high)
    scale = high if high > 0 else 1.0
    made |= {d.HalfNormal: {"scale": scale / 2}, d.HalfCauchy: {"scale": scale / 4}, d.Exponential: {"mean": scale / 3}}
    made |= {d.Gamma: {"shape": 2.0, "scale": scale / 5}, d.InverseGamma: {"shape": 3.0, "scale": scale / 2}}
    numbers = made.get(family.kind, {n.field: n.default for n in family.numbers})
    rounded = {k: None if v is None else float(f"{v:.4g}") for k, v in numbers.items()}
    offered: d.Prior = family.kind(**rounded)
    return offered


def _rough_range(prior: d.Prior) -> tuple[float, float]:
    """About where the prior's mass is; never raises, whatever the numbers."""
    match prior:
        case d.Uniform() | d.LogUniform() | d.Beta():
            return prior.low, prior.high
        case d.Normal() | d.TruncatedNormal():
            return prior.mean - 2 * prior.sd, prior.mean + 2 * prior.sd
        case d.StudentT():
            return prior.location - 2 * prior.scale, prior.location + 2 * prior.scale
        case d.HalfNormal():
            return 0.0, 2 * prior.scale
        case d.HalfCauchy():
            return 0.0, 4 * prior.scale
        case d.Exponential():
            return 0.0, 3 * prior.mean
        case d.Gamma():
            return 0.0, 2.5 * prior.shape * prior.scale
        case d.InverseGamma():
            return 0.0, 2 * prior.scale
        case d.LogNormal():
            low, high = (min(prior.log_mean + sds * prior.log_sd, MOST_LOG) for sds in (-2, 2))
            return math.exp(low), math.exp(high)
        case _:
            return 0.0, 10.0


# ------------------------------------------------------------------ text, for cells and for pasting


def prior_text(prior: d.Prior) -> str:
    """``uniform(0, 1)``: what ``parse_prior`` reads back; a missing limit is ``none``. A log-normal one by its median and the
    factor of one standard deviation, with as many digits as tell it, where some do."""
    if isinstance(prior, d.LogNormal):
        for digits in range(2, MOST_DIGITS + 1):
            text = log_normal_words(prior, digits)
            if text and spoken_prior(text.removeprefix("log-normal, "), None, named=False) == prior:
                return text
    family = family_of(prior)
    inside = ", ".join(shown(number_in(prior, n.field)) or "none" for n in family.numbers)
    return f"{family.title.lower()}({inside})"


def prior_words(prior: d.Prior) -> str:
    """As ``prior_text``, rounded where it would have more digits than are read."""
    return (log_normal_words(prior, 3) if isinstance(prior, d.LogNormal) else "") or prior_text(prior)


_CALL = re.compile(r"^\s*([^\W\d][\w\s-]*?)\s*(?:\(\s*(.*?)\s*\)|\s+(.*?))?\s*$", re.DOTALL)


def parse_prior(text: str, present: d.Prior | None = None) -> d.Prior:
    """``uniform(0, 1)``, ``N(0; 1)``, ``half-cauchy 10``, ``normal 5 ± 1``; ``5 ± 1`` and ``5 ± 20 %`` are normal; ``0 to 1``,
    ``between 0 and 1``: the ends of a range; ``0 1``: the two numbers of ``present``, if it has two. Raises ValueError with
    words."""
    known = ", ".join(f.title.lower() for f in FAMILIES)
    text = evaluated(text[:500])
    found = _match_family(text)
    text = plain_words(text) if found is None else text
    if (cut := _cut_normal(text if found is None else found[1], found and found[0].kind)) is not None:
        return cut
    if found is None and (spoken := spoken_prior(text, _interval_of(present), named=False)) is not None:
        return spoken
    if found is None and (worded := worded_prior(text)) is not None:
        return worded
    if found is None and (short := _short_prior(text, present)) is not None:
        return short
    if found is None:
        raise ValueError(
            f"“{one_line(text.strip(), 60)}” is not a prior. Write for example uniform(0, 1). Known: {known}."
        )
    family, rest = found
    if (spoken := spoken_prior(rest.strip(" :,"), family.kind)) is not None:
        return spoken
    if len(family.numbers) >= 2 and (two := _two_numbers(rest.strip().strip("()"))) is not None and two.spoken:
        return _with_two(family, two)
    parts = [p.split("=")[-1] for p in listed(rest.strip().strip("()"), family.title, commas_separate=True)]
    if (called := _labelled(family, rest)) and [*called] == [n.field for n in family.numbers][: len(called)]:
        parts = list(called.values())
    given_by_default = (*family.kind.__struct_fields__,)[
        len(family.kind.__struct_fields__) - len(family.kind.__struct_defaults__) :
    ]
    needed = [n for n in family.numbers if n.field not in given_by_default]
    if not len(needed) <= len(parts) <= len(family.numbers):
        wanted = ", ".join(n.label.lower() for n in family.numbers)
        example = prior_text(_with_defaults(family))
        raise ValueError(
            f"{family.title} needs {len(needed)} numbers ({wanted}), for example {example}; {len(parts)} were given."
        )
    values: dict[str, float | None] = {}
    for number, part in zip(family.numbers, parts, strict=False):
        values[number.field] = (
            optional_number_of(part, number.label) if number.optional else number_of(part, number.label)
        )
    for number in family.numbers[len(parts) :]:
        values[number.field] = None if family.kind is d.TruncatedNormal else number.default
    parsed: d.Prior = family.kind(**values)
    return parsed


_CALLED = {
    "mean": "mean|mu|μ|average", "sd": "standard deviation|std|sigma|σ|s\\.d\\.", "low": "lower|minimum|min|from",
    "high": "upper|maximum|max|to",
}  # fmt: skip


def _labelled(family: Family, rest: str) -> dict[str, str]:
    """The numbers that are each said with its name, by field: mean 3, sd = 1; empty: something else stands there, too."""
    found: dict[str, str] = {}
    left = rest.strip().strip("()")
    for number in family.numbers:
        names = (re.escape(number.label), number.field, _CALLED.get(number.field, number.field))
        said = re.search(rf"(?<!\w)(?:{'|'.join(names)})(?!\w)\s*(?:of\s+|[:=]\s*)?([^\s,;]+)", left, re.IGNORECASE)
        if said is not None:
            found[number.field] = said[1]
            left = left[: said.start()] + left[said.end() :]
    return {} if re.sub(r"\b(?:and|with)\b", "", left).strip(" ,;") else found


_CUT = re.compile(r"(.+?(?:±|\+/-|\+-).+?)(?:\s*[,;]\s*|\s+)(?:(?:with)?in|between|from)\s+(.+)", re.IGNORECASE | re.DOTALL)


_LEAST = r"(?:at least|(?:not|no less) (?:below|than)|above|over|(?:more|greater|larger) than|min(?:imum|\.)?|>=?|≥)"
_MOST = r"(?:at most|(?:not|no more) (?:above|than)|below|under|(?:less|smaller) than|max(?:imum|\.)?|up to|<=?|≤)"
_ONE_END = re.compile(
    rf"(?P<normal>.+?(?:±|\+/-|\+-).+?)(?:\s*[,;]\s*|\s+)(?:but\s+|and\s+)?"
    rf"(?:{_LEAST}\s*(?P<low>\S+)|{_MOST}\s*(?P<high>\S+)|(?P<positive>positive|non-?negative|not negative))", re.IGNORECASE,
)  # fmt: skip


def _cut_normal(text: str, kind: type | None) -> d.TruncatedNormal | None:
    """``5 ± 1 in 2 to 8``, ``5 ± 1, at least 2``: a normal prior with limits; None: something else, or another family is meant
    (``kind``)."""
    if kind not in (None, d.Normal, d.TruncatedNormal):
        return None
    bare = text.strip().strip("()")
    if (one := _ONE_END.fullmatch(bare)) is not None and (cut := _cut_at_one_end(one)) is not None:
        return cut
    if (cut := _cut_at_both(bare)) is not None:
        return cut
    said = _CUT.fullmatch(bare)
    middle, ends = (_two_numbers(said[1]), _two_numbers(said[2])) if said is not None else (None, None)
    if middle is None or ends is None or not middle.signed or ends.signed:
        return None
    low, high = sorted((ends.first, ends.second))
    if middle.second <= 0.0 or low == high:
        return None
    return d.TruncatedNormal(mean=middle.first, sd=middle.second, low=low, high=high)


_BEHIND_SIZE = re.compile(r"(?P<normal>.+?(?:±|\+/-|\+-)\s*[^\s,;]+(?:\s*%)?)\s*(?P<apart>[,;]?)\s+(?P<limits>.+)", re.DOTALL)


def _cut_at_both(text: str) -> d.TruncatedNormal | None:
    """``5 ± 1; not under 2 nor over 8`` and ``5 ± 1, 2 to 8``."""
    said = _BEHIND_SIZE.fullmatch(text)
    middle, ends = (_two_numbers(said["normal"]), limits_of(said["limits"])) if said is not None else (None, None)
    if said is not None and ends is None and (said["apart"] or said["limits"][0] in "(["):
        two = _two_numbers(said["limits"].strip("()[] "))
        ends = (two.first, two.second) if two is not None and two.spoken and not two.signed and two.first < two.second else None
    if middle is None or ends is None or not middle.signed or middle.second <= 0.0:
        return None
    return d.TruncatedNormal(mean=middle.first, sd=middle.second, low=ends[0], high=ends[1])


def _cut_at_one_end(said: re.Match[str]) -> d.TruncatedNormal | None:
    middle = _two_numbers(said["normal"])
    try:
        low, high = (None if said[end] is None else number_of(said[end]) for end in ("low", "high"))
    except ValueError:
        return None
    if middle is None or not middle.signed or middle.second <= 0.0:
        return None
    return d.TruncatedNormal(mean=middle.first, sd=middle.second, low=0.0 if said["positive"] else low, high=high)


_PLUS_MINUS = re.compile(r"\s*(?:±|\+/-|\+-)\s*")
_BETWEEN = re.compile(r"\s+(?:to|and|–|-)\s+|\s*(?:;|\.\.\.?|…|–)\s*|,\s+|\s+")
_JOINED = re.compile(r"([-+]?[0-9.]+(?:e[-+]?[0-9]+)?)-([0-9.]+(?:e[-+]?[0-9]+)?)", re.IGNORECASE)  # 0.5-2


@dataclass(frozen=True)
class _Two:
    """``signed``: the second stands behind ±; ``spoken``: more than a space, a comma or a semicolon stands between them."""

    first: float
    second: float
    signed: bool
    spoken: bool


def _two_numbers(text: str) -> _Two | None:
    """Two numbers and nothing but words that go with them; None: it is something else."""
    words = re.sub(r"^(?:between|from|in)\s+", "", text.strip(), flags=re.IGNORECASE)
    signed, joined = _PLUS_MINUS.split(words), _JOINED.fullmatch(words)
    parts = signed if len(signed) == 2 else list(joined.groups()) if joined else _BETWEEN.split(words)
    if len(parts) != 2:
        return None
    percent = len(signed) == 2 and parts[1].endswith("%")
    try:
        first, second = number_of(parts[0]), number_of(parts[1].removesuffix("%").strip() if percent else parts[1])
    except ValueError:
        return None
    if percent:
        second = float(f"{abs(first) * second / 100:.6g}")
    spoken = words[len(parts[0]) : len(words) - len(parts[1])].strip() not in ("", ",", ";")
    return _Two(first, second, len(signed) == 2, spoken)


def _with_two(family: Family, two: _Two) -> d.Prior:
    """Of a family of two numbers or more. Raises ValueError with words where ± says nothing of it."""
    names = [n.field for n in family.numbers]
    limits = {"low", "high"} <= set(names)
    centred = names[0] in ("mean", "location")
    if two.signed and not (limits or centred):
        raise ValueError(f"{family.title} has no ±. Write for example {prior_text(_with_defaults(family))}.")
    ends = (two.first - two.second, two.first + two.second) if two.signed else (two.first, two.second)
    chosen = ("low", "high") if limits and not (centred and two.signed) else (names[0], names[1])
    if centred and limits and not two.signed:
        raise ValueError(f"{family.title} needs {len(names)} numbers, for example {prior_text(_with_defaults(family))}.")
    taken = ends if chosen == ("low", "high") else (two.first, two.second)
    numbers: dict[str, float | None] = {n.field: None if n.optional else n.default for n in family.numbers}
    made: d.Prior = family.kind(**(numbers | dict(zip(chosen, taken, strict=True))))
    return made


def _with_defaults(family: Family) -> d.Prior:
    made: d.Prior = family.kind(**{n.field: n.default for n in family.numbers})
    return made


def _interval_of(present: d.Prior | None) -> type[Any] | None:
    """The family that an interval is meant for, where that of the present prior can have one."""
    return type(present) if isinstance(present, d.LogNormal | d.Normal) else None


def _short_prior(text: str, present: d.Prior | None) -> d.Prior | None:
    """Two numbers without the name of a family; None: they are no two numbers."""
    two = _two_numbers(text)
    if two is None:
        return None
    if two.signed:
        return d.Normal(mean=two.first, sd=two.second)
    numbers = family_of(present).numbers if present is not None else ()
    if present is None or len(numbers) != 2 or (two.spoken and not _has_ends(present, two)):
        return d.Uniform(low=two.first, high=two.second)
    changed: d.Prior = msgspec.structs.replace(present, **{numbers[0].field: two.first, numbers[1].field: two.second})
    return changed


def _has_ends(prior: d.Prior, two: _Two) -> bool:
    """Whether its two numbers are ends of a range, as those may be."""
    return isinstance(prior, d.Uniform) or (isinstance(prior, d.LogUniform) and min(two.first, two.second) > 0.0)


def _match_family(text: str) -> tuple[Family, str] | None:
    squeezed = text.strip().lower()
    names = [(n, f) for f in FAMILIES for n in (f.title.lower(), f.tag, *f.short)]
    for name, family in sorted(names, key=lambda pair: -len(pair[0])):
        pattern = re.sub(r"[\s_-]+", r"[\\s_-]*", name)
        match = re.match(pattern + r"(?![a-z])", squeezed)
        if match:
            return family, squeezed[match.end() :]
    return None
