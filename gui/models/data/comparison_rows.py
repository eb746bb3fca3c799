"""What the table of comparisons says of each: what is compared with what, how rows are paired, and by which errors. Pure."""

from __future__ import annotations

from bayescope.engine.problem.data.errors.sd_pairs import is_own_sd
from bayescope.engine.problem.data.rows.key_scale import Scale, scale_of
from bayescope.engine.problem.definition import Match
from bayescope.gui.models.records import Column

MOST_NAMED = 3  # rows of an output that are taken
OPEN = "not chosen yet"
MATCH_COLUMNS: tuple[Column[Match], ...] = (
    Column("output", "Output", "What the program computes.",
           lambda m: _in_the_data_s_unit(m)),
    Column("column", "is compared with", "The measured values.", lambda m: m.column or OPEN),
    Column("key", "Rows are paired", "How it is known which computed value belongs to which measured one.",
           lambda m: _paired(m) + _without(m)),
    Column("noise", "Errors", "The model of the measurement errors.",
           lambda m: _errors(m)),
)  # fmt: skip


def _in_the_data_s_unit(match: Match) -> str:
    return Scale(match.factor, match.offset).written(match.output)


def _paired(match: Match) -> str:
    if not match.keys:
        return f"in order, with its {'row' if len(match.rows) == 1 else 'rows'} {_few(match.rows)}" if match.rows else "in order"
    way = "interpolated in" if match.interpolate else "by the day of" if match.by_day else "by"
    scale = scale_of(match)
    scaled = "" if scale.plain else f" ({scale.written(match.key_output or '')})"
    return f"{way} {' and '.join(column for _, column in match.keys)}{scaled}"


def _few(rows: tuple[int, ...]) -> str:
    return ", ".join(map(str, rows[:MOST_NAMED])) + (" …" if len(rows) > MOST_NAMED else "")


def _errors(match: Match) -> str:
    own = match.sd_column is not None and is_own_sd(match.sd_column, match.column)
    found = "own model" if match.noise else "own sd" if own else match.sd_column or "common"
    return found if match.discrepancy is None else f"{found}; the program may be off"


def _without(match: Match) -> str:
    return f", {len(match.left_out)} left out" if match.left_out else ""
