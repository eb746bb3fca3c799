"""Run folders that the user wants to keep: small ones are fetched whole, large ones when somebody asks for them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ..problem.errors import SetupError
from ..session.attempts import AttemptRecord
from ..simulator.run_folder import STDERR, STDOUT
from .collected import unpack
from .place import Place
from .ssh_words import Unreachable

FETCHED_AT_ONCE_MB = 20.0  # more would hold up the runs that follow
WHERE_FILE = "bayescope_where.txt"


def bring_rest(
    place: Place, token: str, folder: Path, files: Mapping[str, int], fetched: Mapping[str, tuple[bytes, float]]
) -> str:
    """The other files of a kept run; where they are, if they stay there, else "". Raises OSError, SetupError."""
    rest = {name: size for name, size in files.items() if f"run/{name}" not in fetched}
    if not rest:
        return ""
    if sum(rest.values()) <= FETCHED_AT_ONCE_MB * 1e6:
        try:
            unpack(place.fetch(token, [f"run/{name}" for name in rest]), folder)
            return ""
        except (Unreachable, SetupError):
            pass
    there = f"{place.folder(token)}/run"
    host = f"{place.profile.host}:" if place.profile.host else ""
    (folder / WHERE_FILE).write_text(
        f"The other files of this run ({sum(rest.values()) / 1e6:.1f} MB) are kept in\n{host}{there}\n"
        "They can be fetched with: bayescope where fetch FILE.bayescope RUN\n", encoding="utf-8",
    )  # fmt: skip
    return there


def brought_whole(
    place: Place, record: AttemptRecord, folder: Path, files: Mapping[str, int], fetched: Mapping[str, tuple[bytes, float]],
    where: str,
) -> tuple[str, ...]:  # fmt: skip
    """Where a run that is not recorded ran, and which of its files do not come back, sentences. Raises OSError, SetupError."""
    said = f"It ran on {where}, as job {record.job}." if record.job else f"It ran on {where}."
    if not bring_rest(place, record.token, folder, files, fetched):
        return (said,)
    (folder / WHERE_FILE).unlink(missing_ok=True)
    return said, f"Its other files, more than {FETCHED_AT_ONCE_MB:g} MB, were not brought here."


def fetch_kept(place: Place, token: str, folder: Path) -> None:
    """Everything of a run folder that was kept there. Raises Unreachable, SetupError, OSError."""
    listed = place.fetch(token, ["files.txt"]).get("files.txt", (b"", 0.0))[0].decode("utf-8", "surrogateescape")
    names = [line.strip().partition(" ")[2].removeprefix("./") for line in listed.splitlines()]
    for name in [STDOUT, STDERR, *names]:
        unpack(place.fetch(token, [f"run/{name}"]), folder)
    (folder / WHERE_FILE).unlink(missing_ok=True)
