"""Which files make up the CUDA build of PyTorch: pinned by name, size and checksum in resources/cuda/wheels.json.

``python3 packaging/dev.py cuda-wheels`` writes that file from what pip resolves.
"""

from __future__ import annotations

import hashlib
import platform
import sys
from functools import cache
from importlib import metadata
from importlib.resources import files
from pathlib import Path

import msgspec

from ..problem.errors import SetupError

SYSTEM = f"{sys.platform}-{platform.machine().lower()}"
PYTHON = f"cp{sys.version_info.major}{sys.version_info.minor}"  # as wheels name it


class Wheel(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One file: ``size`` and ``unpacked`` in bytes; ``python`` "": for every Python."""

    url: str
    sha256: str
    size: int
    unpacked: int
    python: str = ""

    @property
    def name(self) -> str:
        return self.url.rsplit("/", 1)[-1]


class WheelSet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One CUDA build for one kind of computer. ``driver``: the oldest that it works with; ``capability``: the oldest card's."""

    torch: str
    cuda: str
    driver: str
    capability: float
    system: str
    wheels: tuple[Wheel, ...]

    def needed(self, python: str = PYTHON) -> tuple[Wheel, ...]:
        """The files for ``python``; none where there is no build for it."""
        chosen = tuple(w for w in self.wheels if w.python in ("", python))
        return chosen if any(w.python == python for w in chosen) else ()

    def folder_name(self, python: str = PYTHON) -> str:
        """Another for every other set of files."""
        sums = "".join(w.sha256 for w in self.needed(python))
        return f"torch-{self.torch}-{python}-{hashlib.sha256(sums.encode()).hexdigest()[:12]}"


@cache
def bundled() -> WheelSet:
    """What this version of Bayescope was made for."""
    return _decode((files("bayescope.resources") / "cuda" / "wheels.json").read_bytes())


def from_file(path: Path) -> WheelSet:
    """A list of somebody's own, in the same form. Raises SetupError."""
    try:
        return _decode(path.read_bytes())
    except (OSError, msgspec.DecodeError) as error:
        raise SetupError(f"{path} is not a list of wheels: {error}.") from None


def _decode(data: bytes) -> WheelSet:
    return msgspec.json.decode(data, type=WheelSet)


def torch_version() -> str:
    """Of the PyTorch that came with this Bayescope, without the name of the build; empty where there is none."""
    try:
        return metadata.version("torch").partition("+")[0]
    except metadata.PackageNotFoundError:
        return ""


def why_none(wheels: WheelSet) -> str:
    """Why there is nothing to fetch for this computer and this Python, in a sentence; empty where there is."""
    if sys.platform == "darwin":
        return "Macs have no NVIDIA cards that PyTorch could use; everything is computed on the processor."
    if wheels.system != SYSTEM:
        return (
            f"The CUDA build of PyTorch can be fetched for {wheels.system} only, and this computer is {SYSTEM}. Everything is "
            "computed on the processor; Bayescope from source works with any PyTorch that you install."
        )
    if not wheels.needed():
        return f"There is no CUDA build of PyTorch {wheels.torch} for this Python ({PYTHON})."
    if wheels.torch != torch_version():
        return f"The list is for PyTorch {wheels.torch}; this Bayescope was made for {torch_version() or 'none'}."
    return ""
