"""What the outputs mean, and the data they are compared with."""

from __future__ import annotations

import math
from collections.abc import Sequence

from .. import definition as d
from ..data.dates.by_day import days_of
from ..data.rows.censored import has_value
from ..data.rows.own_rows import in_order
from ..findings import Findings, listed, shorten
from ..numbers.shown_digits import spoken
from .check_limits import check_limits
from .check_noise import check_column, check_noise, check_scaling, positive
from .check_random import check_random, check_repeats, check_scattered

KEY_GONE = "Rows were paired by it. Mark it again, or pair them without it."


def check_meaning(findings: Findings, problem: d.Problem) -> None:
    meaning = problem.meaning
    outputs = {o.name: o for o in problem.outputs}
    used: set[str] = set()
    if isinstance(meaning, d.Predictions):
        used = _check_matches(findings, meaning, problem, outputs)
        check_noise(findings, meaning, problem)
        check_scattered(findings, meaning, problem)
    elif isinstance(meaning, (d.SyntheticLikelihood, d.ApproximateBayes, d.InverseBinomial)):
        used = check_random(findings, meaning, problem, outputs)
    else:
        used = _check_scalar(findings, "meaning.output", meaning.output, outputs)
        noise_sd = getattr(meaning, "noise_sd", None)
        if noise_sd is not None:
            used |= _check_scalar(findings, "meaning.noise_sd", noise_sd, outputs)
        if noise_sd == meaning.output:
            findings.error("meaning.noise_sd", f"The output “{shorten(meaning.output)}” cannot be its own standard error.")
    if isinstance(meaning, (d.LogLikelihoodOutput, d.LogPosteriorOutput)):
        check_repeats(findings, meaning, problem)
    if isinstance(meaning, d.SumOfSquares):
        positive(findings, "meaning.sd", "standard deviation", meaning.sd)
        if meaning.count < 0:
            findings.error("meaning.count", f"The number of data points is {meaning.count}.", "Enter how many were summed.")
        elif meaning.count == 0:
            findings.warning(
                "meaning.count", "The number of data points behind the sum of squares is not given, so the evidence lacks "
                "a constant.", "Enter it if you compare models by their evidence.",
            )  # fmt: skip
    _check_labels(findings, meaning, outputs)
    for name in outputs:
        if name not in used:
            findings.warning(f"outputs.{name}", f"The output “{shorten(name)}” is read but not used.", "It may stay.")


def _check_labels(findings: Findings, meaning: d.Meaning, outputs: dict[str, d.Output]) -> None:
    """Outputs of labels pair rows; as predictions or likelihoods they would be numbers that mean nothing."""
    places = {"meaning.output": getattr(meaning, "output", ""), "meaning.noise_sd": getattr(meaning, "noise_sd", None)}
    for field in ("matches", "summaries"):
        for i, entry in enumerate(getattr(meaning, field, ())):
            places[f"meaning.{field}[{i}].output"] = entry.output
    for where, name in places.items():
        if name in outputs and outputs[name].text:
            findings.error(
                where, f"The output “{shorten(name)}” holds labels or times, not numbers.",
                "It can pair rows; choose an output of numbers here.",
            )  # fmt: skip


def _check_scalar(findings: Findings, where: str, name: str, outputs: dict[str, d.Output]) -> set[str]:
    output = _output(findings, where, name, outputs)
    if output is not None and output.length is not None and output.length != 1:
        findings.error(where, f"The output “{shorten(name)}” has {output.length} values; a single number is needed here.")
    return {name}


def _output(findings: Findings, where: str, name: str, outputs: dict[str, d.Output], other: str = "") -> d.Output | None:
    """``other``: what to do where it is gone; else one of the outputs is to be chosen."""
    if name in outputs:
        return outputs[name]
    if not name.strip():
        findings.error(where, "No output is chosen.", "Choose one of the outputs.")
    else:
        known = listed(list(outputs))
        hint = other or (f"Choose one of: {known}." if known else "Define the output first.")
        findings.error(where, f"There is no output called “{shorten(name)}”.", hint)
    return None


# --------------------------------------------------------------------------- predictions


