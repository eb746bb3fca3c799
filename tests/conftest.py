"""Every test run: what was imported while tests were collected is kept out of the garbage collector's rounds."""

from __future__ import annotations

import gc


def pytest_collection_finish() -> None:
    """Torch, Qt and the tests themselves live to the end; looking at them in every round takes a quarter of a window test."""
    gc.collect()
    gc.freeze()
