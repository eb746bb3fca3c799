"""Where the CUDA build of PyTorch lies, one for everybody or one for each user, and the small file that switches it on."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
import platformdirs

from ..session import atomic, folders
from ..session.places import home
from .wheels import PYTHON, SYSTEM, torch_version

MARKER = "switched-on.json"
DOWNLOADS = "downloads"
_NATIVE = (".so", ".dll", ".pyd")
SHARED = "BAYESCOPE_CUDA"  # environment variable: another folder for everybody


class Installed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of the marker. ``folder``: a name beside it; ``native``: bytes of each library in it, by relative name."""

    folder: str
    torch: str
    cuda: str
    python: str
    system: str
    native: dict[str, int]


class Place(msgspec.Struct, frozen=True):
    """``root``: the folder with the marker, the unpacked folder and what has been downloaded."""

    root: Path

    def installed(self) -> Installed | None:
        """What is switched on here; None: nothing, or nothing that can be read."""
        try:
            found = msgspec.json.decode((self.root / MARKER).read_bytes(), type=Installed)
        except (OSError, msgspec.DecodeError):
            return None
        return found if found.folder and Path(found.folder).name == found.folder else None  # a name, not a way to elsewhere

    def switch_on(self, installed: Installed) -> None:
        """Raises OSError, SessionError."""
        atomic.write(self.root / MARKER, msgspec.json.format(msgspec.json.encode(installed)) + b"\n", replace=True)

    def switch_off(self) -> None:
        """Raises OSError."""
        (self.root / MARKER).unlink(missing_ok=True)

    def remove(self) -> bool:
        """All of it, also what has been downloaded in part; whether nothing is left. Raises OSError."""
        self.switch_off()
        folders.remove(self.root)
        return not self.root.exists()

    def downloaded(self) -> int:
        """Bytes that are kept of a download that has not come to its end."""
        return sum(entry.stat().st_size for name, entry in folders.files_below(self.root / DOWNLOADS) if name != "lock")


def own() -> Place:
    """This user's."""
    return Place(home() / "cuda")


def shared() -> Place:
    """Everybody's on this computer: an administrator fills it, or ``BAYESCOPE_CUDA`` names another."""
    chosen = os.environ.get(SHARED)
    return Place(Path(chosen) if chosen else Path(platformdirs.site_data_dir("Bayescope", appauthor=False)) / "cuda")


def native_files(folder: Path) -> dict[str, int]:
    """Bytes of every library below ``folder``, by relative name."""
    libraries = ((n, e) for n, e in folders.files_below(folder) if any(s in e.name for s in _NATIVE))
    return {name: entry.stat().st_size for name, entry in libraries}


def why_not(place: Place, installed: Installed) -> str:
    """Why what is switched on cannot be used by this very program, in a sentence; empty where it can."""
    if (installed.python, installed.system) != (PYTHON, SYSTEM):
        return f"It is for {installed.python} on {installed.system}, and this Bayescope runs on {PYTHON} on {SYSTEM}."
    if installed.torch != torch_version():
        return f"It is PyTorch {installed.torch}, and this version of Bayescope was made for {torch_version()}."
    folder = place.root / installed.folder
    for name, size in installed.native.items():
        try:
            there = (folder / name).stat().st_size
        except OSError:
            there = -1
        if there != size:
            return f"A file of it is {'missing' if there < 0 else 'damaged'}: {folder / name}."
    return ""


def in_use() -> tuple[Place, Installed] | None:
    """The user's own before everybody's; None where none is switched on."""
    for place in (own(), shared()):
        installed = place.installed()
        if installed is not None:
            return place, installed
    return None
