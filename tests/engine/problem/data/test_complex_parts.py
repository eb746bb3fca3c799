"""Parts of a complex quantity are told by names, paired with the same part, and converted from others."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.data.names.complex_parts import converted, names_by_part, part_of
from bayescope.engine.problem.data.names.name_words import names_told


@pytest.mark.parametrize(("name", "part"), [
    ("S11 real", "real"), ("S11_re", "real"), ("Re(S11)", "real"), ("S11_im", "imaginary"), ("Im(S11)", "imaginary"),
    ("|S11|", "magnitude"), ("mag(S11)", "magnitude"), ("S11 [dB]", "dB"), ("S11_dB", "dB"), ("dB(S11)", "dB"),
    ("S11 angle [deg]", "angle"), ("phase S11 (rad)", "angle"), ("S11 magnitude", "magnitude"),
])  # fmt: skip
def test_a_name_says_its_part(name: str, part: str) -> None:
    assert part_of(name) == ("s11", part)


@pytest.mark.parametrize("name", ["core", "claim", "temperature", "real", "S11", "Zre", "arm", "frequency [Hz]", "damage"])
def test_other_names_say_none(name: str) -> None:
    assert part_of(name) is None


def test_outputs_go_with_the_columns_of_their_part() -> None:
    columns = ["frequency [Hz]", "S11 real", "S11 imaginary", "S21 real", "S21 imaginary"]
    told = {"re_S11": "S11 real", "im_S11": "S11 imaginary", "S21_re": "S21 real"}
    assert names_by_part(list(told), columns) == told
    assert names_told(list(told), columns) == told


def test_parts_are_converted_where_others_tell_them() -> None:
    given = {"dB": (0.0, -20.0, None), "angle": (0.0, 90.0, 10.0)}
    assert converted("real", given) == pytest.approx((1.0, 0.0, None), abs=1e-12)  # type: ignore[arg-type]
    assert converted("imaginary", given) == pytest.approx((0.0, 0.1, None), abs=1e-12)  # type: ignore[arg-type]
    assert converted("magnitude", {"dB": (-20.0,)}) == pytest.approx((0.1,))
    assert converted("dB", {"real": (0.0, 0.0), "imaginary": (0.1, 0.0)}) == pytest.approx((-20.0, None))  # type: ignore[arg-type]
    assert converted("angle", {"real": (-1.0,), "imaginary": (0.0,)}) == pytest.approx((180.0,))
    assert converted("real", {"dB": (0.0,)}) is None
    assert converted("angle", {"magnitude": (1.0,), "dB": (0.0,)}) is None
