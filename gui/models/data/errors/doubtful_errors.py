"""Columns of standard deviations that are used for other values than theirs, twice, or not at all. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace

import msgspec

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.errors.sd_pairs import sd_pairs
from bayescope.engine.problem.data.names.column_names import sd_columns, unit_in
from bayescope.engine.problem.data.units.unit_scales import times
from bayescope.gui.models.data.errors.bare_errors import bare_errors, in_their_unit
from bayescope.gui.models.data.errors.errors_beside import stand_beside
from bayescope.gui.models.data.errors.noise import takes_column
from bayescope.gui.models.plain import one_line

FEWEST = 2  # comparisons among which the rows tell whose errors a column holds


@dataclass(frozen=True)
class DoubtfulErrors:
    """What is to be said of them. ``mended``: what the button makes of the problem, None: it leads to the comparison ``row``;
    ``aside``: the columns of which ``dismiss`` says that nothing is to be asked about them any more."""

    question: str
    hint: str
    button: str
    dismiss: str
    aside: tuple[str, ...]
    mended: d.Problem | None = None
    row: int | None = None


def doubtful_errors(problem: d.Problem) -> DoubtfulErrors | None:
    """The first doubt about whose errors a column holds, or where a column of errors is left over; None: there is none."""
    meaning, data = problem.meaning, problem.data
    if not isinstance(meaning, d.Predictions) or data is None or not meaning.matches:
        return None
    sds = sd_columns(list(data.columns))
    taking = {i: m for i, m in enumerate(meaning.matches) if m.column and takes_column(m.noise or meaning.noise)}
    used = {i: sd_of(meaning, m) for i, m in taking.items()}
    if not sds or not taking:
        return _bare(problem, meaning, used)
    idle = [s for s in sds if s not in used.values() and s not in meaning.aside]
    own = sd_pairs(list(data.columns))
    fit = {i: own[m.column] for i, m in taking.items() if own.get(m.column) in idle}
    named = _named(problem, meaning, used, fit, "Their names say so.")
    alone = {} if named is not None else _beside_alone(meaning, data, idle, used)
    beside = _named(problem, meaning, used, alone, "It stands beside no other compared values.")
    told = named or _twice(meaning, used, own) or beside or _left(problem, meaning, idle, own, used)
    return told or _bare(problem, meaning, used)


def _bare(problem: d.Problem, meaning: d.Predictions, used: dict[int, str]) -> DoubtfulErrors | None:
    """Columns called just u or % right behind values without errors; percentages become those in the unit of the values."""
    fit = bare_errors(problem, meaning, used)
    found = _named(problem, meaning, used, fit, "They stand right behind." if len(fit) > 1 else "It stands right behind.")
    if found is None or found.mended is None:
        return None
    mended = found.mended
    for i, sds in fit.items():
        mended = in_their_unit(mended, sds, meaning.matches[i].column)
    percent = " Percentages are counted in the unit of the values then." if mended is not found.mended else ""
    return replace(found, hint=f"{found.hint}{percent}", mended=mended)


def _beside_alone(meaning: d.Predictions, data: d.DataTable, idle: list[str], used: dict[int, str]) -> dict[int, str]:
    """The only column of errors without values of its own, with the one comparison of several beside all of whose values it
    stands, in their unit, where no other compared value does."""
    if len(idle) != 1 or len(meaning.matches) < FEWEST:
        return {}
    rows = {name: {i for i, v in enumerate(cells) if v is not None and v == v} for name, cells in data.columns.items()}
    there = rows[idle[0]]
    near = [i for i, m in enumerate(meaning.matches) if m.column in rows and rows[m.column] & there]
    if len(near) != 1 or used.get(near[0], "set") or not rows[meaning.matches[near[0]].column] <= there:
        return {}
    unit, its = unit_in(idle[0]), unit_in(meaning.matches[near[0]].column)
    return {near[0]: idle[0]} if unit == its or not unit or not its else {}


def sd_of(meaning: d.Predictions, match: d.Match) -> str:
    """The column of standard deviations that counts for ``match``; empty: none."""
    noise = match.noise or meaning.noise
    return match.sd_column or getattr(noise, "sd_column", None) or getattr(noise, "scale_column", None) or ""


def _named(
    problem: d.Problem, meaning: d.Predictions, used: dict[int, str], fit: dict[int, str], why: str
) -> DoubtfulErrors | None:
    """Columns that by their names, or where they stand (``why``), are the errors of values which have others, or none."""
    if not fit:
        return None
    sds = tuple(dict.fromkeys(fit.values()))
    matches = tuple(_with_sd(m, fit[i]) if i in fit else m for i, m in enumerate(meaning.matches))
    noise = meaning.noise
    if isinstance(noise, d.GaussianKnown) and noise.sd is noise.percent is None and all(sd_of(meaning, m) for m in matches):
        noise = d.GaussianKnown()
    mended = msgspec.structs.replace(problem, meaning=msgspec.structs.replace(meaning, matches=matches, noise=noise))
    one = len(sds) == 1
    verb, a, dismiss = ("Does", "&it", "It does not count") if one else ("Do", "&them", "They do not count")
    columns = listed([meaning.matches[i].column for i in fit])
    question = f"{verb} {listed(sds)} hold the errors of {columns}?"
    others = tuple(dict.fromkeys(used[i] for i in fit if used[i]))
    hint = f"Now {listed(others)} {'is' if len(others) == 1 else 'are'} taken for them." if others else why
    return DoubtfulErrors(question, hint, f"Use {a}", dismiss, sds, mended)


def _with_sd(match: d.Match, sds: str) -> d.Match:
    if isinstance(match.noise, d.GaussianKnown):
        return msgspec.structs.replace(match, noise=d.GaussianKnown(sd_column=sds), sd_column=None)
    if isinstance(match.noise, d.StudentTNoise):
        noise = msgspec.structs.replace(match.noise, scale=None, scale_column=sds, parameter=None, percent=None)
        return msgspec.structs.replace(match, noise=noise, sd_column=None)
    return msgspec.structs.replace(match, sd_column=sds)


def _twice(meaning: d.Predictions, used: dict[int, str], own: dict[str, str]) -> DoubtfulErrors | None:
    """One column that several comparisons with different values have as theirs, unless it is that of the common model, or their
    names say so, as those of repeated measurements do."""
    for sds in dict.fromkeys(s for i, s in used.items() if s and _is_own(meaning.matches[i])):
        rows = [i for i, s in used.items() if s == sds and _is_own(meaning.matches[i])]
        columns = list(dict.fromkeys(meaning.matches[i].column for i in rows))
        if len(columns) > 1 and sds not in meaning.aside and any(own.get(c) != sds for c in columns):
            question = f"{one_line(sds, 24)} is taken for the errors of {listed(columns)}."
            of = {2: "both", 3: "all three"}.get(len(columns), f"all {len(columns)}")
            return DoubtfulErrors(question, f"Does it hold those of {of}?", "Sho&w it", "It is right", (sds,), row=rows[-1])
    return None


def _is_own(match: d.Match) -> bool:
    return match.sd_column is not None or match.noise is not None


def _left(
    problem: d.Problem, meaning: d.Predictions, idle: list[str], own: dict[str, str], used: dict[int, str]
) -> DoubtfulErrors | None:
    """Columns of errors of no values that can be told, or of values that have others. Those of values that are in no comparison
    are not asked about."""
    compared = {m.column for m in meaning.matches}
    named = {s: v for v, s in own.items()}
    columns = {i: meaning.matches[i].column for i in used}
    mine = {s: [i for i, c in columns.items() if not _other_unit(s, c) and stand_beside(problem.data, s, c)] for s in idle}
    left = tuple(s for s in idle if (named[s] in compared if s in named else mine[s]))
    if not left:
        return None
    rows = [i for i in used if i in mine[left[0]]] or list(used)
    row = next((i for i in rows if not used[i]), rows[0])
    one = len(left) == 1
    plain = meaning.noise == d.GaussianKnown() and all(m.noise is None for m in meaning.matches)
    of_all = one and left[0] not in named and len(used) > 1 and plain and not any(used.values())
    if of_all and all(stand_beside(problem.data, left[0], c) for c in columns.values()):
        return _of_all(problem, meaning, list(used), left[0])
    column, look, they = ("Column", "looks", "is") if one else ("Columns", "look", "are")
    question = f"{column} {listed(left)} {look} like errors, but {they} used for none."
    words = ("Choose whose they are under “Standard deviations”.", "Say &whose")
    return DoubtfulErrors(question, *words, "It does not count" if one else "They do not count", left, row=row)


def _other_unit(sds: str, column: str) -> bool:
    """Whether the two say units of which neither can be counted in the other."""
    unit, its = unit_in(sds), unit_in(column)
    return bool(unit and its) and unit != its and times(unit, its) is None


def _of_all(problem: d.Problem, meaning: d.Predictions, rows: list[int], sds: str) -> DoubtfulErrors:
    """One column of errors beside several columns of values, none of which has any: it may be that of the common model."""
    mended = msgspec.structs.replace(problem, meaning=msgspec.structs.replace(meaning, noise=d.GaussianKnown(sd_column=sds)))
    columns = listed([meaning.matches[i].column for i in rows])
    question = f"Does {one_line(sds, 24)} hold the errors of {columns}?"
    hint = "If those of one column only, choose it on the tab Comparison under “Standard deviations”."
    return DoubtfulErrors(question, hint, "Use &it for all", "It does not count", (sds,), mended)


def listed(names: tuple[str, ...] | list[str]) -> str:
    """Three by name, of more the first."""
    short = [one_line(n, 24) for n in dict.fromkeys(names)]
    return " and ".join(short) if len(short) <= 3 else f"{short[0]} and {len(short) - 1} more"
