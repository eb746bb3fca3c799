"""The engine: problems, sessions, simulators, surrogates, inference.

``infer``, ``infer_outputs``, ``open_session``: the doors for programmers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .library.infer import Inference, infer
    from .library.infer_outputs import OutputInference, infer_outputs
    from .library.saved import SavedAnalysis, open_session

__all__ = ["Inference", "OutputInference", "SavedAnalysis", "infer", "infer_outputs", "open_session"]
_LIVES = {
    "Inference": "infer", "infer": "infer", "OutputInference": "infer_outputs", "infer_outputs": "infer_outputs",
    "SavedAnalysis": "saved", "open_session": "saved",
}  # fmt: skip


def __getattr__(name: str) -> object:
    """They are imported when first asked for, so that importing the engine stays light."""
    if name in _LIVES:
        from importlib import import_module

        return getattr(import_module(f".library.{_LIVES[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
