"""The bars beside what parts of the data taught."""

from __future__ import annotations

from bayescope.engine.answer.sensitivity import DataPart, Sensitivity
from bayescope.gui.models.results.sensitivity import part_rows


def part(title: str, bits: float, whole: bool = False) -> DataPart:
    return DataPart(
        title=title, column="cases", bits=bits, widening=(1.0,), share=(None,), shift=(0.0,), pareto_k=0.3, how="weights",
        whole=whole,
    )  # fmt: skip


def test_bars_are_as_long_as_their_bits_whole_columns_among_them() -> None:
    parts = (part("rows 1 to 4", 0.96), part("all of it", 9.02, whole=True))
    rows = part_rows(Sensitivity(iteration=0, parameters=("beta",), indices=(), parts=parts, next=()), {})
    assert [round(r.share, 3) for r in rows] == [round(0.96 / 9.02, 3), 1.0]
