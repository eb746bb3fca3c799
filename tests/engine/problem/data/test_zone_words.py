"""In which zone a file's clock is, by its headings and the lines above its table."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.data.dates.zone_words import Zone, stated_zone


@pytest.mark.parametrize(
    ("names", "lines", "zone"),
    [
        (("Time_UTC",), (), Zone("UTC", 0.0)),
        (("yyyy mm dd HH MM (UTC)",), (), Zone("UTC", 0.0)),
        (("Timestamp",), ("Times: local time CEST (UTC+2)",), Zone("CEST (UTC+2)", 7200.0)),
        (("Time [UTC-05:30]",), (), Zone("UTC-05:30", -19800.0)),
        (("Datum (MEZ)",), ("exported in UTC",), Zone("MEZ", 3600.0)),
        (("Local time",), (), Zone("Local time")),
        (("Time (CST)",), (), Zone("CST")),
        (("Timestamp", "HUTCH", "best"), ("std. est. error of CETUS",), None),
        (("t (UTC)", "t (CEST)"), (), None),
    ],
)
def test_words_of_a_file_tell_its_zone(names: tuple[str, ...], lines: tuple[str, ...], zone: Zone | None) -> None:
    assert stated_zone(names, lines) == zone