def _check_matches(
    findings: Findings, meaning: d.Predictions, problem: d.Problem, outputs: dict[str, d.Output]
) -> set[str]:
    used: set[str] = set()
    if problem.data is None:
        findings.error("data", "There are no measured data to compare the predictions with.", "Load a data table.")
    elif not meaning.matches:
        findings.error("meaning.matches", "No output is compared with the data.", "Compare an output with a data column.")
    pairs: set[tuple[str, str]] = set()
    for i, match in enumerate(meaning.matches):
        where = f"meaning.matches[{i}]"
        output = _output(findings, f"{where}.output", match.output, outputs)
        used.add(match.output)
        if match.column and (match.output, match.column) in pairs:
            findings.error(where, f"“{shorten(match.output)}” and “{shorten(match.column)}” are compared twice.", "Remove one.")
        pairs.add((match.output, match.column))
        key = None
        if match.key_output is not None:
            key = _output(findings, f"{where}.key_output", match.key_output, outputs, KEY_GONE)
            used.add(match.key_output)
        if match.second_key_output is not None:
            _output(findings, f"{where}.second_key_output", match.second_key_output, outputs, KEY_GONE)
            used.add(match.second_key_output)
        for prefix in ("", "second_"):
            pair = (getattr(match, f"{prefix}key_output"), getattr(match, f"{prefix}key_column"))
            if (pair[0] is None) == (pair[1] is None):
                continue
            findings.error(
                f"{where}.{prefix}key_column", "Pairing rows by value needs a key on both sides: an output and a data column.",
                "Choose the missing one, or neither to pair by order.",
            )  # fmt: skip
        if match.interpolate and match.key_output is None:
            findings.error(
                f"{where}.interpolate", "Between which values is to be interpolated? There is no output to pair rows by.",
                "Choose the output and the column of that quantity, or do not interpolate.",
            )  # fmt: skip
        if match.rows:
            _check_rows(findings, f"{where}.rows", match)
        if match.by_day:
            _check_by_day(findings, f"{where}.by_day", match, problem.data)
        check_scaling(findings, where, match)
        if not math.isfinite(match.key_factor) or match.key_factor == 0.0:
            findings.error(f"{where}.key_factor", f"Rows cannot be paired by an output times {spoken(match.key_factor)}.",
                           "Enter 1 where output and column have the same unit.")  # fmt: skip
        if not math.isfinite(match.key_offset):
            findings.error(f"{where}.key_offset", f"Rows cannot be paired by an output plus {spoken(match.key_offset)}.",
                           "Enter 0 where output and column have the same zero.")  # fmt: skip
        if match.key_tolerance is not None and not match.key_tolerance >= 0.0:
            findings.error(f"{where}.key_tolerance", f"The tolerance {spoken(match.key_tolerance)} must be zero or greater.")
        if problem.data is not None:
            _check_match_with_data(findings, where, match, meaning.matches, problem.data, output, key)
    return used


def _check_rows(findings: Findings, where: str, match: d.Match) -> None:
    """Values of an output are taken by their number where no key pairs rows, each once."""
    if match.keys:
        findings.error(
            where, f"Rows are paired by “{shorten(match.keys[0][1])}”, and values of “{shorten(match.output)}” are taken by "
            "their number too; only one of the two can be.", "Pair in order, or take no values by their number.",
        )  # fmt: skip
    elif min(match.rows) < 1:
        findings.error(where, f"The output “{shorten(match.output)}” has no value number {min(match.rows)}.", "The first is 1.")
    elif twice := next((row for row in match.rows if match.rows.count(row) > 1), None):
        findings.error(where, f"Value {twice} of “{shorten(match.output)}” is taken twice.", "Each belongs to one measured row.")


def _check_by_day(findings: Findings, where: str, match: d.Match, data: d.DataTable | None) -> None:
    """Pairing by the day needs a key of dates, and takes one of the output's values as it is."""
    if match.key_output is None or match.key_column is None:
        findings.error(
            where, "Which dates are to be paired by the day? There is no key.", "Choose the output and the column of the dates."
        )
    elif data is not None and match.key_column in (*data.columns, *data.texts) and days_of(data, match.key_column) is None:
        findings.error(
            where, f"Rows are paired by the day, but “{shorten(match.key_column)}” holds no dates.",
            "Pair by a column of dates, or not by the day.",
        )  # fmt: skip
    elif match.interpolate:
        findings.error(where, "Rows are paired by the day and interpolated too; only one of the two can be.", "Choose one.")


