"""Which kind of failure the reason of a run tells of: the sentences of ``simulator``, ``clusters`` and ``run`` in kinds."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal, get_args

Kind = Literal[
    "crash", "time", "memory", "size", "missing", "unreadable", "rows", "number", "likelihood", "impossible", "other"
]
KINDS: tuple[Kind, ...] = get_args(Kind)

NAMES: dict[str, str] = {  # by kind
    "crash": "crashed",
    "time": "ran out of time",
    "memory": "ran out of memory",
    "size": "wrote too much",
    "missing": "output missing or old",
    "unreadable": "output unreadable",
    "rows": "measured rows without a prediction",
    "number": "not a number",
    "likelihood": "no likelihood from the outputs",
    "impossible": "impossible values",
    "other": "other reasons",
}
MENDS: dict[str, str] = {  # of where runs fail for that reason, by kind
    "time": "Allow more time for such values",
    "rows": (
        "Let the program print every measured row there, or interpolate between those that it prints: “Ask again with changes” "
        "on the page Results, then on the page Data; it needs no new run"
    ),
    "memory": "Allow more memory for such values, or make fewer runs at once",
}
# the first that fits; a line the program printed may follow, so each is looked for before “It said last”
_SIGNS: tuple[tuple[Kind, str], ...] = (
    ("time", r"its time limit|used up its allowed processor time"),
    ("memory", r"MB of memory; the limit is|because memory ran out"),
    ("size", r"The program printed more than|its files grew beyond|a file became larger than allowed"),
    ("missing", r"ended without writing the file|is an old one: it was there|so it is a copy of an older result"),
    ("number", r"is no use: .* is (NaN|infinite|minus infinity)|is not a number \("),
    ("unreadable", r"could not be read from |is not an ordinary file|is a folder, not|cannot be read|, but \d+ are expected"),
    ("rows", r"[Tt]he output has no row where|of the data, where .* does not lie between two values"),
    ("rows", r"has \d+ values?, but the data column"),
    ("crash", r"ended by signal|ended with exit status|The program crashed|cannot be ended: it hangs|wrote to its error stream"),
    ("crash", r"which you named as (a|the) sign of"),
    ("likelihood", r"[Tt]he covariance (of the summaries|is singular|of \d+ summaries)|to summarize\.|its spread is unknown"),
    ("likelihood", r"good runs are too few for the covariance|exactly the same result\. Either|One run per point"),
    ("likelihood", r"the program never gives what was measured"),
)  # fmt: skip
REASONS = 4096  # sentences remembered: a picture asks for the kind of every failed run
_SAID = re.compile(r" It said last: “| It printed nothing\.|: “")


@lru_cache(REASONS)
def kind_of(outcome: str, reason: str) -> Kind:
    """Of a run that is not "ok"; "other" where the program was not to blame, or for sentences not known here."""
    if outcome == "impossible":
        return "impossible"
    own = _SAID.split(reason)[0] if "named as" not in reason else reason
    return next((kind for kind, sign in _SIGNS if re.search(sign, own)), "other")
