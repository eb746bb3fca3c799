"""Numbers on logarithmic axes."""

from __future__ import annotations

import numpy as np
import pytest

from bayescope.gui.models.scales import log_ticks


@pytest.mark.parametrize("count", [2, 3, 4])
def test_no_logarithmic_axis_has_a_single_number(count: int) -> None:
    """One says nothing of the scale, whatever the axis spans and however little room there is."""
    for low in np.linspace(-3.0, 3.0, 61):
        for span in np.linspace(0.1, 4.0, 40):
            assert len(log_ticks(low, low + span, count)) > 1, (low, span)
