"""Units that a text declares for its lists by their names."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.definition import LastNumber, NumberList
from bayescope.engine.problem.marks.lists.declared_units import declared_unit

TEXT = """\
variables:
\tdouble time(time) ;
\t\ttime:units = "days since 2000-01-01" ;
\tfloat tsoil(time, depth) ;
\t\ttsoil:units = "degC" ;
\t\tshare:units = "1" ;
\t\told_tsoil:units = "K" ;
data:
 tsoil = 1, 2 ;
"""


@pytest.mark.parametrize(
    ("name", "unit"), [("tsoil =", "degC"), ("old_tsoil =", "K"), ("time =", ""), ("share =", ""), ("soil =", ""), ("a.b(", "")]
)
def test_a_list_has_the_unit_that_stands_behind_its_own_name(name: str, unit: str) -> None:
    assert declared_unit(NumberList(name=name, end=";"), TEXT) == unit


def test_what_has_no_name_has_no_unit() -> None:
    assert declared_unit(LastNumber(), TEXT) == ""
