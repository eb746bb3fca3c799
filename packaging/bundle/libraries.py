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


def owners_of(names: set[str]) -> dict[str, str]:
    """Package of this system by library, of those with these names that it has packages for."""
    done = subprocess.run(["dpkg", "-S", *(f"*/{name}" for name in sorted(names))], capture_output=True, text=True, check=False)
    found = (line.split(": ", 1) for line in done.stdout.splitlines() if ": " in line)
    return {Path(file).name: owner.split(":")[0] for owner, file in found}


def put_licences(internal: Path) -> None:
    """The licence texts of the system's libraries that lie at the top of ``internal``, and their names in the list of parts."""
    owners = sorted(set(owners_of({p.name for p in internal.glob("*.so*") if is_elf(p)}).values()))
    texts = {owner: Path("/usr/share/doc", owner, "copyright") for owner in owners}
    target = internal / "licences" / "of-the-system"
    target.mkdir(parents=True, exist_ok=True)
    for owner, text in texts.items():
        if text.exists():
            (target / owner).write_bytes(text.read_bytes())
    with (internal / "licences" / "THIRD-PARTY.txt").open("a", encoding="utf-8") as file:
        file.write(f"\nLibraries of the system it was packed on, as they are there: {', '.join(owners)}.\n")
