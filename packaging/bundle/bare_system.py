"""A bare Debian in a folder (mmdebstrap), without Python: commands as root or as an ordinary user, processes, a display."""

from __future__ import annotations

import contextlib
import mmap
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

SUITE, MIRROR = "bookworm", "http://deb.debian.org/debian"
TOOLS = ("libglib2.0-bin", "procps", "ca-certificates")  # gio, by which desktops open files; none of them needs Python
USER, HOME = "scientist", "/home/scientist"
PATH = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"
DISPLAY = ":77"
WIDTH, HEIGHT = 1600, 1000  # of the virtual screen
PIXEL = 4  # bytes
MOUNTED = ("proc", "dev", "tmp/.X11-unix")
NUMERIC = ("OPENBLAS_", "OMP_", "MKL_")  # they choose how sums are ordered: the same inside as outside, or bits differ
OWN = ("proc", "dev", "sys", "tmp", "run", "home", "root")  # folders whose contents are not the packages'


class BareSystem:
    """``root``: where it lies. Use it in a ``with`` statement: mounts and processes are gone afterwards."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def __enter__(self) -> BareSystem:
        tools = ",".join(TOOLS)
        options = ["--quiet", "--variant=minbase", f"--include={tools}"]
        subprocess.run(["mmdebstrap", *options, SUITE, str(self.root), MIRROR], check=True)
        shutil.copy("/etc/resolv.conf", self.root / "etc" / "resolv.conf")
        with contextlib.suppress(FileNotFoundError):
            shutil.copytree("/etc/apt/apt.conf.d", self.root / "etc/apt/apt.conf.d", dirs_exist_ok=True)  # a proxy, if any
        for name in MOUNTED:
            (self.root / name).mkdir(parents=True, exist_ok=True)
            Path("/tmp/.X11-unix").mkdir(exist_ok=True)
            subprocess.run(["mount", "--bind", f"/{name}", str(self.root / name)], check=True)
        self.as_root("useradd", "--create-home", "--shell", "/bin/sh", USER)
        return self

    def __exit__(self, *error: object) -> None:
        for pid in self.processes(""):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(1.0)
        for name in reversed(MOUNTED):
            subprocess.run(["umount", "--lazy", str(self.root / name)], check=False)
        shutil.rmtree(self.root, ignore_errors=True)

    def command(self, words: tuple[str | Path, ...], user: str, more: Mapping[str, str]) -> list[str]:
        home = HOME if user == USER else "/root"
        numeric = {k: v for k, v in os.environ.items() if k.startswith(NUMERIC)}
        given = {**numeric, "HOME": home, "USER": user, "PATH": PATH, "LANG": "C.UTF-8", "DISPLAY": DISPLAY, **more}
        as_user = [] if user == "root" else [f"--userspec={user}"]
        return ["chroot", *as_user, str(self.root), "/usr/bin/env", "-i", "-C", home, *(f"{k}={v}" for k, v in given.items()),
                *map(str, words)]  # fmt: skip

    def as_root(self, *words: str | Path) -> str:
        return self._run(self.command(words, "root", {"DEBIAN_FRONTEND": "noninteractive"}))

    def as_user(self, *words: str | Path, **more: str) -> str:
        """What it prints. Raises CalledProcessError with it if the status is not 0."""
        return self._run(self.command(words, USER, more))

    def status(self, *words: str | Path) -> tuple[int, str]:
        done = subprocess.run(self.command(words, USER, {}), capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    def start(self, *words: str | Path, **more: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(self.command(words, USER, more), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def _run(self, command: list[str]) -> str:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            print(done.stdout[-3000:], done.stderr[-3000:])
        done.check_returncode()
        return done.stdout

    def home(self, name: str) -> Path:
        """A file of the user's, seen from outside."""
        return self.root / HOME.lstrip("/") / name

    def processes(self, program: str) -> list[int]:
        """Living processes in it whose program's path begins with ``program``."""
        found = []
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                with contextlib.suppress(OSError):
                    inside = os.readlink(entry / "root") == str(self.root)
                    exe = os.readlink(entry / "exe").removeprefix(str(self.root))
                    if inside and exe.startswith(program) and "(deleted)" not in exe:
                        found.append(int(entry.name))
        return found

    def files(self) -> set[str]:
        """Everything on it but what is its users' or the kernel's."""
        found = set()
        for folder, names, files in os.walk(self.root):
            inside = Path(folder).relative_to(self.root)
            if not inside.parts:
                names[:] = [n for n in names if n not in OWN]
            found |= {str(inside / n) for n in (*names, *files)}
        return found


