"""The CUDA build that is switched on is imported instead of the PyTorch that came with Bayescope: decided at the first import.

Only processes that compute ask for it. Nothing is done, and nothing read, before something imports PyTorch.
"""

from __future__ import annotations

import contextlib
import importlib.abc
import importlib.machinery
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType

Report = Callable[[str], None]  # told in a sentence that the build that is switched on is not used


class _AtFirstImport(importlib.abc.MetaPathFinder):
    """Asked before all others for every module that is imported; gone after the first import of PyTorch."""

    def __init__(self, report: Report) -> None:
        self._report = report

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname == "torch":
            with contextlib.suppress(ValueError):
                sys.meta_path.remove(self)
            words = choose()
            if words:
                self._report(words)
        return None  # the ordinary finders find it, in the folder that now comes first


def use_cuda_build(report: Report) -> None:
    """From here on in this process, if one is switched on. ``report`` may be called, from whatever thread imports PyTorch."""
    if "torch" not in sys.modules and not any(isinstance(finder, _AtFirstImport) for finder in sys.meta_path):
        sys.meta_path.insert(0, _AtFirstImport(report))


def choose() -> str:
    """Put what is switched on first; why it is not used, in a sentence, if it is not."""
    from . import places  # numpy comes with them, and a command's help should not wait for it
    from .trial import tried_here

    found = places.in_use()
    if found is None:
        return ""
    place, installed = found
    folder = place.root / installed.folder
    wrong = places.why_not(place, installed) or tried_here(folder, places.own()).wrong
    if not wrong:
        put_first(folder)
        return ""
    return (
        f"The CUDA build of PyTorch is not used; everything is computed on the processor. {wrong} Help > Graphics card "
        "(or “bayescope cuda”) installs it again or removes it."
    )


def put_first(folder: Path) -> None:
    """On the search path; the libraries in it name each other by their places, so that none of another build is loaded."""
    sys.path.insert(0, str(folder))