def _check_match_with_data(
    findings: Findings, where: str, match: d.Match, matches: Sequence[d.Match], data: d.DataTable, output: d.Output | None,
    key: d.Output | None,
) -> None:  # fmt: skip
    columns = data.columns
    for field in ("column", "sd_column"):
        name = getattr(match, field)
        if name is not None:
            check_column(findings, f"{where}.{field}", name, columns, data.texts)
    for field in ("key_column", "second_key_column"):
        name = getattr(match, field)
        if name is not None and name not in data.texts:
            check_column(findings, f"{where}.{field}", name, columns)
    values = columns.get(match.column, ())
    beyond = [row for row in match.left_out if not 1 <= row <= len(values)]
    if match.column in columns and beyond:
        findings.error(
            f"{where}.left_out", f"Row {beyond[0]} is left out, but the data have rows 1 to {len(values)} (counted from 1).",
            "Remove it.",
        )  # fmt: skip
    there = has_value(data, match.column)
    kept = [i for i, has in enumerate(there, start=1) if has and i not in match.left_out]
    if match.column in columns and not kept and _others_count(data, match, matches):
        measured = sum(there)
        out = "its only measured row is" if measured == 1 else f"all {measured} of its measured rows are"
        findings.warning(
            f"{where}.left_out", f"“{shorten(match.column)}” does not count: {out} left out.",
            "Take a row back if it is to count; the other comparisons go on without it.",
        )  # fmt: skip
        return
    if match.column in columns and not kept:
        findings.error(f"{where}.column", f"The data column “{shorten(match.column)}” has no values.", "Choose another one.")
        return
    if output is None or output.length is None or match.column not in columns:
        return
    if key is not None and key.length is not None and key.length != output.length:
        findings.error(
            where, f"The outputs “{shorten(output.name)}” ({output.length} values) and “{shorten(key.name)}” "
            f"({key.length} values) must be equally long to be paired.", "Check how they are read.",
        )  # fmt: skip
    elif match.key_output is None and in_order(output.length, match, data) is None:
        counted = f"{len(values)} rows" + ("" if all(there) else f", {sum(there)} of them measured")
        findings.error(
            where, f"The output “{shorten(output.name)}” has {output.length} value{'s' * (output.length != 1)}, the data column "
            f"“{shorten(match.column)}” has {counted}.", "Pair rows by a key column, or make them equally long.",
        )  # fmt: skip


def _others_count(data: d.DataTable, match: d.Match, matches: Sequence[d.Match]) -> bool:
    """Whether values were measured for ``match``, all of them left out, while another comparison keeps some."""

    def has(one: d.Match, out: Sequence[int]) -> bool:
        return any(v for i, v in enumerate(has_value(data, one.column), start=1) if i not in out)

    return has(match, ()) and any(has(one, one.left_out) for one in matches)


def check_data(findings: Findings, problem: d.Problem) -> None:
    data = problem.data
    if data is None:
        return
    if not data.columns:
        findings.error("data", "The data table has no columns of numbers.", "Load a table.")
        return
    twice = next((name for name in data.texts if name in data.columns), None)
    if twice is not None:
        findings.error("data", f"Two columns of the data are called “{shorten(twice)}”.", "Rename one of them.")
    lengths = {name: len(cells) for table in (data.columns, data.texts) for name, cells in table.items()}
    if len(set(lengths.values())) > 1:
        words = ", ".join(f"“{shorten(name, 20)}” {n}" for name, n in list(lengths.items())[:6])
        findings.error("data", f"The columns of the data table have different lengths: {words}.", "Load the table again.")
    if max(lengths.values()) == 0:
        findings.error("data", "The data table has no rows.", "Load a table.")
    for name, column in data.columns.items():
        where = f"data.columns.{name}"
        if not name.strip():
            findings.error("data", "A data column has no name.", "Give it one.")
        bad = [i for i, v in enumerate(column) if v is not None and not math.isfinite(v)]
        if bad:
            findings.error(
                where, f"Row {bad[0] + 1} of data column “{shorten(name)}” is {column[bad[0]]}.", "Leave missing values empty."
            )
    check_limits(findings, problem)
