"""Keys that a program prints in the file of the values themselves, where those of a comparison are read from another one: rows of
equal number in two files may be those of other days. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import msgspec
import numpy as np

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.names.same_meaning import mean_the_same
from bayescope.engine.problem.data.rows.comparison import key_codes
from bayescope.engine.problem.data.rows.key_scale import scale_of
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.compared_outputs import Array, compared, fits, with_match
from bayescope.gui.models.data.keys.headings_beside import name_in_program
from bayescope.gui.models.data.keys.key_candidates import Key, Pair, candidates, keys_beside, paired_by, steady
from bayescope.gui.models.plain import one_line

FEWEST = 2  # different keys; one may be the same by chance
_WORDS = {"stdout": "the printed text", "stderr": "the error text"}


def file_words(source: str) -> str:
    """The file that an output is read from, for people."""
    return _WORDS.get(source, one_line(source, 30))


def foreign_keys(problem: d.Problem, match: d.Match) -> tuple[Pair, ...]:
    """The keys of ``match`` that are read from another text than its values."""
    declared = {o.name: o.source for o in problem.outputs}
    own = declared.get(match.output)
    return tuple(pair for pair in match.keys if own is not None and declared.get(pair[0], own) != own)


def by_own_text(
    problem: d.Problem, index: int, report: TrialRunReport | None, second: TrialRunReport | None = None
) -> tuple[d.Problem, tuple[Key, ...]] | None:
    """Comparison ``index`` with those of its keys that are of another text replaced by ones of its own, scaled and bridged alike;
    and these. None: all are of its own, or its text has none for one of these columns."""
    found = compared(problem, index, report)
    if found is None or report is None or not (foreign := foreign_keys(problem, found[0])):
        return None
    match, data, outputs, _ = found
    if len(np.unique(key_codes(data, match.keys[0][1]))) < FEWEST:
        return None
    own = {pair: list(_of_own_text(problem, match, outputs, report, pair)) for pair in foreign}
    ways = (own.get(pair, [Key(*pair)]) for pair in match.keys)
    for keys in product(*ways):
        if len({key.output for key in keys}) < len(keys) or not all(steady(problem, key, outputs, second) for key in keys):
            continue
        keyed = with_keys_of(match, [key.pair for key in keys])
        if fits(keyed, data, outputs | {key.output: key.codes for key in keys if key.codes is not None}):
            added = tuple(key.declared for key in keys if key.declared is not None)
            wider = msgspec.structs.replace(problem, outputs=(*problem.outputs, *added))
            return with_match(wider, index, keyed), keys
    return None


def with_keys_of(match: d.Match, keys: list[Pair]) -> d.Match:
    """``match`` paired by other ``keys`` in its way."""
    pairs = zip(("key", "second_key"), keys, strict=False)
    return msgspec.structs.replace(match, **{f"{field}_output": output for field, (output, _) in pairs})


def _of_own_text(
    problem: d.Problem, match: d.Match, outputs: dict[str, Array], report: TrialRunReport, pair: Pair
) -> Iterator[Key]:
    """What may stand for the key ``pair`` in the text of the values; of one that is scaled or interpolated, what is called alike,
    since any numbers may lie around those of the data."""
    declared, (output, column) = {o.name: o for o in problem.outputs}, pair
    own = declared[match.output].source
    first = pair == match.keys[0]
    if problem.data is None:
        return
    if not (first and (match.interpolate or not scale_of(match).plain)):
        for key in candidates(problem, paired_by(match, ()), problem.data, outputs, report, labels_only=False):
            read = key.declared or declared.get(key.output)
            if key.column == column and read is not None and read.source == own:
                yield key
        return
    called = name_in_program(declared[output], report) or output
    n = len(outputs[match.output])
    there = [o for o in problem.outputs if o.source == own and o.name != match.output and len(outputs.get(o.name, ())) == n]
    yield from (Key(o.name, column) for o in there if mean_the_same(name_in_program(o, report) or o.name, called))
    for key in keys_beside(problem, match, report, column):
        long = key.declared is not None and key.codes is not None and len(key.codes) == n
        if long and key.declared is not None and mean_the_same(name_in_program(key.declared, report), called):
            yield key
