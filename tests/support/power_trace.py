"""What a process asked the system to write, from strace: the recording that a power cut is simulated on.

Every string in hexadecimal and in full, so that the payload of each write is there byte by byte. What the recording cannot know,
or the model not replay (vectored writes to the folder, a second process), is an error and not an omission.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

CALLS = (
    "open,openat,creat,close,dup,dup2,dup3,fcntl,lseek,write,pwrite64,writev,pwritev,pwritev2,ftruncate,truncate,fallocate,"
    "fsync,fdatasync,sync,syncfs,rename,renameat,renameat2,link,linkat,unlink,unlinkat,mkdir,mkdirat,rmdir,symlink,symlinkat,"
    "copy_file_range,sendfile,clone,clone3,fork,vfork"
)
_LONGEST_STRING = 32 * 2**20
_STRACE = (
    "strace",
    "-f",
    "-qq",
    "--seccomp-bpf",
    "-xx",
    "-s",
    str(_LONGEST_STRING),
    "-e",
    "signal=none",
    "-e",
    f"trace={CALLS}",
)
_LINE = re.compile(r"(\d+) +(?:<\.\.\. (\w+) resumed>(.*)|(\w+)\((.*))")
_RESULT = re.compile(r"(.*)\)\s+= (-?\d+)(?: |$)")


@lru_cache(maxsize=1)
def can_trace() -> bool:
    """Whether strace is here and may look at a process."""
    try:
        done = subprocess.run([*_STRACE, "-o", os.devnull, "true"], capture_output=True, timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


@dataclass(frozen=True)
class Call:
    """A system call that succeeded: its arguments as strace writes them, strings already as bytes."""

    name: str
    arguments: tuple[str | bytes, ...]
    result: int

    def number(self, k: int) -> int:
        word = self.arguments[k]
        assert isinstance(word, str), self
        return int(word, 0)

    def text(self, k: int) -> str:
        word = self.arguments[k]
        assert isinstance(word, bytes), self
        return os.fsdecode(word)

    def flags(self, k: int) -> set[str]:
        word = self.arguments[k]
        assert isinstance(word, str), self
        return set(word.split("|"))


def record(script: Path, arguments: list[str], trace: Path, environment: Mapping[str, str]) -> list[Call]:
    """Run ``script`` with Python under strace; its calls in the order in which they ended. Raises AssertionError if it fails."""
    command = [*_STRACE, "-o", str(trace), sys.executable, str(script), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=dict(environment), timeout=110)
    assert done.returncode == 0, done.stderr
    with trace.open(encoding="ascii") as lines:
        return list(_calls(lines))


def _calls(lines: Iterator[str]) -> Iterator[Call]:
    begun: dict[str, str] = {}  # thread -> the first half of a call that another one interrupted
    for line in lines:
        found = _LINE.match(line)
        if found is None:  # "exited with 0"
            continue
        thread, resumed, rest, name, start = found.groups()
        if resumed is None and start.rstrip().endswith("<unfinished ...>"):
            begun[thread] = start.rstrip().removesuffix("<unfinished ...>")
            continue
        text = begun.pop(thread, "") + rest if resumed is not None else start
        ended = _RESULT.match(text)
        if ended is None or int(ended[2]) < 0:
            continue
        yield Call(resumed or name, tuple(_words(ended[1])), int(ended[2]))


def _words(text: str) -> Iterator[str | bytes]:
    """Arguments between commas that are in no bracket; strings hold no comma, being hexadecimal."""
    depth, word = 0, ""
    for part in re.split(r"([,\[\]{}])", text):
        depth += (part in "[{" and part != "") - (part in "]}" and part != "")
        if part == "," and depth == 0:
            yield _word(word)
            word = ""
        else:
            word += part
    if word.strip():
        yield _word(word)


def _word(word: str) -> str | bytes:
    word = word.strip()
    if word.startswith('"'):
        assert word.endswith('"'), "a string was cut short"
        return bytes.fromhex(word[1:-1].replace("\\x", ""))
    return word
