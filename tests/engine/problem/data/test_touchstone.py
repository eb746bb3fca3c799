"""Network parameters in Touchstone files: the option line says what the columns are."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.data.files.data_files import Options, parse_with
from bayescope.engine.problem.data.names.column_names import says_where


def columns(text: str, name: str = "amp.s2p") -> dict[str, tuple[float | None, ...]]:
    return dict(parse_with(text.encode(), name, Options(named=True)).table.columns)


@pytest.mark.parametrize(("option", "names"), [
    ("# Hz S dB R 50", ["frequency [Hz]", "S11 [dB]", "S11 angle [deg]"]),
    ("# GHz S MA R 50", ["frequency [GHz]", "S11 magnitude", "S11 angle [deg]"]),
    ("# mhz z ri r 75", ["frequency [MHz]", "Z11 real", "Z11 imaginary"]),
    ("#S RI", ["frequency [GHz]", "S11 real", "S11 imaginary"]),
    ("# R 50 KHZ DB S", ["frequency [kHz]", "S11 [dB]", "S11 angle [deg]"]),
])  # fmt: skip
def test_one_port(option: str, names: list[str]) -> None:
    found = columns(f"! made by hand\n{option}\n1 0.5 10\n2 0.4 20 ! the last\n", "a.s1p")
    assert list(found) == names
    assert found[names[0]] == (1.0, 2.0)
    assert found[names[2]] == (10.0, 20.0)
    assert says_where(names[0])


def test_two_ports_stand_column_by_column_and_noise_is_left_out() -> None:
    rows = "1.0 -20 45 -3 -90 -4 -91 -18 30\n2.0 -19 44 -5 -92 -6 -93 -17 31\n"
    found = columns(f"! x\n\n# GHz S DB R 50\n! freq s11 s21 s12 s22\n{rows}! noise\n0.5 1.2 0.3 40 0.2\n1.0 1.3 0.4 41 0.3\n")
    assert [n for n in found if "dB" in n] == ["S11 [dB]", "S21 [dB]", "S12 [dB]", "S22 [dB]"]
    assert found["S21 [dB]"] == (-3.0, -5.0)
    assert found["S22 angle [deg]"] == (30.0, 31.0)


@pytest.mark.parametrize("ports", [3, 4, 5])
def test_the_lines_of_each_frequency_are_one_row_of_three_ports_and_more(ports: int) -> None:
    text = "! several lines\n# MHz S RI R 50\n"
    for f in (100, 200):
        cells = [f"{i}{k}.{f} {i}.5" for i in range(1, ports + 1) for k in range(1, ports + 1)]
        lines = [cells[i * ports : (i + 1) * ports] for i in range(ports)]
        parts = [line[j : j + 4] for line in lines for j in range(0, ports, 4)]  # at most four pairs in a line
        text += f"{f} " + "\n  ".join(" ".join(part) for part in parts) + "\n"
    found = columns(text, f"amp.s{ports}p")
    assert len(found) == 1 + 2 * ports * ports
    assert found["frequency [MHz]"] == (100.0, 200.0)
    assert found[f"S{ports}1 real"] == (float(f"{ports}1.1"), float(f"{ports}1.2"))
    assert found[f"S1{ports} imaginary"] == (1.5, 1.5)


def test_version_2_says_its_order_and_where_data_begin() -> None:
    found = columns(
        "[Version] 2.0\n# GHz S MA R 50\n[Number of Ports] 2\n[Two-Port Data Order] 12_21\n[Network Data]\n"
        "1 .1 1 .2 2 .3 3 .4 4\n2 .1 1 .2 2 .3 3 .4 4\n[End]\n", "a.ts"
    )
    assert found["S12 magnitude"] == (0.2, 0.2)
    assert found["S21 magnitude"] == (0.3, 0.3)


@pytest.mark.parametrize("text", ["# S MA\n1 2\n3 4\n", "# f S\n1 2\n3 4\n", "# Hz s\n1 2\n3 4\n", "! f g\n1 2\n3 4\n"])
def test_a_table_with_a_heading_in_a_comment_is_read_as_before(text: str) -> None:
    assert not any("11" in name for name in columns(text, "a.txt"))
