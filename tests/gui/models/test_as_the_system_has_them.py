"""Dates, and numbers with a decimal comma, on systems set up for other countries: each in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

SEEN = """
from datetime import datetime
from PySide6.QtWidgets import QApplication
from bayescope.gui.models import dates
from bayescope.gui.models.plain import number_of
from bayescope.gui.widgets.number_boxes import AmountBox, CountBox
application = QApplication([])
at = datetime(2026, 10, 3, 14, 5, 9).timestamp()
count, amount = CountBox(0, 1_000_000, 10_000), AmountBox(0.0, 100.0, 2)
print(dates.day(at), dates.clock(at), dates.moment(at), count.text(), count.valueFromText("1,234"), amount.valueFromText("1,5"),
      amount.text(), number_of("0,25"), sep="|")
try:
    number_of("1,234")
except ValueError as error:
    print(error)
"""


@pytest.mark.window
@pytest.mark.parametrize(
    ("system", "day", "clock", "moment", "counts"),
    [
        ("de_DE.UTF-8", "03.10.26", "14:05", "03.10.26 14:05:09", "10000|10000"),
        ("en_GB.UTF-8", "03/10/2026", "14:05", "03/10/2026 14:05:09", "10,000|1234"),
        ("en_US.UTF-8", "10/3/26", "2:05 PM", "10/3/26 2:05:09 PM", "10,000|1234"),
        ("fi_FI.UTF-8", "3.10.2026", "14.05", "3.10.2026 14.05.09", "10000|10000"),
        ("sv_SE.UTF-8", "2026-10-03", "14:05", "2026-10-03 14:05:09", "10000|10000"),
    ],
)
def test_dates_are_the_systems_and_a_comma_never_makes_a_thousand_of_one(
    system: str, day: str, clock: str, moment: str, counts: str
) -> None:
    given = {k: v for k, v in os.environ.items() if not k.startswith("LC_") and k != "LANGUAGE"}
    given |= {"LANG": system, "QT_QPA_PLATFORM": "offscreen", "TZ": "UTC"}
    said = subprocess.run([sys.executable, "-c", SEEN], capture_output=True, text=True, encoding="utf-8", check=True, env=given)
    seen, refused = said.stdout.replace("\u202f", " ").replace("\xa0", " ").splitlines()
    assert seen == f"{day}|{clock}|{moment}|{counts}|1.5|0.00|0.25"
    assert "must be a number such as 0.5 or 1e-3, not “1,234”" in refused
