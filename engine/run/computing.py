"""Long work of the inference loop in a thread of its own, while commands are obeyed."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

from ..loop_interface import Cancelled
from ..machine.computing_time import ComputingTime
from ..machine.thread_start import start_thread
from .control import Control

POLL_SECONDS = 0.2  # between two looks at the clock and the commands, where nothing wakes the thread that waits
_Result = TypeVar("_Result")


def compute(work: Callable[[], _Result], control: Control, obey: Callable[[], None], counted: ComputingTime) -> _Result:
    """What ``work`` returns; ``obey`` is called meanwhile with the lock held. Raises Cancelled once the run is over, even if
    the work goes on, NoThread, and what the work raises. ``counted``: where the seconds it took are noted.

    Work that does not notice the stop is left behind in its thread; nothing of it is used, the checkpoint stands.
    """
    outcome: list[_Result] = []
    trouble: list[BaseException] = []
    done = threading.Event()

    def target() -> None:
        try:
            with counted.counting():
                outcome.append(work())
        except BaseException as error:  # handed over to the waiting thread, which raises it
            trouble.append(error)
        finally:
            done.set()
            with control.changed:
                control.changed.notify_all()

    start_thread(target, "inference")
    with control.changed:
        while not done.is_set():
            obey()
            if control.over:
                raise Cancelled
            control.changed.wait(POLL_SECONDS)
    if trouble:
        raise trouble[0]
    return outcome[0]
