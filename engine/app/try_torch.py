"""``--try-torch FOLDER``: does the build of PyTorch in that folder work on this computer? In a process of its own."""

from __future__ import annotations

from pathlib import Path

import msgspec

from ..cuda.first_import import put_first
from ..cuda.trial import Found
from .exit_status import OK
from .terminal import say


def in_child(folder: Path) -> Found:
    """In the process that tries: PyTorch of ``folder`` and of nowhere else."""
    try:
        put_first(folder)
        import torch

        if not Path(torch.__file__ or "").resolve().is_relative_to(folder.resolve()):
            return Found(wrong=f"another PyTorch was loaded ({torch.__file__}).")
        device = torch.cuda.get_device_name(0) if torch.cuda.is_available() else ""
        for name in ("cpu", "cuda") if device else ("cpu",):
            made = torch.arange(16, dtype=torch.float64, device=name).reshape(4, 4)
            matrix = made @ made.T + 100.0 * torch.eye(4, dtype=torch.float64, device=name)
            factor = torch.linalg.cholesky(matrix)
            if not torch.allclose(factor @ factor.T, matrix):
                return Found(wrong=f"it computes wrong numbers on {device or 'the processor'}.")
        return Found(torch=str(torch.__version__), device=device)
    except Exception as error:  # whatever a build for another computer raises
        return Found(wrong=f"{type(error).__name__}: {str(error).strip().rstrip('.')}."[:500])


def main(folder: str) -> int:
    """``--try-torch FOLDER``: one line on stdout."""
    say(msgspec.json.encode(in_child(Path(folder))).decode())
    return OK
