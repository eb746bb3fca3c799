"""The model of a disk that loses power: it loses what was not flushed, in every way, and never what was."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from power_disk import SECTOR, Dice, Disk, Extreme, File
from power_trace import Call, _calls

NOTHING = Extreme(names=(), sizes=False, data=False)
ALL = Extreme(names=range(99), sizes=True, data=True)


@pytest.fixture
def disk(tmp_path: Path) -> Disk:
    (tmp_path / "old").write_bytes(b"o" * 3 * SECTOR)
    return Disk(tmp_path, tmp_path)


def do(disk: Disk, *lines: str) -> None:
    """Calls as strace writes them; ``@`` stands for the root, strings are made hexadecimal here."""
    for line in lines:
        parts = line.replace("@", str(disk.root)).split('"')
        coded = ['"' + "".join(f"\\x{ord(c):02x}" for c in p) + '"' if k % 2 else p for k, p in enumerate(parts)]
        for call in _calls(iter([f"7 {''.join(coded)}"])):
            disk.apply(call)


def outcomes(disk: Disk, count: int = 300) -> list[dict[str, bytes]]:
    rng = random.Random(1)
    return [disk.cut(Dice(rng)) for _ in range(count)]


def test_a_call_in_two_halves_is_put_together_and_failed_calls_are_left_out():
    lines = [
        '7 pwrite64(3, "\\x61\\x2c", 2, 0 <unfinished ...>',
        "8 close(9) = -1 EBADF (Bad file descriptor)",
        "7 <... pwrite64 resumed>) = 2",
        '8 openat(AT_FDCWD, "\\x2f\\x61", O_RDONLY) = 4',
        "8 +++ exited with 0 +++",
    ]
    assert list(_calls(iter(lines))) == [
        Call("pwrite64", ("3", b"a,", "2", "0"), 2), Call("openat", ("AT_FDCWD", b"/a", "O_RDONLY"), 4),
    ]  # fmt: skip


def test_a_new_file_needs_its_own_flush_and_that_of_its_folder(disk):
    do(disk, 'openat(AT_FDCWD, "@/new", O_RDWR|O_CREAT, 0644) = 3', 'write(3, "abc", 3) = 3')
    assert disk.live()["new"] == b"abc"
    assert "new" not in disk.cut(NOTHING)
    assert disk.cut(ALL)["new"] == b"abc"
    assert {o.get("new") for o in outcomes(disk)} >= {None, b"", b"abc", b"\0\0\0"}
    do(disk, "fsync(3) = 0")
    assert {o.get("new") for o in outcomes(disk)} == {None, b"abc"}
    do(disk, 'openat(AT_FDCWD, "@", O_RDONLY) = 4', "fsync(4) = 0")
    assert {o.get("new") for o in outcomes(disk)} == {b"abc"}


def test_an_overwritten_file_may_be_torn_at_sectors_and_nowhere_else(disk):
    do(disk, 'open("@/old", O_RDWR) = 3', f'pwrite64(3, "{"n" * 3 * SECTOR}", {3 * SECTOR}, 0) = {3 * SECTOR}')
    seen = {o["old"] for o in outcomes(disk)}
    sectors = {bytes(x[k : k + SECTOR]) for x in seen for k in range(0, len(x), SECTOR)}
    assert sectors == {b"o" * SECTOR, b"n" * SECTOR}
    assert len(seen) == 8, "each sector by itself"
    do(disk, "fdatasync(3) = 0")
    assert {o["old"] for o in outcomes(disk)} == {b"n" * 3 * SECTOR}


def test_the_size_may_be_of_another_moment_than_the_data(disk):
    do(
        disk,
        'open("@/old", O_RDWR) = 3',
        "ftruncate(3, 0) = 0",
        f'pwrite64(3, "{"n" * SECTOR}", {SECTOR}, 0) = {SECTOR}',
    )
    sizes = {len(o["old"]) for o in outcomes(disk)}
    assert sizes == {0, SECTOR, 3 * SECTOR}


def test_names_may_be_kept_out_of_order_until_their_folder_is_flushed(disk):
    do(
        disk,
        'open("@/new", O_RDWR|O_CREAT, 0644) = 3',
        'write(3, "n", 1) = 1',
        "fsync(3) = 0",
        'rename("@/new", "@/old") = 0',
    )
    do(disk, 'unlink("@/old") = 0')
    old = b"o" * 3 * SECTOR
    seen = {(o.get("new"), o.get("old")) for o in outcomes(disk)}
    assert seen == {(None, old), (b"n", old), (None, b"n"), (None, None), (b"n", None)}
    do(disk, 'open("@", O_RDONLY) = 4', "fsync(4) = 0")
    assert {(o.get("new"), o.get("old")) for o in outcomes(disk)} == {(None, None)}


def test_two_names_of_one_file_never_differ(disk):
    do(
        disk,
        'open("@/one", O_RDWR|O_CREAT, 0644) = 3',
        f'write(3, "{"x" * 2000}", 2000) = 2000',
        'link("@/one", "@/two") = 0',
    )
    both = [o for o in outcomes(disk) if "one" in o and "two" in o]
    assert both
    assert all(o["one"] == o["two"] for o in both)


def test_what_the_model_does_not_know_is_an_error(disk):
    do(disk, 'open("@/old", O_RDWR) = 3')
    with pytest.raises(AssertionError, match="writev"):
        do(disk, "writev(3, [{iov_base=1, iov_len=1}], 1) = 1")
    with pytest.raises(AssertionError, match="second process"):
        do(disk, "clone(child_stack=NULL, flags=CLONE_CHILD_CLEARTID|SIGCHLD) = 9")


def test_a_file_forgets_its_history_when_flushed():
    file = File()
    file.write(5, b"x")
    assert file.sizes() == [0, 6]
    file.flush()
    assert (file.safe, file.changes) == (b"\0\0\0\0\0x", [])
