"""A file system that loses power: what POSIX promises after fsync, and nothing more.

The model. Each file has bytes that are safe and a list of changes since its last fsync (or fdatasync); each folder has names that
are safe and changes of names that are not. A power cut picks, for each of them on its own:

* data: every 512-byte sector is in one of the states it went through since the last fsync, independently of all other sectors of
  the same and of other files (writes are lost, kept, torn, reordered). A sector never holds a mixture of two states. One that
  lies beyond the safe size and was not written out holds zeros, or, where blocks were given out first, anything at all;
* size: one of the sizes the file went through since the last fsync, independently of its data;
* names: creating, linking, renaming and removing are each all or nothing; any subset of those since the folder's last fsync is
  kept, in their order. A rename into another folder is safe when both folders are. Only fsync of the folder makes a name safe:
  fsync of a file does not save the name under which it was made (most file systems do; POSIX does not ask it of them).

Not modelled: permissions and times, the crash of the disk itself (sectors that were safe stay so).
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Container
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path, PurePosixPath

from power_trace import Call

SECTOR = 512
Tree = dict[str, bytes]  # path from the root -> content; folders end with "/"


@dataclass(eq=False)
class File:
    """``changes``: (offset, data), or (size, None) for a new size, since the last fsync."""

    live: bytearray = field(default_factory=bytearray)
    safe: bytes = b""
    changes: list[tuple[int, bytes | None]] = field(default_factory=list)

    def write(self, offset: int, data: bytes) -> None:
        self.changes.append((offset, data))
        if offset > len(self.live):
            self.live.extend(bytes(offset - len(self.live)))
        self.live[offset : offset + len(data)] = data

    def resize(self, size: int) -> None:
        self.changes.append((size, None))
        del self.live[size:]
        self.live.extend(bytes(size - len(self.live)))

    def flush(self) -> None:
        self.safe, self.changes = bytes(self.live), []

    def sizes(self) -> list[int]:
        """It went through, the safe one first."""
        found = [len(self.safe)]
        for offset, data in self.changes:
            found.append(offset if data is None else max(found[-1], offset + len(data)))
        return found


@dataclass(eq=False)
class Folder:
    live: dict[str, File | Folder] = field(default_factory=dict)
    safe: dict[str, File | Folder] = field(default_factory=dict)


@dataclass(eq=False)
class Naming:
    """One change of names: (folder, name, what it now stands for or None); ``unsafe``: folders not flushed since."""

    effects: list[tuple[Folder, str, File | Folder | None]]
    unsafe: set[int] = field(default_factory=set)


@dataclass(eq=False)
class _Opened:
    """An open file description."""

    of: File | Folder
    position: int = 0
    append: bool = False


class Disk:
    """What lies under ``root``, as the calls of one process (all threads share its descriptors) change it.

    ``before``: the folder as it was before the first call; all of it is safe.
    """

    def __init__(self, root: Path, before: Path) -> None:
        self.root = root
        self.top = _as_found(before)
        self.unsafe: list[Naming] = []
        self._open: dict[int, _Opened | None] = {}  # None: something outside of the root

    # ---------------------------------------------------------------- the process's calls

    def apply(self, call: Call) -> bool:
        """Take one call; True if it changed anything that a power cut could show."""
        handler: Callable[[Call], bool] = getattr(self, f"_do_{call.name}", self._unknown)
        return handler(call)

    def _unknown(self, call: Call) -> bool:
        raise AssertionError(f"the model does not know {call.name}")

    def _find(self, path: str, at: int | None = None) -> tuple[Folder, str] | None:
        """The folder and the name in it; None outside of the root. Relative paths count from the open folder ``at``."""
        if not path.startswith("/"):
            opened = self._open.get(at) if at is not None else None
            assert at is None or isinstance(opened, _Opened | None)
            if opened is None:
                return None
            start, parts = opened.of, PurePosixPath(path).parts
        else:
            full = PurePosixPath(os.path.normpath(path))
            if not full.is_relative_to(self.root) or full == PurePosixPath(self.root):
                return None
            start, parts = self.top, full.relative_to(self.root).parts
        for part in parts[:-1]:
            assert isinstance(start, Folder)
            start = start.live[part]
        assert isinstance(start, Folder)
        return start, parts[-1]

    def _object(self, path: str, at: int | None = None) -> File | Folder | None:
        if os.path.normpath(path) == str(self.root):
            return self.top
        place = self._find(path, at)
        return None if place is None else place[0].live[place[1]]

    def _name(self, *effects: tuple[Folder, str, File | Folder | None]) -> bool:
        for folder, name, thing in effects:
            if thing is None:
                folder.live.pop(name, None)
            else:
                folder.live[name] = thing
        self.unsafe.append(Naming(list(effects), {id(f) for f, _, _ in effects}))
        return True

    def _opening(self, path: str, flags: set[str], descriptor: int, at: int | None) -> bool:
        place = self._find(path, at)
        changed = False
        if place is None and os.path.normpath(path) != str(self.root):
            self._open[descriptor] = None
            return False
        if place is not None and place[1] not in place[0].live:
            assert "O_CREAT" in flags, path
            changed = self._name((*place, File()))
        found = self.top if place is None else place[0].live[place[1]]
        if isinstance(found, File) and "O_TRUNC" in flags and found.live:
            found.resize(0)
            changed = True
        self._open[descriptor] = _Opened(found, append="O_APPEND" in flags)
        return changed

    def _do_open(self, c: Call) -> bool:
        return self._opening(c.text(0), c.flags(1), c.result, None)

    def _do_openat(self, c: Call) -> bool:
        return self._opening(c.text(1), c.flags(2), c.result, _at(c, 0))

    def _do_creat(self, c: Call) -> bool:
        return self._opening(c.text(0), {"O_CREAT", "O_TRUNC"}, c.result, None)

    def _do_close(self, c: Call) -> bool:
        self._open.pop(c.number(0), None)
        return False

    def _do_dup(self, c: Call) -> bool:
        self._open[c.result] = self._open.get(c.number(0))
        return False

    _do_dup2 = _do_dup3 = _do_dup

    def _do_fcntl(self, c: Call) -> bool:
        return self._do_dup(c) if str(c.arguments[1]).startswith("F_DUPFD") else False

    def _file(self, descriptor: int) -> _Opened | None:
        opened = self._open.get(descriptor)
        assert opened is None or isinstance(opened.of, File)
        return opened

    def _do_lseek(self, c: Call) -> bool:
        opened = self._open.get(c.number(0))
        if opened is not None:
            opened.position = c.result
        return False

    def _do_write(self, c: Call) -> bool:
        data = c.arguments[1]
        return self._written(c.number(0), data[: c.result] if isinstance(data, bytes) else b"")

    def _written(self, descriptor: int, data: bytes) -> bool:
        opened = self._file(descriptor)
        if opened is None or not isinstance(opened.of, File):
            return False
        if opened.append:
            opened.position = len(opened.of.live)
        opened.of.write(opened.position, data)
        opened.position += len(data)
        return True

    def _do_pwrite64(self, c: Call) -> bool:
        opened, data = self._file(c.number(0)), c.arguments[1]
        if opened is None or not isinstance(opened.of, File):
            return False
        assert isinstance(data, bytes)
        opened.of.write(c.number(3), data[: c.result])
        return True

    def _do_copy(self, c: Call, source: int, target: int, position: str) -> bool:
        """``position`` NULL: from where the source stands. What was copied is what the source held."""
        taken = self._file(c.number(source))
        if self._file(c.number(target)) is None:
            return False
        assert taken is not None, "copied from outside of the folder: the recording does not hold it"
        assert isinstance(taken.of, File)
        start = taken.position if position == "NULL" else int(position[1 : position.index("]")])
        if position == "NULL":
            taken.position += c.result
        return self._written(c.number(target), bytes(taken.of.live[start : start + c.result]))

    def _do_sendfile(self, c: Call) -> bool:
        return self._do_copy(c, 1, 0, str(c.arguments[2]))

    def _do_copy_file_range(self, c: Call) -> bool:
        assert c.arguments[3] == "NULL"
        return self._do_copy(c, 0, 2, str(c.arguments[1]))

    def _do_ftruncate(self, c: Call) -> bool:
        opened = self._file(c.number(0))
        if opened is None or not isinstance(opened.of, File):
            return False
        opened.of.resize(c.number(1))
        return True

    def _do_fsync(self, c: Call) -> bool:
        opened = self._open.get(c.number(0))
        if opened is None:
            return False
        if isinstance(opened.of, File):
            opened.of.flush()
            return True
        for naming in self.unsafe:
            naming.unsafe.discard(id(opened.of))
            if not naming.unsafe:
                _keep(naming, lambda folder: folder.safe)
        self.unsafe = [n for n in self.unsafe if n.unsafe]
        return True

    _do_fdatasync = _do_fsync

    def _renamed(self, old: tuple[Folder, str] | None, new: tuple[Folder, str] | None) -> bool:
        if old is None and new is None:
            return False
        assert old is not None, "moved in from outside of the root"
        assert new is not None, "moved out of the root"
        return self._name((*old, None), (*new, old[0].live[old[1]]))

    def _do_rename(self, c: Call) -> bool:
        return self._renamed(self._find(c.text(0)), self._find(c.text(1)))

    def _do_renameat(self, c: Call) -> bool:
        return self._renamed(self._find(c.text(1), _at(c, 0)), self._find(c.text(3), _at(c, 2)))

    _do_renameat2 = _do_renameat

    def _do_link(self, c: Call) -> bool:
        place = self._find(c.text(1))
        return place is not None and self._name((*place, self._object(c.text(0))))

    def _do_linkat(self, c: Call) -> bool:
        place = self._find(c.text(3), _at(c, 2))
        return place is not None and self._name((*place, self._object(c.text(1), _at(c, 0))))

    def _do_unlink(self, c: Call) -> bool:
        place = self._find(c.text(0))
        return place is not None and self._name((*place, None))

    _do_rmdir = _do_unlink

    def _do_unlinkat(self, c: Call) -> bool:
        place = self._find(c.text(1), _at(c, 0))
        return place is not None and self._name((*place, None))

    def _do_mkdir(self, c: Call) -> bool:
        place = self._find(c.text(0))
        return place is not None and self._name((*place, Folder()))

    def _do_mkdirat(self, c: Call) -> bool:
        place = self._find(c.text(1), _at(c, 0))
        return place is not None and self._name((*place, Folder()))

    def _do_clone(self, c: Call) -> bool:
        assert any("CLONE_FILES" in str(a) for a in c.arguments), "a second process: its descriptors are not modelled"
        return False

    _do_clone3 = _do_clone

    # ---------------------------------------------------------------- what is there, and what a power cut leaves

    def live(self) -> Tree:
        """As the running system sees it."""
        return _walk(self.top, lambda folder: folder.live, lambda file: bytes(file.live))

    def cut(self, choice: Choice) -> Tree:
        """As the next start finds it."""
        names = {id(f): dict(f.safe) for f in self._folders()}
        for k, naming in enumerate(self.unsafe):
            if choice.keeps_name(k):
                _keep(naming, lambda folder: names[id(folder)])
        return _walk(
            self.top, lambda folder: names[id(folder)], cache(choice.content)
        )  # two names of one file: one content

    def _folders(self) -> list[Folder]:
        """All that some kept name may lead to."""
        found, ahead = {id(self.top): self.top}, [self.top]
        named = [thing for naming in self.unsafe for _, _, thing in naming.effects]
        ahead += [thing for thing in named if isinstance(thing, Folder)]
        for folder, _, _ in (effect for naming in self.unsafe for effect in naming.effects):
            ahead.append(folder)
        while ahead:
            folder = ahead.pop()
            found[id(folder)] = folder
            for thing in [*folder.safe.values(), *folder.live.values()]:
                if isinstance(thing, Folder) and id(thing) not in found:
                    ahead.append(thing)
        return list(found.values())


class Choice:
    """What one power cut does to everything that is not safe."""

    def keeps_name(self, k: int) -> bool:
        """Whether the k-th change of names outlives it, counted since names were last safe."""
        raise NotImplementedError

    def content(self, file: File) -> bytes:
        raise NotImplementedError


class Extreme(Choice):
    """``names``: those kept, by number. ``garbage`` fills sectors that were given out and not written; else they hold zeros."""

    def __init__(self, *, names: Container[int], sizes: bool, data: bool, garbage: random.Random | None = None) -> None:
        self._names, self._sizes, self._data, self._garbage = names, sizes, data, garbage

    def keeps_name(self, k: int) -> bool:
        return k in self._names

    def content(self, file: File) -> bytes:
        newest = len(file.changes)
        size = len(file.live) if self._sizes else len(file.safe)
        return assembled(file, size, lambda sector: newest if self._data else 0, self._garbage)


class Dice(Choice):
    """Each file and all names fare by chance: all lost, all kept, kept up to some moment, or each sector by itself."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._kept_names = rng.choice((0.0, 0.5, 0.5, 0.9, 1.0))

    def keeps_name(self, k: int) -> bool:
        return self._rng.random() < self._kept_names

    def content(self, file: File) -> bytes:
        rng, newest = self._rng, len(file.changes)
        how = rng.choice(("lost", "kept", "upto", "torn", "torn"))
        upto = {"lost": 0, "kept": newest}.get(how, rng.randint(0, newest))
        size = rng.choice(file.sizes()) if how == "torn" else file.sizes()[upto]
        state = (lambda sector: rng.randint(0, newest)) if how == "torn" else (lambda sector: upto)
        return assembled(file, size, state, rng if rng.random() < 0.3 else None)


