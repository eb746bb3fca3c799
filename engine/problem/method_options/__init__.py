"""The methods that come with Bayescope and all their options: one table for window, command line, schema and validation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .option import (
    Option,
    OptionError,
    OptionsRecord,
    Value,
    check_record,
    closest,
    option,
    option_named,
    options_of,
    read_options,
)
from .published import BvbmcOptions, LaplaceOptions, SliceOptions, SvbmcOptions, VbmcOptions
from .recommended import DefaultOptions, NoisyOptions

__all__ = [
    "METHODS", "SOURCES", "BvbmcOptions", "DefaultOptions", "LaplaceOptions", "NoisyOptions", "Option", "OptionError",
    "OptionsRecord", "SliceOptions", "SvbmcOptions", "Value", "VbmcOptions", "check_record", "closest", "foreign_options",
    "method_schema", "option", "option_named", "options_of", "read_options", "record_of",
]  # fmt: skip


@dataclass(frozen=True)
class DescribedMethod:
    """``title`` and ``words`` are for people; ``noisy``: its options where log densities are random, if they are others."""

    title: str
    words: str
    options: type[OptionsRecord]
    noisy: type[OptionsRecord] | None = None


METHODS: Mapping[str, DescribedMethod] = {
    "default": DescribedMethod(
        "Recommended", "Picks points where the posterior is, certifies its answer; right for nearly everyone", DefaultOptions,
        NoisyOptions,
    ),
    "bvbmc": DescribedMethod(
        "BVBMC (boosting)", "Boosted mixtures on a Gaussian process with Bayesian Monte Carlo", BvbmcOptions
    ),
    "vbmc": DescribedMethod("VBMC", "Variational Bayesian Monte Carlo", VbmcOptions),
    "svbmc": DescribedMethod(
        "SVBMC (imported evaluations)", "Starts from evaluations made earlier; with 0 runs it uses them alone", SvbmcOptions
    ),
    "laplace": DescribedMethod(
        "Laplace (one Gaussian)", "Climbs to the best point and believes that the posterior is one Gaussian around it",
        LaplaceOptions,
    ),
    "slice": DescribedMethod(
        "Slice sampling (MCMC)", "Markov chains on the simulator itself, no surrogate; needs thousands of cheap runs",
        SliceOptions,
    ),
}  # fmt: skip


SOURCES = (
    "Seed 000: D. G. Naiff, Boosted variational Bayesian Monte Carlo (2019). Seed 001: C. Li, G. Clarté, L. Acerbi, Sparse "
    "variational Bayesian Monte Carlo (2023). Seed 004: T. Galy-Fajou, augmented likelihoods (2022). Acerbi 2018: Variational "
    "Bayesian Monte Carlo. RECIPE, OUTPUTS, METHODS: chapters of METHODS.md, which comes with Bayescope."
)  # what the sources of options are short for


def record_of(method: str, noisy: bool) -> type[OptionsRecord] | None:
    """The options of a method; None for one that does not come with this version: nothing is known of its options."""
    found = METHODS.get(method)
    return None if found is None else found.noisy if noisy and found.noisy is not None else found.options


def foreign_options(method: str, noisy: bool, given: Mapping[str, Any]) -> tuple[str, ...]:
    """Names in ``given`` that are no options of the method."""
    record = record_of(method, noisy)
    return () if record is None else tuple(name for name in given if name not in {one.name for one in options_of(record)})


def method_schema() -> list[dict[str, Any]]:
    """For the JSON schema of run settings: which options each method has, one condition a method."""
    return [
        {
            "if": {"properties": {"method": {"const": key}}},
            "then": {"properties": {"options": {"properties": _properties(described), "additionalProperties": False}}},
        }
        for key, described in METHODS.items()
    ]


def _properties(described: DescribedMethod) -> dict[str, Any]:
    """Of both kinds of log density: a schema does not see which one a problem has."""
    found: dict[str, Any] = {}
    for record in (described.options, described.noisy):
        for one in () if record is None else options_of(record):
            found.setdefault(one.name, _property(one))
            if found[one.name]["default"] != one.default:
                del found[one.name]["default"]  # the two differ
    return found


def _property(one: Option) -> dict[str, Any]:
    kinds = {bool: "boolean", int: "integer", float: "number", str: "string"}
    made: dict[str, Any] = {
        "type": kinds[one.kind], "title": one.title.replace("&", ""), "description": f"{one.words} ({one.source})",
        "default": one.default,
    }  # fmt: skip
    if one.choices:
        made["enum"] = [key for key, _ in one.choices]
    if one.least > float("-inf"):
        made["exclusiveMinimum" if one.above else "minimum"] = one.least
    if one.most < float("inf"):
        made["maximum"] = one.most
    return made
