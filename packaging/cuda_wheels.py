"""Writes resources/cuda/wheels.json, the files that make up the CUDA build of PyTorch: after another version of PyTorch only.

Run by ``python3 packaging/dev.py cuda-wheels``: pip resolves what PyPI's torch asks for on Linux, for each Python; the files
(some GB) are fetched once into a temporary folder to measure them. PyPI has no CUDA build for Windows (2026-11). Look at the
driver and the card that NVIDIA's release notes ask for before you commit another version of CUDA.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import tomllib
import urllib.request
import zipfile
from pathlib import Path

import msgspec

from bayescope.engine.cuda.download import fetch
from bayescope.engine.cuda.unpack import place_of
from bayescope.engine.cuda.wheels import Wheel, WheelSet

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "resources" / "cuda" / "wheels.json"
INDEX = "https://pypi.org/simple"
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
NEEDED = ("torch", "nvidia-")  # the rest comes with Bayescope, or serves torch.compile alone, which it never calls
# docs.nvidia.com/deploy/cuda-compatibility/minor-version-compatibility.html (read 2026-11): CUDA 13.x asks for driver 580, whose
# first release for Linux is 580.65.06; github.com/pytorch/pytorch/issues/172352: PyTorch's 13.0 build begins at Turing (7.5)
CUDA, DRIVER, CAPABILITY = "13.0", "580.65.06", 7.5


def resolved(torch: str, python: str) -> list[tuple[str, str]]:
    """(address, SHA-256) of the wheels that pip would install."""
    platforms = [f"manylinux_2_{n}_x86_64" for n in range(28, 4, -1)] + ["manylinux2014_x86_64", "linux_x86_64"]
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = [
            sys.executable, "-m", "pip", "install", "--isolated", "--quiet", "--dry-run", "--ignore-installed",
            "--disable-pip-version-check", "--only-binary=:all:",
            f"--index-url={INDEX}", f"--python-version={python}", *(f"--platform={p}" for p in platforms),
            f"--target={folder}/x", f"--report={report}", f"torch=={torch}",
        ]  # fmt: skip
        subprocess.run(command, check=True)
        found = json.loads(report.read_text(encoding="utf-8"))["install"]
    chosen = [one for one in found if one["metadata"]["name"].lower().startswith(NEEDED)]
    return [(one["download_info"]["url"], one["download_info"]["archive_info"]["hashes"]["sha256"]) for one in chosen]


def measured(url: str, sha256: str, python: str, folder: Path) -> Wheel:
    with urllib.request.urlopen(urllib.request.Request(url, method="HEAD")) as answer:
        size = int(answer.headers["Content-Length"])
    wheel = Wheel(url, sha256, size, 0, python)
    path = folder / wheel.name
    fetch(wheel, url, path, lambda n: None, lambda: False)
    with zipfile.ZipFile(path) as archive:
        unpacked = sum(entry.file_size for entry in archive.infolist() if place_of(entry) is not None)
    path.unlink()
    print(f"{wheel.name}: {size / 1e6:.1f} MB, unpacked {unpacked / 1e6:.1f} MB", flush=True)
    return msgspec.structs.replace(wheel, unpacked=unpacked)


def main() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    torch = next(d.removeprefix("torch==") for d in project["project"]["dependencies"] if d.startswith("torch=="))
    wheels: dict[str, Wheel] = {}
    with tempfile.TemporaryDirectory() as folder:
        for version in PYTHONS:
            tag = f"cp{version.replace('.', '')}"
            for url, sha256 in resolved(torch, version):
                own = tag if f"-{tag}-" in url else ""
                if url not in wheels:
                    wheels[url] = measured(url, sha256, own, Path(folder))
    made = WheelSet(torch, CUDA, DRIVER, CAPABILITY, "linux-x86_64", tuple(wheels[url] for url in sorted(wheels)))
    for version in PYTHONS:
        needed = made.needed(f"cp{version.replace('.', '')}")
        print(f"Python {version}: {len(needed)} files, {sum(w.size for w in needed) / 1e6:.0f} MB, "
              f"unpacked {sum(w.unpacked for w in needed) / 1e6:.0f} MB")
    TARGET.write_bytes(msgspec.json.format(msgspec.json.encode(made), indent=1) + b"\n")


if __name__ == "__main__":
    main()
