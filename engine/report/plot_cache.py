"""Matplotlib's own files (an empty folder of settings, a list of fonts) in this application's data, not in the user's home."""

from __future__ import annotations

import os
import sys

from ..session.places import home, writable

VARIABLE = "MPLCONFIGDIR"


def settle() -> None:
    """Before the first import of Matplotlib. The variable is taken back: the user's programs get the environment as it was."""
    if "matplotlib" in sys.modules or VARIABLE in os.environ:
        return
    os.environ[VARIABLE] = str(writable(home() / "matplotlib"))
    try:
        import matplotlib

        matplotlib.get_configdir(), matplotlib.get_cachedir()  # both are remembered
    finally:
        os.environ.pop(VARIABLE, None)
