"""What a run's own computing happened on, in words. Seconds by device as in ``protocol.Progress.computed_s``."""

from __future__ import annotations

from collections.abc import Mapping

PROCESSOR = ""
SMALL = 0.005  # of the computing: rounds to less than a per cent


def device_words(seconds: Mapping[str, float]) -> str:
    """``Computes on the processor``, or ``NVIDIA H200: 63 % of the computing``; empty before anything was computed."""
    total = sum(seconds.values())
    if total <= 0.0:
        return ""
    shares = [f"{name}: {_per_cent(s / total)} of the computing" for name, s in seconds.items() if name != PROCESSOR and s > 0.0]
    return "; ".join(shares) if shares else "Computes on the processor"


def time_words(seconds: Mapping[str, float]) -> str:
    """Every device with its time, the processor first: ``Computing: 12.0 s on the processor, 30.1 s on NVIDIA H200.``"""
    ordered = sorted(seconds.items(), key=lambda item: (item[0] != PROCESSOR, -item[1]))
    said = [f"{max(s, 0.0):.1f} s on {name or 'the processor'}" for name, s in ordered]
    return f"Computing: {', '.join(said)}." if said else ""


def _per_cent(share: float) -> str:
    if share < SMALL:
        return "less than 1 %"
    return "nearly all" if share > 1.0 - SMALL else f"{100.0 * share:.0f} %"
