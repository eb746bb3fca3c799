"""The engine: problems, sessions, simulators, surrogates, inference. ``infer`` is the door for programmers."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .library.infer import Inference, infer

__all__ = ["Inference", "infer"]


def __getattr__(name: str) -> object:
    """``infer`` and ``Inference`` are imported when first asked for, so that importing the engine stays light."""
    if name in __all__:
        from .library import infer as door

        return getattr(door, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
