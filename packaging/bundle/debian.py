"""The .deb and the .tar.zst of the packed application. No maintainer scripts: dpkg's file triggers of the desktop's own
packages tell menus and file types, at installation and at removal, and nothing of ours runs as root.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import libraries
import linux_files
from metadata import SUMMARY, VERSION

PREFIX = Path("opt/bayescope")  # where programs from outside the distribution belong
MOST_DOWNLOAD_MB = 260
LEVEL = 12  # of zstd; 19 takes fifteen minutes for a tenth less
RECOMMENDS = "shared-mime-info, desktop-file-utils, hicolor-icon-theme, fonts-dejavu-core, bubblewrap"


def make(folder: Path, build: Path) -> list[Path]:
    """Both packages of PyInstaller's ``folder``, in ``build``. Ends the program where one is too large to download."""
    python = build / "environment" / "bin" / "python"
    tree = build / "deb"
    shutil.rmtree(tree, ignore_errors=True)
    linux_files.put(tree / "usr" / "share", build / "icons", python)
    (tree / PREFIX).parent.mkdir(parents=True)
    subprocess.run(["cp", "-al", str(folder), str(tree / PREFIX)], check=True)  # hard links: no second copy on disk
    (tree / "usr" / "bin").mkdir(parents=True)
    (tree / "usr" / "bin" / "bayescope").symlink_to(Path("/") / PREFIX / "bayescope")
    (tree / "DEBIAN").mkdir()
    (tree / "DEBIAN" / "control").write_text(control(tree, depends(folder, build)))
    (tree / "DEBIAN" / "md5sums").write_text(checksums(tree))
    for path in [tree, *tree.rglob("*")]:
        if path.is_dir() and not path.is_symlink():
            path.chmod(0o755)
    deb = build / f"bayescope_{VERSION}_{architecture()}.deb"
    subprocess.run(["dpkg-deb", "--root-owner-group", "-Zzstd", f"-z{LEVEL}", "--build", str(tree), str(deb)], check=True)
    packages = [deb, archive(folder, tree, build)]
    shutil.rmtree(tree)
    for package in packages:
        size = package.stat().st_size / 1e6
        print(f"{package}: {size:.0f} MB to download (at most {MOST_DOWNLOAD_MB})")
        if size > MOST_DOWNLOAD_MB:
            sys.exit("That is too much: see packaging/bundle/contents.py for what may stay out.")
    return packages


def archive(folder: Path, tree: Path, build: Path) -> Path:
    """For whoever may not install packages: the folder with what the desktop needs and a script that puts that in place."""
    place = build / "archive" / f"bayescope-{VERSION}"
    shutil.rmtree(place.parent, ignore_errors=True)
    place.parent.mkdir()
    subprocess.run(["cp", "-al", str(folder), str(place)], check=True)
    shutil.copytree(tree / "usr" / "share", place / "share")
    shutil.copy(linux_files.HERE / "linux" / "install-for-me.sh", place)
    target = build / f"bayescope-{VERSION}-linux-{os.uname().machine}.tar.zst"
    subprocess.run(
        ["tar", "--sort=name", "--owner=0", "--group=0", "--numeric-owner", "-I", f"zstd -q -T0 -{LEVEL}", "-cf", str(target),
         "-C", str(place.parent), place.name],
        check=True,
    )  # fmt: skip
    shutil.rmtree(place.parent)
    return target


def control(tree: Path, needs: str) -> str:
    size = sum(p.lstat().st_size for p in tree.rglob("*") if p.is_file() and not p.is_symlink())
    return f"""Package: bayescope
Version: {VERSION}
Architecture: {architecture()}
Maintainer: {linux_files.MAINTAINER}
Installed-Size: {size // 1024}
Depends: {needs}
Recommends: {RECOMMENDS}
Section: science
Priority: optional
Description: {SUMMARY}
 Point it at your own simulator, say which numbers are unknown and what was
 measured, press Start, and watch the posterior distribution of the unknowns take
 shape. Everything it needs is in the package; no Python is used or changed.
"""


def depends(folder: Path, build: Path) -> str:
    """Packages that hold the libraries which the packed ones load from the system, with the oldest versions that do."""
    place = build / "shlibdeps"
    (place / "debian").mkdir(parents=True, exist_ok=True)
    (place / "debian" / "control").write_text("Source: bayescope\n\nPackage: bayescope\nArchitecture: any\n")
    packed = [p for p in folder.rglob("*") if libraries.is_elf(p)]
    private = sorted({str(p.parent) for p in packed})
    done = subprocess.run(
        ["dpkg-shlibdeps", "-O", "--ignore-missing-info", *(f"-l{p}" for p in private), *(f"-e{p}" for p in packed)],
        cwd=place, capture_output=True, text=True, check=False,
    )  # fmt: skip
    shutil.rmtree(place)
    found = done.stdout.strip().removeprefix("shlibs:Depends=")
    if done.returncode or not found:
        sys.exit(f"What the package depends on could not be found out:\n{why_not(done.stderr)}")
    # it also names those whose libraries are packed, since this system happens to have them too
    owners = libraries.owners_of({name for library in packed for name in libraries.needs(library)} - {p.name for p in packed})
    return ", ".join(entry for entry in found.split(", ") if entry.split()[0] in set(owners.values()))


def why_not(errors: str) -> str:
    """Of what dpkg-shlibdeps printed: the libraries this system lacks, each once, and what to do; else its errors."""
    missing = sorted(set(re.findall(r"cannot find library (\S+) needed by", errors)))
    if not missing:
        return "\n".join(line for line in errors.splitlines() if "error:" in line)
    return (
        f"this system has no {', '.join(missing)}. Install the packages that hold them (all that are needed stand in "
        "\n.github/workflows/bundle.yml), then: python3 packaging/dev.py bundle --packages"
    )


def architecture() -> str:
    return subprocess.run(["dpkg", "--print-architecture"], capture_output=True, text=True, check=True).stdout.strip()


def checksums(tree: Path) -> str:
    lines = []
    for path in sorted(tree.rglob("*")):
        if path.is_file() and not path.is_symlink() and "DEBIAN" not in path.relative_to(tree).parts[:1]:
            with path.open("rb") as file:
                lines.append(f"{hashlib.file_digest(file, 'md5').hexdigest()}  {path.relative_to(tree)}\n")
    return "".join(lines)
