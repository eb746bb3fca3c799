"""``bayescope cuda``: the CUDA build of PyTorch, fetched, switched on and removed; nothing is fetched without being asked for."""

from __future__ import annotations

import argparse
import contextlib
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ..machine.thread_start import thread_or_words
from .exit_status import FAILED, INTERRUPTED, OK, Failure
from .subcommands import subcommands
from .terminal import say, warn

if TYPE_CHECKING:
    from ..cuda.install import Step
    from ..cuda.places import Place
    from ..cuda.wheels import WheelSet

EVERY_S = 0.2  # between two lines of progress for the window
EVERY_S_TERMINAL = 5.0
_ORIGIN = "from files.pythonhosted.org (PyPI), under the licences of PyTorch and NVIDIA"


def status(arguments: argparse.Namespace) -> int:
    """What is here, what is switched on, and whether it would help."""
    from ..cuda import card, places
    from ..cuda.install import bytes_to_come
    from ..cuda.wheels import why_none

    wheels = _wheels(arguments)
    seen = card.cards()
    for one in seen:
        say(f"Card: {one.name}, driver {one.driver or 'unknown'}.")
    reason = why_none(wheels) or card.why_useless(seen, wheels)
    if reason:
        say(reason)
    found = places.in_use()
    if found is None:
        coming = bytes_to_come(wheels, places.own())
        say("The CUDA build of PyTorch is not installed; everything is computed on the processor.")
        kept = sum(w.size for w in wheels.needed()) - coming
        if kept:
            say(f"{kept / 1e9:.1f} GB of it have come already; “bayescope cuda install” resumes, “remove” deletes them.")
        elif coming and not reason:
            say(f"“bayescope cuda install” downloads {coming / 1e9:.1f} GB {_ORIGIN}.")
        return OK
    place, installed = found
    wrong = places.why_not(place, installed)
    say(f"PyTorch {installed.torch} with CUDA {installed.cuda} is switched on, in {place.root}.", *([wrong] if wrong else []))
    return FAILED if wrong else OK


def install_it(arguments: argparse.Namespace) -> int:
    """Says what it costs, asks on a terminal, and does it."""
    from ..cuda import card
    from ..cuda.install import Paused, bytes_to_come, disk_bytes, install
    from ..cuda.wheels import why_none

    wheels, place = _wheels(arguments), _place(arguments)
    reason = why_none(wheels)
    if reason:
        raise Failure(reason)
    useless = card.why_useless(card.cards(), wheels)
    if not arguments.progress:
        say(*([useless] if useless else []))
        say(
            f"{bytes_to_come(wheels, place) / 1e9:.1f} GB are downloaded {_ORIGIN}, "
            f"and {disk_bytes(wheels) / 1e9:.1f} GB of disk taken in {place.root}."
        )
    if not arguments.yes:
        _ask()
    with _stopping(watch_stdin=arguments.progress) as stopped:
        try:
            found = install(wheels, place, _teller(arguments.progress), stopped.is_set, arguments.source)
        except Paused:
            say("Stopped. What has come is kept: the same command goes on from there.")
            return INTERRUPTED
    where = f"It computes on {found.device}." if found.device else "It works, but CUDA finds no card that it can use here."
    say(f"PyTorch {found.torch} is installed and switched on. {where}")
    return OK


def remove(arguments: argparse.Namespace) -> int:
    place = _place(arguments)
    there = place.root.exists()
    try:
        gone = place.remove()
    except OSError as error:
        raise Failure(f"{place.root} cannot be removed: {error.strerror or error}.") from None
    if not gone:
        raise Failure(f"Something in {place.root} could not be removed.")
    say(f"Removed {place.root}; everything is computed on the processor." if there else "Nothing is installed there.")
    return OK


def _wheels(arguments: argparse.Namespace) -> WheelSet:
    from ..cuda.wheels import bundled, from_file

    return from_file(arguments.wheels) if arguments.wheels else bundled()


def _place(arguments: argparse.Namespace) -> Place:
    from ..cuda import places

    return places.shared() if arguments.shared else places.own()


def _ask() -> None:
    """Raises Failure unless somebody agrees."""
    if not sys.stdin.isatty():
        raise Failure("nobody is there to agree; add --yes if you do.")
    say("Download it? [y/N]")
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise Failure("nothing was downloaded.")


def _teller(for_window: bool) -> Callable[[Step], None]:
    """What is told of each step of ``cuda.install``: lines of JSON for the window, now and then a sentence in a terminal."""
    import msgspec

    last = 0.0, ""

    def tell(step: Step) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last[0] < (EVERY_S if for_window else EVERY_S_TERMINAL) and step.doing == last[1]:
            return
        last = now, step.doing
        if for_window:
            say(msgspec.json.encode(step).decode())
        elif step.doing == "download":
            say(f"{step.done / 1e9:.2f} of {step.total / 1e9:.2f} GB  {step.what}")
        elif step.doing == "try":
            say("Trying it in a process of its own …")
        sys.stdout.flush()

    return tell


@contextlib.contextmanager
def _stopping(watch_stdin: bool) -> Iterator[threading.Event]:
    """Set by Ctrl-C and SIGTERM; with ``watch_stdin`` also when the window that started this is gone."""
    stopped = threading.Event()
    before = {number: signal.signal(number, lambda *_: stopped.set()) for number in (signal.SIGINT, signal.SIGTERM)}
    if watch_stdin:

        def until_it_ends() -> None:
            sys.stdin.read()
            stopped.set()

        thread_or_words(warn, until_it_ends, "stdin")
    try:
        yield stopped
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def cuda_arguments(command: argparse.ArgumentParser) -> None:
    """``status``, ``install`` and ``remove`` below ``cuda``."""
    sub = subcommands(command)
    said = sub("status", "Say what card there is, what is installed, and whether it would help.", status)
    made = sub("install", "Download the CUDA build of PyTorch, or resume that, and switch it on; asks first.", install_it)
    gone = sub("remove", "Delete it; Bayescope then computes on the processor.", remove)
    for parser in (said, made):
        parser.add_argument("--wheels", type=Path, metavar="LIST.json", help="another list of files than the one that came along")
    for parser in (made, gone):
        parser.add_argument("--shared", action="store_true", help="for everybody on this computer (an administrator)")
    made.add_argument("--yes", action="store_true", help="you agree to the download and need not be asked")
    made.add_argument("--from", dest="source", default="", metavar="FOLDER|URL", help="where the wheels are, under their names")
    made.add_argument("--progress", action="store_true", help=argparse.SUPPRESS)  # lines of JSON, for the window
