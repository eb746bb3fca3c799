"""Linux: shared libraries in the folder that nothing in it loads any more, since the plugin that did was left out."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path


def is_elf(path: Path) -> bool:
    if path.is_symlink() or not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def needs(library: Path) -> list[str]:
    """Names of the libraries that it asks the loader for."""
    done = subprocess.run(["readelf", "-d", str(library)], capture_output=True, text=True, check=True)
    return [line.split("[")[1].split("]")[0] for line in done.stdout.splitlines() if "(NEEDED)" in line]


def reached(wanted: Mapping[str, Sequence[str]], roots: Sequence[str]) -> set[str]:
    """All names that ``roots`` lead to by what each name in ``wanted`` needs, themselves included."""
    seen: set[str] = set()
    todo = list(roots)
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo += wanted.get(name, ())
    return seen


def unneeded(internal: Path) -> list[Path]:
    """Those at the top of ``internal``, where PyInstaller puts the system's, that neither plugin nor module leads to."""
    top = {p.name: p for p in internal.glob("*.so*") if is_elf(p) and not p.name.startswith("libpython")}
    others = [p for p in internal.parent.rglob("*") if is_elf(p) and p not in top.values()]
    wanted = {p.name: needs(p) for p in (*top.values(), *others)}
    seen = reached(wanted, [p.name for p in others])
    return [path for name, path in sorted(top.items()) if name not in seen]
