"""Where runs may happen besides this computer: named profiles, kept on this computer and never in a session. No passwords."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec

from ..problem.errors import SetupError
from . import atomic
from .places import home
from .queue_lines import QueueName as QueueName
from .queue_lines import check_lines

QUEUES: dict[QueueName, str] = {"slurm": "Slurm", "pbs": "PBS", "lsf": "LSF", "sge": "Grid Engine", "": "no queue"}
MOST_AT_ONCE = 64  # more points at a time than this teach a method little
MOST_SETUP_LINES = 100
RESERVED = ("here", "this computer")
DEFAULT_FOLDER = "~/bayescope-runs"
_NAME = re.compile(r"[\w][\w .()+-]{0,59}")
_WORD = re.compile(r"[\w][\w.,:/=+@-]{0,199}")  # of a partition or an account: it stands in a line of the job's script
_HOST = re.compile(r"(?![@-])[^\s:/'\"\\$`;&|<>()]{1,200}(?<!@)")
_FOR_QUEUE = re.compile(r"\s*#\s*(SBATCH|PBS|BSUB|\$)\s", re.IGNORECASE)  # a line of a job's script that is no command


class Profile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One place. ``queue`` "": programs are started at once, no more than ``at_once`` of them; ``host`` "": this machine.

    ``minutes`` and ``memory_mb``: what a job asks for; null: as the simulator's limits say. ``setup``: lines before the program.
    ``pilot``: a few long jobs that take one run after the other, for runs shorter than a queue takes to start a job.
    ``lines``: more options of a job in the queue's own notation, one a line, with or without its mark (#SBATCH, ...).
    """

    name: str
    queue: QueueName = "slurm"
    host: str = ""
    folder: str = DEFAULT_FOLDER
    partition: str = ""
    account: str = ""
    minutes: float | None = None
    memory_mb: float | None = None
    cores: int = 1
    setup: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    at_once: int = 16
    pilot: bool = False

    @property
    def words(self) -> str:
        """“Slurm on this machine”, “Slurm over SSH (login.example.org)”, ..."""
        if not self.queue:
            return f"Another computer over SSH ({self.host})"
        return f"{QUEUES[self.queue]} over SSH ({self.host})" if self.host else f"{QUEUES[self.queue]} on this machine"

    @property
    def points_at_once(self) -> int:
        """Points that are asked for at a time: with pilots more than run, so that none stands idle while the next are chosen."""
        ahead = self.at_once // 4 if self.pilot else 0  # so many results are told at a time
        return min(self.at_once + ahead, max(self.at_once, MOST_AT_ONCE))


def check(profile: Profile) -> list[str]:
    """What is wrong with it, a sentence each; empty: nothing."""
    found = []
    if not _NAME.fullmatch(profile.name):
        found.append("The name of a place is up to 60 letters, digits, spaces and . ( ) + - _.")
    if profile.name.strip().casefold() in RESERVED:
        found.append(f"“{profile.name}” is what this computer is called; choose another name.")
    if not profile.queue and not profile.host:
        found.append("Another computer needs the name of its host, as in “ssh NAME”.")
    if profile.host and not _HOST.fullmatch(profile.host):
        found.append(
            f"“{profile.host}” is not the name of a host. Write what follows “ssh” in a terminal, such as cluster or "
            "me@login.example.org; a port, a key or a jump host belong into ~/.ssh/config. No password."
        )
    if not profile.folder.strip() or any(c in profile.folder for c in "\n\r\0"):
        found.append("The folder for runs there is needed, such as ~/bayescope-runs.")
    elif not profile.folder.startswith(("/", "~/")):
        found.append(f"The folder “{profile.folder}” must begin with / or ~/.")
    for what, text in (("partition", profile.partition), ("account", profile.account)):
        if text and not _WORD.fullmatch(text):
            found.append(f"“{text}” is not the name of a {what}.")
    if profile.minutes is not None and not 1 <= profile.minutes <= 525_600:
        found.append("The time of a job is from 1 minute to a year.")
    if profile.memory_mb is not None and not 1 <= profile.memory_mb <= 100_000_000:
        found.append("The memory of a job is at least 1 MB.")
    if not 1 <= profile.cores <= 4096:
        found.append("A job has from 1 to 4096 cores.")
    if not 1 <= profile.at_once <= MOST_AT_ONCE:
        found.append(f"From 1 to {MOST_AT_ONCE} jobs at once.")
    if len(profile.setup) > MOST_SETUP_LINES or any(c in line for line in profile.setup for c in "\n\r\0"):
        found.append(f"At most {MOST_SETUP_LINES} set-up lines, each a command such as “module load gcc”.")
    for line in profile.setup:
        if _FOR_QUEUE.match(line):
            found.append(
                f"The set-up line “{line.strip()}” is for the queue and not a command: use the fields of the place for "
                "partition, account, time, memory and cores, and “More lines for the scheduler” for the rest."
            )
    found += check_lines(profile.queue, profile.lines)
    if profile.pilot and not profile.queue:
        found.append("Long jobs that take several runs are for queues; without one, runs start at once.")
    return found


def checked(profile: Profile) -> Profile:
    """Raises SetupError with all that is wrong."""
    problems = check(profile)
    if problems:
        raise SetupError(f"The place “{profile.name}” cannot be used.", " ".join(problems))
    return profile


# ------------------------------------------------------------------ the file


def profiles_file() -> Path:
    return home() / "places.json"


def load_profiles() -> list[Profile]:
    """All profiles by name. Raises SetupError where the file cannot be read."""
    path = profiles_file()
    try:
        found = msgspec.json.decode(path.read_bytes(), type=list[Profile])
    except FileNotFoundError:
        return []
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise SetupError(
            f"The list of places, “{path}”, cannot be read: {error}.", "Correct it, or move it away and add the places again."
        ) from None
    return sorted(found, key=lambda p: p.name.casefold())


def find_profile(name: str) -> Profile:
    """Raises SetupError if there is none of that name."""
    known = load_profiles()
    for profile in known:
        if profile.name == name:
            return checked(profile)
    names = ", ".join(f"“{p.name}”" for p in known) or "none yet"
    raise SetupError(
        f"There is no place called “{name}” on this computer.",
        f"Known places: {names}. Add it on the Run page (Settings…, Places…), or with: bayescope where add NAME.",
        "place",
    )


def save_profile(profile: Profile) -> None:
    """Add it, or replace the one of its name. Raises SetupError, SessionError."""
    checked(profile)
    _write([p for p in load_profiles() if p.name != profile.name] + [profile])


def remove_profile(name: str) -> None:
    """Raises SetupError if there is none of that name."""
    profile = find_profile(name)
    _write([p for p in load_profiles() if p.name != profile.name])


def _write(profiles: list[Profile]) -> None:
    path = profiles_file()
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise SetupError(f"The list of places cannot be written to “{path}”: {error.strerror}.", "Is the disk full?") from None
    atomic.write(path, msgspec.json.format(msgspec.json.encode(profiles)), replace=True)