def wait_for(what: str, ready: Callable[[], object], seconds: float = 60.0) -> object:
    """What ``ready`` gives as soon as that is true. Ends the program if it never is."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        found = ready()
        if found:
            return found
        time.sleep(0.1)
    raise SystemExit(f"NOT PROVEN: {what} (waited {seconds:.0f} s)")


class Screen:
    """The memory of a virtual screen with nothing but black behind the windows."""

    def __init__(self, folder: str) -> None:
        with (Path(folder) / "Xvfb_screen0").open("rb") as file:
            self._memory = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)

    def row(self, y: int) -> bytes:
        """Its pixels: blue, green, red and one byte more. They lie at the end of the memory, row by row."""
        start = len(self._memory) - WIDTH * PIXEL * (HEIGHT - y)
        return self._memory[start : start + WIDTH * PIXEL]

    def painted(self) -> bool:
        """Whether anything is painted a third down."""
        return self.row(HEIGHT // 3).count(0) < WIDTH * PIXEL // 2


@contextlib.contextmanager
def display() -> Iterator[Screen]:
    """A virtual screen on ``DISPLAY``."""
    size = f"{WIDTH}x{HEIGHT}x24"
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen(
            ["Xvfb", DISPLAY, "-screen", "0", size, "-fbdir", folder, "-nolisten", "tcp", "-noreset"], stderr=subprocess.DEVNULL
        )
        try:
            files = Path(f"/tmp/.X11-unix/X{DISPLAY[1:]}"), Path(folder) / "Xvfb_screen0"
            wait_for("the virtual screen", lambda: all(file.exists() for file in files), 20.0)
            yield Screen(folder)
        finally:
            server.terminate()
            server.wait()


def titles() -> list[str]:
    """Of the windows that are shown, dialogs included."""
    given = {**os.environ, "DISPLAY": DISPLAY}
    done = subprocess.run(["xdotool", "search", "--onlyvisible", "--name", "."], capture_output=True, text=True, env=given)
    names = (
        subprocess.run(["xdotool", "getwindowname", number], capture_output=True, text=True, env=given).stdout.strip()
        for number in done.stdout.split()
    )
    return [name for name in names if "Bayescope" in name]


def click(x: int, y: int) -> None:
    """With the left button; then the pointer is out of the way, where it lights nothing up."""
    words = ["xdotool", "mousemove", str(x), str(y), "click", "1", "mousemove", str(WIDTH - 1), str(HEIGHT - 1)]
    subprocess.run(words, env={**os.environ, "DISPLAY": DISPLAY}, check=True)


def focus(title: str) -> str:
    """The keyboard to the first window with ``title`` in its own, as a window manager would give it; its number."""
    given = {**os.environ, "DISPLAY": DISPLAY}
    search = ["xdotool", "search", "--onlyvisible", "--name", title]
    number = subprocess.run(search, capture_output=True, text=True, env=given).stdout.split()[0]
    subprocess.run(["xdotool", "windowfocus", "--sync", number], env=given, check=True)
    return number


def press(title: str, key: str) -> None:
    """Press ``key`` in the first window with ``title`` in its own."""
    number = focus(title)
    subprocess.run(["xdotool", "key", "--window", number, key], env={**os.environ, "DISPLAY": DISPLAY}, check=True)
