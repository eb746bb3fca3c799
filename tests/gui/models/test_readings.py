"""What outputs read is kept as long as neither the output nor the text changes, and is what reading gives."""

from __future__ import annotations

import msgspec
import pytest

from bayescope.engine.problem import definition as d
from bayescope.engine.problem import extract
from bayescope.gui.models.simulator.outputs import readings

OUTPUT = d.Output(name="y", source="out.txt", extractor=d.LabelledNumber(label="energy", occurrence=1))


def test_a_text_is_read_once_and_again_when_the_output_or_the_text_is_another(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def counted(output: d.Output, text: str) -> extract.Reading:
        read.append(text)
        return extract.read_output(output, text)

    monkeypatch.setattr(readings, "read_output", counted)
    readings._kept.cache_clear()
    first, second = "energy 1.5\n", "energy 2.5\n"
    assert readings.reading_of(OUTPUT, first).values == readings.reading_of(OUTPUT, first).values == (1.5,)
    assert readings.reading_of(OUTPUT, second).values == (2.5,)
    assert read == [first, second]
    other = msgspec.structs.replace(OUTPUT, name="z", length=2)
    for _ in range(2):
        with pytest.raises(extract.ExtractionError, match=r"“z” from out.txt has 1 numbers, but 2 are expected"):
            readings.reading_of(other, first)
    assert read == [first, second, first]
