"""Whether this computer has a driver for NVIDIA cards: seen at once, without PyTorch."""

from __future__ import annotations

import shutil
from pathlib import Path

KERNEL = Path("/proc/driver/nvidia")
_TOOL_ELSEWHERE = "/usr/lib/wsl/lib/nvidia-smi"  # Linux inside Windows


def is_seen() -> bool:
    return KERNEL.exists() or tool() is not None


def tool() -> str | None:
    """The driver's own program, which knows its cards."""
    return shutil.which("nvidia-smi") or shutil.which(_TOOL_ELSEWHERE)
