"""Signs between thousands are taken out where it is evident that they are such; elsewhere nothing is guessed."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.data.files.data_files import Options, parse_with
from bayescope.engine.problem.errors import ProblemError


def read(text: str) -> dict[str, tuple[float | None, ...]]:
    return parse_with(text.encode(), "gdp.csv", Options(missing=None, named=True)).table.columns


@pytest.mark.parametrize(
    ("cells", "values"),
    [
        (("1,204,500", "98,000", "870"), (1204500.0, 98000.0, 870.0)), (("12,345.50", "870", "1,000"), (12345.5, 870.0, 1000.0)),
        (("1'204'500", "870", "1'000"), (1204500.0, 870.0, 1000.0)),
        (("1\u202f204", "870", "-1\u202f000"), (1204.0, 870.0, -1000.0)),
        (("1 204 500", "n/a", "1 000"), (1204500.0, None, 1000.0)), (("1.204.500", "870", "1.000"), (1204500.0, 870.0, 1000.0)),
        (("1.204,5", "870,0", "1.000,0"), (1204.5, 870.0, 1000.0)),
    ],
)  # fmt: skip
def test_evident_thousands_are_read(cells: tuple[str, ...], values: tuple[float | None, ...]) -> None:
    found = read("t;u\n" + "".join(f"{i};{cell}\n" for i, cell in enumerate(cells)))
    assert found["u"] == values


def test_other_columns_tell_which_sign_is_the_decimal_one() -> None:
    assert read("t;n;p\n0;1.204;87,5 %\n1;1.198;91,0 %\n")["n"] == (1204.0, 1198.0)
    assert read('t,n,p\n0,"1,204",87.5\n1,"1,198",91.2\n')["n"] == (1204.0, 1198.0)


def test_a_thousandth_is_no_thousand() -> None:
    assert read("t;u\n0;0,123\n1;0,456\n2;1,5\n")["u"] == (0.123, 0.456, 1.5)
    assert read("t,u,v\n0,1.204,0.5\n1,1.198,0.6\n")["u"] == (1.204, 1.198)


def test_what_may_be_either_is_still_asked() -> None:
    with pytest.raises(ProblemError, match="in two ways"):
        read("t;u\n0;1,500\n1;2,500\n")