def assembled(file: File, size: int, state: Callable[[int], int], garbage: random.Random | None) -> bytes:
    """``size`` bytes of which sector k is as after the first ``state(k)`` of the file's changes."""
    if not file.changes:
        return file.safe
    longest = max(size, *file.sizes())
    out = bytearray(file.safe) + bytes(longest - len(file.safe))
    chosen = [state(k) for k in range(-(-longest // SECTOR))]
    written = [k * SECTOR < len(file.safe) for k in range(len(chosen))]
    for number, (offset, data) in enumerate(file.changes):
        end = longest if data is None else offset + len(data)
        for k in range(offset // SECTOR, -(-end // SECTOR)):
            if chosen[k] <= number:
                continue
            a, b = max(offset, k * SECTOR), min(end, (k + 1) * SECTOR)
            out[a:b] = bytes(b - a) if data is None else data[a - offset : b - offset]
            written[k] = written[k] or data is not None
    if garbage is not None:
        for k in (k for k, w in enumerate(written) if not w):
            out[k * SECTOR : (k + 1) * SECTOR] = garbage.randbytes(min(SECTOR, longest - k * SECTOR))
    return bytes(out[:size])


def _keep(naming: Naming, names: Callable[[Folder], dict[str, File | Folder]]) -> None:
    for folder, name, thing in naming.effects:
        if thing is None:
            names(folder).pop(name, None)
        else:
            names(folder)[name] = thing


def _walk(
    folder: Folder,
    names: Callable[[Folder], dict[str, File | Folder]],
    content: Callable[[File], bytes],
    above: str = "",
) -> Tree:
    found: Tree = {}
    for name, thing in sorted(names(folder).items()):
        if isinstance(thing, File):
            found[above + name] = content(thing)
        else:
            found[f"{above}{name}/"] = b""
            found |= _walk(thing, names, content, f"{above}{name}/")
    return found


def _as_found(path: Path) -> Folder:
    """What is there before the process starts is safe."""
    folder = Folder()
    for entry in sorted(path.iterdir()):
        thing: File | Folder
        if entry.is_dir():
            thing = _as_found(entry)
        else:
            data = entry.read_bytes()
            thing = File(bytearray(data), data)
        folder.live[entry.name] = folder.safe[entry.name] = thing
    return folder


def _at(call: Call, k: int) -> int | None:
    return None if call.arguments[k] == "AT_FDCWD" else call.number(k)


def on_disk(path: Path) -> Tree:
    """The real folder, to compare ``live`` with."""
    folder = _as_found(path)
    return _walk(folder, lambda f: f.live, lambda file: bytes(file.live))


def materialise(tree: Tree, folder: Path) -> None:
    """Write ``tree`` into the empty ``folder``."""
    for name, content in tree.items():
        if name.endswith("/"):
            (folder / name).mkdir()
        else:
            (folder / name).write_bytes(content)
