"""Makes the packed application; ``python3 packaging/dev.py bundle`` calls it.

    bundle                 environment, folder, and the packages of this system (.deb and .tar.zst, setup.exe, .dmg)
    bundle --packages      only the packages, from the folder that is there
    bundle --folder        only the folder

Everything lies below build/bundle. The environment is one of its own: what is packed is what is pinned in constraints.txt.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BUILD = ROOT / "build" / "bundle"
ENVIRONMENT = BUILD / "environment"
PYTHON = ENVIRONMENT / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
STAMP = ENVIRONMENT / "bayescope-bundle"
FOLDER = BUILD / "dist" / "bayescope"
CONSTRAINTS = ROOT / "packaging" / "constraints.txt"
TORCH = "torch==2.13.0" + ("+cpu" if sys.platform == "linux" else "")  # PyPI's own build for Linux brings 2 GB of CUDA
TORCH_INDEX = "https://download.pytorch.org/whl/cpu"
TOOLS = ("pyinstaller==6.22.3", "pyinstaller-hooks-contrib==2026.9")
MOST_MB = 850  # of the folder, unpacked
# The symbol table of libtorch_cpu.so alone is 89 MB; nothing reads it when the library is loaded. Not those that other wheels
# bring with them: their headers were moved, and stripping breaks them
STRIPPED = ("torch/lib/libtorch*.so", "libpython*.so*", "fastparquet/*.so")


def call(command: list[str | Path], **options: object) -> None:
    done = subprocess.run([str(word) for word in command], cwd=ROOT, check=False, **options)  # type: ignore[call-overload]
    if done.returncode:
        sys.exit(f"This failed; the lines above say why:\n  {' '.join(map(str, command))}")


def fingerprint() -> str:
    parts = [(ROOT / "pyproject.toml").read_text(), CONSTRAINTS.read_text(), sys.version, TORCH, *TOOLS]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def make_environment() -> None:
    """What is needed to run and to pack, nothing of the tests; made anew when a pin has changed."""
    if not (STAMP.exists() and STAMP.read_text() == fingerprint()):
        shutil.rmtree(ENVIRONMENT, ignore_errors=True)
        call([sys.executable, "-m", "venv", ENVIRONMENT])
        wanted = [PYTHON, "-m", "pip", "install", "--quiet", "--quiet", "-c", CONSTRAINTS, TORCH, ".[netcdf,tables]", *TOOLS]
        if subprocess.run([str(w) for w in wanted], cwd=ROOT, check=False).returncode:  # a mirror may have it; else torch's own
            call([*wanted, "--extra-index-url", TORCH_INDEX])
        STAMP.write_text(fingerprint())
    clear_leftovers()
    call([PYTHON, "-m", "pip", "install", "--quiet", "--quiet", "--no-deps", "--force-reinstall", ROOT])
    clear_leftovers()


def clear_leftovers() -> None:
    """What setuptools leaves in the checkout: it packs that again, and PyInstaller takes its metadata for those installed."""
    for leftover in (ROOT / "build" / "lib", ROOT / "bayescope.egg-info", *(ROOT / "build").glob("bdist.*")):
        shutil.rmtree(leftover, ignore_errors=True)


def make_folder() -> None:
    """PyInstaller's folder in build/bundle/dist/bayescope, stripped; its size is printed and may not be too much."""
    unseen = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "BAYESCOPE_HOME": str(BUILD / "home")}
    call([PYTHON, HERE / "icons.py", BUILD / "icons"], env=unseen)
    if sys.platform == "linux":
        start = BUILD / "start"
        shutil.rmtree(start, ignore_errors=True)
        start.mkdir()
        call([PYTHON, HERE / "module_archive.py", start / "noted", start / "support"], env=unseen)
    call(
        [PYTHON, "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN", "--distpath", BUILD / "dist",
         "--workpath", BUILD / "work", HERE / "bayescope.spec"],
    )  # fmt: skip
    if sys.platform == "linux":
        slim()
    for file in FOLDER.rglob("*"):  # readable by everybody, whoever built it
        if not file.is_symlink():
            file.chmod(0o755 if file.is_dir() or os.access(file, os.X_OK) else 0o644)
    size, count = measure(FOLDER)
    print(f"{FOLDER}: {size:.0f} MB in {count} files (at most {MOST_MB})")
    if size > MOST_MB:
        sys.exit("That is too much: see packaging/bundle/contents.py for what may stay out.")


def slim() -> None:
    """Symbol tables and libraries that nothing loads go out of the folder; the licences of the system's libraries come in."""
    import libraries

    internal = FOLDER / "_internal"
    for pattern in STRIPPED:
        for library in sorted(internal.glob(pattern)):
            call(["strip", "--strip-unneeded", library])
    for library in libraries.unneeded(internal):
        library.unlink()
    libraries.put_licences(internal)


def measure(folder: Path) -> tuple[float, int]:
    """Megabytes (10^6) and number of files below ``folder``."""
    files = [p for p in folder.rglob("*") if p.is_file() and not p.is_symlink()]
    return sum(p.stat().st_size for p in files) / 1e6, len(files)


def make_packages() -> None:
    """What people download, in build/bundle. Those for Windows and macOS are untested."""
    from metadata import VERSION

    if sys.platform == "linux":
        import debian

        debian.make(FOLDER, BUILD)
    elif sys.platform == "win32":
        compiler = shutil.which("ISCC") or r"C:\Program Files (x86)\Inno Setup 6\ISCC.exe"
        defined = [f"/DVersion={VERSION}", f"/DFolder={FOLDER}", f"/DIcons={BUILD / 'icons'}"]
        call([compiler, *defined, f"/O{BUILD}", HERE / "windows" / "bayescope.iss"])
    elif sys.platform == "darwin":
        image = BUILD / f"bayescope-{VERSION}-macos-{os.uname().machine}.dmg"
        call([HERE / "macos" / "make_dmg.sh", BUILD / "dist" / "Bayescope.app", VERSION, image])


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="packaging/dev.py bundle", description=__doc__)
    parser.add_argument("--packages", action="store_true")
    parser.add_argument("--folder", action="store_true")
    wanted = parser.parse_args(arguments)
    if not wanted.packages:
        make_environment()
        make_folder()
    if not wanted.folder:
        make_packages()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
