"""Names that put a d before that of a column, as errors are called: dR beside R, dU right behind U_conf. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

_DELTA = re.compile(
    r"(?P<sign>delta|[d\u0394\u03b4\u2206\u03c3]|s(?=[ _]?[A-Z]))[ _]?(?P<name>\S.*)"
)  # dR, sR beside R
_DIFFERENCES = ("delta", "\u0394", "\u2206")  # of a quantity from a state to another, as often as errors


def is_delta(name: str, of: str, columns: Sequence[str] = ()) -> bool:
    """Whether ``name`` is that of ``of`` behind a d, or stands right behind it in ``columns`` and has its first word behind a d,
    which is the first one of no other column. All are without units."""
    found = _DELTA.fullmatch(name)
    if found is None or name == of:
        return False
    if found["name"] == of:
        return True
    others = [c for c in columns if c not in (name, of)]
    behind = found["sign"] not in _DIFFERENCES and any(pair == (of, name) for pair in pairwise(columns))
    return behind and _first(of) == found["name"] and all(_first(c) != found["name"] for c in others)


def _first(name: str) -> str:
    return re.split(r"[\W_]+", name, maxsplit=1)[0]
