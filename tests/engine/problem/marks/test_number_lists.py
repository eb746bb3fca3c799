"""Lists of numbers that follow a name over several lines: found by a click in them, read in other runs, never read short."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec
import pytest
from awkward_lists import FLUX, LOG_WITH_JSON, NCDUMP, SHORTER, STORED, TIMES
from hypothesis import given, settings
from hypothesis import strategies as st

from bayescope.engine.problem.definition import NumberList, Output
from bayescope.engine.problem.extract import ExtractionError, extract
from bayescope.engine.problem.marks import Mark
from bayescope.engine.problem.marks.anchors.compare import compared
from bayescope.engine.problem.marks.each import each_number, these_numbers
from bayescope.engine.problem.marks.find_quantities import find_quantities
from bayescope.engine.problem.marks.quantity import Quantity

Printer = Callable[[str, Sequence[str], int], str]


def rows(numbers: Sequence[str], width: int) -> list[Sequence[str]]:
    return [numbers[k : k + width] for k in range(0, len(numbers), width)]


def ncdump(name: str, numbers: Sequence[str], width: int) -> str:
    return f" {name} = " + ", \n    ".join(", ".join(row) for row in rows(numbers, width)) + " ;\n"


def namelist(name: str, numbers: Sequence[str], width: int) -> str:
    lines = ("".join(f"{n}     ,  " for n in row) for row in rows(numbers, width))
    return f" {name.upper()}=  " + "\n  ".join(lines) + "\n"


def numpy(name: str, numbers: Sequence[str], width: int) -> str:
    return f"{name} [" + "\n ".join(" ".join(row) for row in rows(numbers, width)) + "]\n"


def json_in_log(name: str, numbers: Sequence[str], width: int) -> str:
    return f'"{name}": [' + ",\n   ".join(", ".join(row) for row in rows(numbers, width)) + "]\n"


def r_print(name: str, numbers: Sequence[str], width: int) -> str:
    lines = (f" [{k * width + 1}] " + " ".join(row) for k, row in enumerate(rows(numbers, width)))
    return f"> {name}\n" + "\n".join(lines) + "\n"


def matlab(name: str, numbers: Sequence[str], width: int) -> str:
    if len(numbers) <= width:
        return f"{name} =\n\n   " + "   ".join(numbers) + "\n\n"
    blocks = (
        f"  Columns {k * width + 1} through {k * width + len(row)}\n\n   " + "   ".join(row) + "\n\n"
        for k, row in enumerate(rows(numbers, width))
    )
    return f"{name} =\n\n" + "".join(blocks)


def checkpoint(name: str, numbers: Sequence[str], width: int) -> str:
    return f"{name:<40}   R   N={len(numbers):12d}\n " + "\n ".join("  ".join(row) for row in rows(numbers, width)) + "\n"


def xml(name: str, numbers: Sequence[str], width: int) -> str:
    body = "\n ".join(" ".join(row) for row in rows(numbers, width))
    return f'<DataArray type="Float32" Name="{name}" format="ascii">\n {body}\n</DataArray>\n'


def foam(name: str, numbers: Sequence[str], width: int) -> str:
    return f"{name}   nonuniform List<scalar>\n{len(numbers)}\n(\n" + "\n".join(numbers) + "\n)\n;\n"


def h5dump(name: str, numbers: Sequence[str], width: int) -> str:
    lines = ",\n".join(f"      ({k * width}): {', '.join(row)}" for k, row in enumerate(rows(numbers, width)))
    space = f"SIMPLE {{ ( {len(numbers)} ) / ( {len(numbers)} ) }}"
    data = f"      DATATYPE  H5T_IEEE_F64LE\n      DATASPACE  {space}\n      DATA {{\n{lines}\n      }}\n"
    return f'HDF5 "a.h5" {{\nGROUP "/" {{\n   DATASET "{name}" {{\n{data}   }}\n}}\n}}\n'


PRINTERS: tuple[Printer, ...] = (ncdump, namelist, numpy, json_in_log, r_print, matlab, checkpoint, xml, foam, h5dump)
ENDED = (ncdump, numpy, json_in_log, checkpoint, xml, foam, h5dump)
some_numbers = st.lists(
    st.floats(-1e6, 1e6, allow_nan=False).map(lambda v: f"{v:.6g}"), min_size=2, max_size=23
)  # fmt: skip


def a_text(printer: Printer, flux: Sequence[str], other: Sequence[str], width: int) -> str:
    return f"solver 2.1 done\n{printer('tide', other, width)}{printer('flux', flux, width)}all is well\n"


def values(numbers: Sequence[str]) -> tuple[float, ...]:
    return tuple(map(float, numbers))


@settings(max_examples=80, deadline=None)
@given(st.sampled_from(PRINTERS), some_numbers, some_numbers, some_numbers, st.integers(2, 9), st.integers(2, 9), st.data())
def test_a_click_on_a_name_or_any_number_finds_the_list_and_reads_it_in_another_run(
    printer: Printer, flux: list[str], other: list[str], then: list[str], width: int, width_then: int, data: st.DataObject
) -> None:
    text, there = a_text(printer, flux, other, width), a_text(printer, then, other, width_then)
    name = text.index("FLUX" if printer is namelist else "flux")
    by_name = Mark(text, name + 1, name + 1, other=there)
    assert by_name.first() == "list"
    (whole,) = by_name.offers("list")[0].proposals
    assert whole.values == values(flux)
    assert extract(whole.extractor, text).values == values(flux)
    assert extract(whole.extractor, text).spans == whole.spans
    assert extract(whole.extractor, there).values == values(then)
    k = data.draw(st.integers(0, len(flux) - 1))
    a, b = whole.spans[k]
    assert float(text[a:b]) == float(flux[k])
    mark = Mark(text, a, b)
    assert "list" in mark.scopes
    assert mark.first() == "number"
    assert mark.offers("list")[0].proposals[0].values == values(flux)
    assert mark.offers("number")[0].proposals[0].values == (float(flux[k]),)


@settings(max_examples=20, deadline=None)
@given(st.sampled_from(ENDED), some_numbers, st.integers(2, 9), st.data())
def test_a_list_that_has_an_end_is_never_read_short(printer: Printer, flux: list[str], width: int, data: st.DataObject) -> None:
    text = a_text(printer, flux, ["1", "2"], width)
    name = text.index("flux")
    (whole,) = Mark(text, name + 1, name + 1).offers("list")[0].proposals
    cut = text[: data.draw(st.integers(name, whole.spans[-1][0]))]
    with pytest.raises(ExtractionError):
        extract(whole.extractor, cut)


@settings(max_examples=40, deadline=None)
@given(st.text(alphabet='x1 2.5,;=:[](){}<>/"\n_-*eN', max_size=60), st.integers(0, 60), st.integers(0, 60))
def test_no_text_breaks_the_search_for_a_list(text: str, a: int, b: int) -> None:
    mark = Mark(text, a, b)
    for scope in mark.scopes:
        for offer in mark.offers(scope):
            for p in offer.proposals:
                if isinstance(p.extractor, NumberList):
                    reading = extract(p.extractor, text, p.decimal_comma)
                    assert reading.spans == p.spans
                    assert reading.values == pytest.approx(p.values, nan_ok=True)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, len(STORED)), st.integers(0, 80), st.integers(0, len(STORED)), st.integers(0, 200))
def test_no_damage_breaks_the_reading_of_an_hdf5_dump(at: int, gone: int, start: int, more: int) -> None:
    text = STORED[:at] + STORED[at + gone :]
    mark = Mark(text, start, start + more)
    for offer in [offer for scope in mark.scopes for offer in mark.offers(scope)]:
        for p in (one for one in offer.proposals if not one.texts):  # labels are read as texts
            reading = extract(p.extractor, text, p.decimal_comma)
            assert reading.values == pytest.approx(p.values, nan_ok=True)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x = 1,5 2,5\n", "decimal comma"),
        ("x = 1,5\n", "read in two ways"),
        ("x = [1 2 ... 5]\n", "left out"),
        ("x = [1 abc 5]\n", "“abc” stands where number 2 of the list should be"),
        ("x = [1, 2\n", "a “]” should follow"),
        ("x = 1, 2,\n", "another number should follow"),
        ("x = 1, , 2\n", "nothing stands before a comma"),
        ("x = [1, ****]\n", r"\*\*\*\*"),
        ("x =\n\n Columns 1 through 2:\n\n  1  2\n\n Column 4:\n\n  7\n", "columns 3 to 3"),
        ("y = 1\n", "does not occur"),
        ("x = none\n", "no number follows it"),
        ("x = [1) 2]\n", "should close the list"),
        ("x = 9999999999*1.0\n", "repeated|number"),
    ],
)
def test_what_is_wrong_with_a_list_is_said(text: str, words: str) -> None:
    with pytest.raises(ExtractionError, match=words):
        extract(NumberList(name="x ="), text)


def test_a_list_with_a_decimal_comma_is_read_where_that_is_declared() -> None:
    assert extract(NumberList(name="x ="), "x = [1,5; 2,5;\n 3,5]\n", decimal_comma=True).values == (1.5, 2.5, 3.5)


def test_numbers_with_commas_below_numbers_with_points_are_no_list_with_a_decimal_comma() -> None:
    text = "k=1, v=2.5\n1 2.5 3.5\n1,5;2,5"
    mark = Mark(text, 10, 12)
    for scope in mark.scopes:
        for proposal in (p for offer in mark.offers(scope) for p in offer.proposals):
            assert extract(proposal.extractor, text, proposal.decimal_comma).values == proposal.values


def test_a_drag_over_several_lists_makes_an_output_of_each() -> None:
    start = NCDUMP.index(" time = 0")
    each = each_number(Mark(NCDUMP, start, NCDUMP.index("}")))
    assert each.apart
    assert [f.name for f in each.found] == ["time", "flux_r"]
    assert [f.proposal.values for f in each.found] == [TIMES, pytest.approx(FLUX, nan_ok=True)]
    assert [len(extract(f.proposal.extractor, SHORTER).values) for f in each.found] == [5, 5]


def test_names_of_lists_are_picked_one_by_one_beside_single_numbers() -> None:
    place = LOG_WITH_JSON.index
    spans = [(place('"time"') + 2,) * 2, (place("flux") + 1,) * 2, (place("4}"), place("4}") + 1)]
    each = these_numbers(Mark(LOG_WITH_JSON, *spans[-1]), spans)
    assert [f.name for f in each.found][:2] == ["time", "flux"]
    assert [len(f.proposal.values) for f in each.found] == [4, 4, 1]


def test_lists_are_found_by_the_names_in_a_table_of_measured_data() -> None:
    found, missing = find_quantities([Quantity("flux_r", "", None, 12)], {"out.cdl": NCDUMP}, {})
    assert not missing
    assert [(f.name, len(f.proposal.values)) for f in found] == [("flux_r", 12)]


def test_a_list_is_compared_with_a_run_in_which_it_is_shorter() -> None:
    at = NCDUMP.index("0.9965")
    mark = Mark(NCDUMP, at, at, "out.cdl", SHORTER)
    told = compared(mark.offers("list")[0].proposals, NCDUMP, SHORTER)
    assert (told.level, told.words) == ("info", "Its length varies: 12 numbers here, 5 in the run at other values.")
    assert compared(mark.offers("number")[0].proposals, NCDUMP, SHORTER).level == "error"


def test_a_list_is_kept_in_a_file() -> None:
    output = Output(name="flux", source="stdout", extractor=NumberList(name="flux =", occurrence=-1, end=";", first=2, count=3))
    again = msgspec.json.decode(msgspec.json.encode(output), type=Output)
    assert again == output
    assert msgspec.json.decode(msgspec.json.encode(output))["extractor"]["kind"] == "list"


R_VECTOR = "Cases per week:\n [1]  0.5  1.25  2.5\n [4] 30.5 41.25 52.5\n [7] 60.5 71.25\n\nfinal size: 0.5\n"


@pytest.mark.parametrize(
    ("first", "last", "scope", "n"),
    [
        (" [1]", "\n\nfinal", "list", 8),
        ("[1]", "71.25", "list", 8),
        (" [1]", "final", "list", 8),
        (" [1]", "41.25", "part", 5),
        (" [4]", "\n [7]", "part", 3),
        (" [4]", "\n\nfinal", "part", 5),
    ],
)
def test_a_drag_over_the_positions_that_r_prints_means_the_numbers(first: str, last: str, scope: str, n: int) -> None:
    end = R_VECTOR.index(last) + (len(last) if last[-1].isdigit() else 0)
    mark = Mark(R_VECTOR, R_VECTOR.index(first), end)
    assert mark.first() == scope
    (proposal,) = mark.offers(mark.scopes[0])[0].proposals
    assert len(proposal.values) == n
    assert "table" not in mark.scopes
