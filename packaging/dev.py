#!/usr/bin/env python3
"""Run or test Bayescope from a bare checkout; needs only Python >= 3.11 and pip.

    python3 packaging/dev.py run          the window on the bundled example (or headless where there is no display)
    python3 packaging/dev.py test [...]   every quick test (further arguments go to pytest)
    python3 packaging/dev.py test --all   those, whole inference runs judged by their answer, and journeys through real windows
    python3 packaging/dev.py lint         ruff, mypy, import rules, forbidden calls
    python3 packaging/dev.py benchmark    the long statistical checks and the benchmark scripts' self-checks
    python3 packaging/dev.py setup        only make the private environment (.venv)
    python3 packaging/dev.py stored-answer   after a change of method: the answer that a self-test compares with
    python3 packaging/dev.py pictures     after a change of what people see: the pictures that README and help show
    python3 packaging/dev.py cuda-wheels  after another version of torch: the files of its CUDA build, pinned
    python3 packaging/dev.py bundle       the packed application: a folder, and on Linux the .deb and .tar.zst

Everything is installed into .venv in the checkout (build/bundle for the packed application); nothing else on the machine is
touched.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import install_steps

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
STAMP = VENV / "bayescope-setup"
CONSTRAINTS = ROOT / "packaging" / "constraints.txt"
TORCH = "torch==2.13.0"  # pinned in the same command: an open range would pull gigabytes of another build
TORCH_INDEX = "https://download.pytorch.org/whl/cpu"
ROOMS = ("gui", "engine", "resources")
DEBIAN_QT = (
    "libegl1 libgl1 libxkbcommon0 libxkbcommon-x11-0 libdbus-1-3 libfontconfig1 libxcb-cursor0 libxcb-icccm4 "
    "libxcb-keysyms1 libxcb-shape0 libxcb-image0 libxcb-render-util0 libxcb-xinerama0 fonts-dejavu-core"
)


def fail(*lines: str) -> None:
    """Stop with sentences for a person."""
    sys.exit("\n".join(lines))


def call(arguments: list[str], **options: object) -> int:
    return subprocess.run([str(a) for a in arguments], cwd=ROOT, **options).returncode  # type: ignore[call-overload,no-any-return]


def fingerprint() -> str:
    text = (ROOT / "pyproject.toml").read_bytes() + CONSTRAINTS.read_bytes() + sys.version.encode()
    return hashlib.sha256(text).hexdigest()


def make_environment() -> None:
    """Create .venv and install the pinned requirements, unless that was done for exactly these files."""
    if sys.version_info < (3, 11):  # noqa: UP036 - this file must run on an older Python to say so
        fail(f"Bayescope needs Python 3.11 or newer; this is Python {sys.version.split()[0]}.",
             "Install a newer Python (python.org, or your system's packages) and run this command with it.")
    link_rooms()
    if STAMP.exists() and PYTHON.exists() and STAMP.read_text() == fingerprint():
        return
    print("Making the private environment in .venv: 4 to 7 minutes the first time, about 2 GB on disk.", flush=True)
    say = install_steps.timed(time.monotonic())
    say("making an empty Python environment")
    pip = [str(PYTHON), "-m", "pip"]
    venv = [sys.executable, "-m", "venv", str(VENV)]
    # Debian without python3-venv has no ensurepip: make it bare and install from outside
    if not PYTHON.exists() and call(venv) != 0 and call([*venv, "--without-pip", "--clear"]) != 0:
        fail("A private Python environment could not be made in .venv.", "On Debian or Ubuntu: apt-get install python3-venv")
    if call([*pip, "--version"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) != 0:
        pip = [sys.executable, "-m", "pip", "--python", str(PYTHON)]
    command = [*pip, "install", "--disable-pip-version-check"]
    if sys.platform == "linux" and not shutil.which("nvidia-smi"):  # PyPI's build of torch would bring gigabytes of CUDA
        say("step 1 of 2: PyTorch without CUDA, by far the largest part")
        small = [*command, "--no-deps", f"{TORCH}+cpu"]
        if install_steps.install(small, ROOT, site(), say, quiet=True) != 0:  # a mirror may have it; else torch's own
            small += ["--extra-index-url", TORCH_INDEX]
            install_steps.install(small, ROOT, site(), say, quiet=True)  # nobody's: PyPI's build does, too
        say("step 2 of 2: everything else")
    if install_steps.install([*command, "-c", str(CONSTRAINTS), TORCH, "--editable", ".[test]"], ROOT, site(), say) != 0:
        fail("The requirements could not be installed; the lines above say why.",
             "Most often the network or a proxy is in the way, or the disk is full. The same command can be run again.")
    STAMP.write_text(fingerprint())
    say("the environment is ready")


def site() -> Path:
    """Where the packages of .venv are."""
    return next(VENV.glob("lib/python3*/site-packages"), VENV / "Lib" / "site-packages")


def link_rooms() -> None:
    """.dev/bayescope/{gui,engine,resources}: lets mypy see the mapped packages under their installed names."""
    folder = ROOT / ".dev" / "bayescope"
    folder.mkdir(parents=True, exist_ok=True)
    for room in ROOMS:
        link = folder / room
        if not link.exists():
            try:
                link.symlink_to(Path("..") / ".." / room, target_is_directory=True)
            except OSError:  # Windows without developer mode: only the type check needs the links
                return


def check_qt(platform: str) -> None:
    """Open a Qt application on ``platform``; if a system library is missing, name it and how to install it."""
    probe = "from PySide6.QtWidgets import QApplication; QApplication([]); print('fine')"
    result = subprocess.run([str(PYTHON), "-c", probe], capture_output=True, text=True, timeout=120,
                            env={**os.environ, "QT_QPA_PLATFORM": platform} if platform else None)
    if "fine" in result.stdout:
        return
    words = result.stderr.strip().splitlines()
    reason = next((w for w in words if ".so" in w or "cursor0" in w), words[-1] if words else "no message")
    fail("Qt cannot start because a system library is missing:", f"  {reason.strip()}",
         "On Debian or Ubuntu this installs all it needs:", f"  apt-get install -y {DEBIAN_QT}",
         "On Fedora: dnf install mesa-libEGL libxkbcommon-x11 xcb-util-cursor xcb-util-wm xcb-util-keysyms xcb-util-image")


def has_display() -> bool:
    """True on Windows and macOS, and where an X11 or Wayland display really answers."""
    if sys.platform in ("win32", "darwin"):
        return True
    if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return False
    probe = "from PySide6.QtGui import QGuiApplication; QGuiApplication([]); print('fine')"
    result = subprocess.run([str(PYTHON), "-c", probe], capture_output=True, text=True, timeout=120)
    if "fine" not in result.stdout and "could not connect to display" not in result.stderr:
        check_qt("")
    return "fine" in result.stdout


def run() -> int:
    """The window on the bundled example; without a display the example headless, leaving its files here."""
    make_environment()
    if has_display():
        return call([PYTHON, "-m", "bayescope.gui", "--open-example", "contamination"])
    print("There is no display here, so the bundled example runs without a window.", flush=True)
    session = Path.cwd() / "contamination.bayescope"
    bayescope = [PYTHON, "-m", "bayescope.gui"]
    samples, figure = Path.cwd() / "posterior_samples.csv", Path.cwd() / "marginals.png"
    wanted = [["--samples", samples, "-n", "10000"]] * (not samples.exists()) + [["--figure", figure]] * (not figure.exists())
    steps = [] if session.exists() else [[*bayescope, "example", "contamination", session]]
    steps.append([*bayescope, "run", session])
    if wanted:
        steps.append([*bayescope, "export", session, *(word for words in wanted for word in words)])
    for step in steps:
        code = call(step)
        if code != 0:
            return code
    print("Left here: contamination.bayescope (the analysis), posterior_samples.csv and marginals.png"
          + ("" if len(wanted) == 2 else " (files that were there before were not replaced)"))
    return 0


def test(arguments: list[str]) -> int:
    make_environment()
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    # tests start some hundred processes: each would compile the sources anew where this is set, as it often is in containers
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    if not arguments or not has_display():  # the plain call opens no window over what somebody is doing
        for name in ("DISPLAY", "WAYLAND_DISPLAY"):
            environment.pop(name, None)
        environment["QT_QPA_PLATFORM"] = "offscreen"
        check_qt("offscreen")
    if "--all" in arguments:
        arguments = ["-m", "not long", *(a for a in arguments if a != "--all")]
    some = min((os.cpu_count() or 1) + 1, 4)  # one more than cores: a test that waits for a process leaves its core free
    workers = [] if any(a.startswith(("-n", "-p")) for a in arguments) else ["-n", str(some), "--dist", "worksteal"]
    return call([PYTHON, "-m", "pytest", *workers, *arguments], env=environment)


def lint() -> int:
    """ruff, mypy, import rules, forbidden calls; all run, the first failure is the exit status."""
    make_environment()
    scripts = PYTHON.parent
    codes = [
        call([PYTHON, "-m", "ruff", "check", "."]),
        call([PYTHON, "-m", "mypy"]),
        call([scripts / "lint-imports", "--no-cache"]),
        call([PYTHON, "packaging/forbidden.py"]),
    ]
    return next((code for code in codes if code), 0)


def benchmark(arguments: list[str]) -> int:
    make_environment()
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "QT_QPA_PLATFORM": "offscreen"}
    return call([PYTHON, "-m", "pytest", "-m", "long", "--timeout", "3600", *arguments], env=environment)


def stored_answer() -> int:
    """After a change of method: what every installation's self-test has to come to."""
    make_environment()
    return call([PYTHON, "packaging/stored_answer.py"], env={**os.environ, "OMP_NUM_THREADS": "1"})


def pictures() -> int:
    """From the running application: some minutes."""
    make_environment()
    script = [PYTHON, "packaging/help_pictures.py"]
    return call([*script, "help"]) or call([*script, "readme"])


def cuda_wheels() -> int:
    """Fetches some GB once, to measure them."""
    make_environment()
    return call([PYTHON, "packaging/cuda_wheels.py"], env={**os.environ, "PYTHONPATH": str(ROOT / ".dev")})


def bundle(arguments: list[str]) -> int:
    """In an environment of its own: see packaging/bundle/build.py."""
    return call([sys.executable, ROOT / "packaging" / "bundle" / "build.py", *arguments])


def main(arguments: list[str]) -> int:
    commands = {"run": lambda rest: run(), "test": test, "lint": lambda rest: lint(), "benchmark": benchmark,
                "setup": lambda rest: make_environment() or 0, "bundle": bundle,
                "cuda-wheels": lambda rest: cuda_wheels(), "pictures": lambda rest: pictures(),
                "stored-answer": lambda rest: stored_answer()}
    if not arguments or arguments[0] not in commands:
        print(__doc__)
        return 0 if arguments[:1] in ([], ["--help"], ["-h"]) else 2
    return commands[arguments[0]](arguments[1:])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
