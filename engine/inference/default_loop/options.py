"""Options of the default loop, each with its default and where the default comes from (RECIPE = shared/RECIPE.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any


@dataclass(frozen=True)
class DefaultOptions:
    """Set through ``LoopSettings.options``; an unknown name is an error."""

    extra_design_points: int = 4  # first design: D + this many points (RECIPE 2)
    exploration: float = 0.6  # weight of the mean in log k + weight * m (RECIPE 6; 1 fails on heavy tails)
    tail_every: int = 3  # every so many acquisitions look further out (measured: halves the missed tails at D = 6)
    tail_exploration: float = 0.25  # weight of the mean in those
    tail_saturation: float = (
        1.0  # and variance v counts as v / (1 + v): far corners of unbounded doubt do not draw them all
    )
    stop: bool = True  # stop when converged; False uses the whole budget
    residual_limit: float = 0.3  # largest weighted fresh residual at the stop (RECIPE 7; .5 gives false stops)
    evidence_sd_limit: float = 0.05  # GP sd of log Z at the stop (RECIPE 7)
    evidence_range_limit: float = 0.1  # range of log Z over the window at the stop (RECIPE 7)
    final_draws: int = 8000  # weighted draws of an answer (RECIPE 5)
    mixture_components: int = 12  # largest size of the variational mixture
    mixture_every: int = 5  # evaluations between updates of the mixture (issue 4)

    @classmethod
    def of(cls, given: Mapping[str, float | int | str | bool]) -> DefaultOptions:
        """Raises ValueError, in words, for an unknown or unreadable option."""
        known = {f.name: f for f in fields(cls)}
        values: dict[str, Any] = {}
        for name, value in given.items():
            if name not in known:
                raise ValueError(f"The default method has no option “{name}”. It has: {', '.join(sorted(known))}.")
            kind: type = type(getattr(cls, name))
            if isinstance(value, str) or (kind is not bool and isinstance(value, bool)):
                raise ValueError(
                    f"Option “{name}” must be {'yes or no' if kind is bool else 'a number'}, not {value!r}."
                )
            values[name] = kind(value)
        return cls(**values)
