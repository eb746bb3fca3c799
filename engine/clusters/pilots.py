"""Pilots: a few long jobs that take one run after the other, for runs that are shorter than a queue takes to start a job.

In the folder ``pilot`` there: a file in ``todo`` for each run that waits; a pilot takes one by renaming it into ``taken``, writes
its own name into it and runs the attempt's job.sh, which watches, claims and reports as it does in a job of its own. Pilots end
when there has been nothing to do for a while, or their time is nearly over.
"""

from __future__ import annotations

import secrets
import shlex
import threading
from collections.abc import Mapping
from dataclasses import replace

from ..problem.errors import SetupError
from ..session.profiles import Profile
from .place import SUBMIT_SECONDS, Place, Refused
from .queues import NEVER_STARTS, JobState, asked
from .shell import Shell

IDLE_S = 30  # a pilot without work ends after this
DEFAULT_MINUTES = 60.0  # of a pilot's job, where the profile says nothing
SPARE_PART = 5  # a pilot takes nothing more in the last fifth of its time
FOLDER = "pilot"
# A run is taken by one rename; pilots begin their search at different places, so that few reach for the same one at a time.
# A look at the folder costs one process (sleep), and the clock is asked at every tenth: many pilots may share a computer
_SCRIPT = """
cd {folder} || exit 1
me={name} ; child=
trap 'over=1; [ -n "$child" ] && kill -TERM "$child" 2>/dev/null' TERM INT HUP
over= ; begun=$(date +%s) ; looks=0 ; idle=$begun ; number=$$
while [ -z "$over" ]; do
    set -- todo/*
    if [ -e "$1" ]; then
        number=$((number + 1))
        shift $((number % $#))
        token=${{1#todo/}}
        if ! mv "todo/$token" "taken/$token" 2>/dev/null; then
            [ -e "todo/$token" ] || continue
            sleep 1; [ $(($(date +%s) - begun)) -ge {seconds} ] && break
            continue
        fi
        echo "$me" >"taken/$token"
        sh "../$token/job.sh" >"../$token/job.log" 2>&1 &
        child=$!
        while :; do wait "$child"; kill -0 "$child" 2>/dev/null || break; done
        child= ; looks=0 ; idle=
        rm -f "taken/$token"
    fi
    if [ $((looks % 10)) -eq 0 ]; then
        now=$(date +%s)
        [ $((now - begun)) -ge {seconds} ] && break
        [ -n "$idle" ] || idle=$now
        [ $((now - idle)) -ge {idle} ] && break
    fi
    set -- todo/*
    [ -e "$1" ] && continue
    looks=$((looks + 1)) ; pause=0.03
    [ "$looks" -gt 20 ] && pause=0.1
    [ "$looks" -gt 40 ] && pause=0.3
    sleep "$pause"
done
"""


class PilotPlace(Place):
    """A place whose attempts are taken by pilots. A number of a job is known when a pilot has taken the run."""

    def __init__(self, profile: Profile, shell: Shell | None = None) -> None:
        super().__init__(profile, shell)
        self._lock = threading.Lock()
        self._alive = 0  # pilots in the queue, as far as known
        self._mine: set[str] = set()  # names of pilots started here

    def submit(self, token: str) -> str:
        pilot = shlex.quote(f"{self.root}/{FOLDER}")
        answer = self.shell.run(
            f"cd {pilot} 2>/dev/null || {{ mkdir -p {pilot}/todo {pilot}/taken && cd {pilot}; }} || exit\n"
            f": >todo/{token} || exit\nn=0\n"  # no other program from here on: many runs are given at a time
            'for f in todo/* taken/*; do [ -e "$f" ] && n=$((n + 1)); done\necho $n'
        )
        if answer.status:
            raise SetupError(f"The work for pilots cannot be written on {self.name}: {answer.text.strip()[-300:]}.")
        with self._lock:
            runs = int(answer.text.strip().splitlines()[-1])  # those that pilots are busy with, too
            try:
                self._start_pilots(runs)
            except Refused:  # no pilot lives that could take it
                self.shell.run(f"rm -f {pilot}/todo/{token}")
                raise
        return ""

    def _start_pilots(self, runs: int) -> None:
        """As many as ``runs`` need, no more than are allowed; the caller holds the lock. Raises Refused."""
        for _ in range(min(self.profile.at_once, runs) - self._alive):
            self._start_pilot()

    def _start_pilot(self) -> None:
        """Raises Refused: the run stays to be taken by the pilots there are, if any."""
        name = f"bp{secrets.token_hex(6)}"
        minutes = self.profile.minutes or DEFAULT_MINUTES
        lines = self.queue.directives(asked(self.profile, name, 60.0 * (minutes - 5.0), None))
        pilot = f"{self.root}/{FOLDER}"
        seconds = int(60 * minutes * (SPARE_PART - 1) / SPARE_PART)
        body = _SCRIPT.format(folder=shlex.quote(pilot), name=name, seconds=seconds, idle=IDLE_S)
        script = "\n".join(["#!/bin/sh", *lines, body])
        folder = shlex.quote(f"{pilot}/{name}")
        answer = self.shell.run(
            f"mkdir -p {folder} && cat >{folder}/job.sh <<'END-OF-SCRIPT'\n{script}\nEND-OF-SCRIPT\n"
            f"cd {folder} || exit\n{self.queue.submit.replace('{name}', name)}", SUBMIT_SECONDS,
        )  # fmt: skip
        if answer.status or not self.queue.job_id.findall(answer.text):
            if not self._alive:
                raise Refused(answer.text.strip()[-500:] or f"it ended with status {answer.status}")
            return
        self._alive += 1
        self._mine.add(name)

    def states(self) -> dict[str, JobState] | None:
        """Of attempts: waiting for a pilot, taken by one that lives, or ended. Pilots are started anew where work waits."""
        queued = super().states()
        if queued is None:
            return None
        pilots = {name: state for name, state in queued.items() if name.startswith("bp") and state.phase != "ended"}
        pilot = shlex.quote(f"{self.root}/{FOLDER}")
        answer = self.shell.run(
            f'mkdir -p {pilot}/todo {pilot}/taken && cd {pilot} || exit\nfor f in todo/* taken/*; do\n'
            '    [ -e "$f" ] && echo "$f $(cat "$f")"\ndone\ntrue'
        )  # fmt: skip
        if answer.status:
            return None
        waits = JobState("", "", "queued", "PENDING", reason="waits for a pilot")
        never = [s for name, s in queued.items() if name in self._mine and NEVER_STARTS.match(s.reason)]
        if never and len(never) == len(self._mine):  # the same is true of the runs that wait for them
            waits = never[0]
        found: dict[str, JobState] = {}
        for line in answer.text.splitlines():
            where, _, name = line.partition(" ")
            token = where.rpartition("/")[2]
            if where.startswith("todo/"):
                found[token] = replace(waits, job="", name=token)
            elif name in pilots:
                found[token] = JobState(pilots[name].job, token, "running", "RUNNING", pilots[name].node)
        with self._lock:
            self._alive = len(pilots)
            try:
                self._start_pilots(len(found) if waits.reason not in {s.reason for s in never} else 0)
            except Refused:
                pass  # tried again with the next look at the queue
        # jobs of their own, from before the place had pilots
        return {name: state for name, state in queued.items() if name.startswith("bs")} | found

    def end(self, jobs: Mapping[str, str]) -> None:
        super().end(jobs)
        pilot = shlex.quote(f"{self.root}/{FOLDER}")
        self.shell.run(f"cd {pilot} 2>/dev/null && cd todo && rm -f {' '.join(jobs)}")

    def finish(self) -> None:
        """Pilots end at once, unless there is work for them: another analysis may share them."""
        queued = super().states() or {}
        idle = {name: state.job for name, state in queued.items() if name.startswith("bp") and state.phase != "ended"}
        pilot = shlex.quote(f"{self.root}/{FOLDER}")
        look = f'cd {pilot} 2>/dev/null || exit 1\nfor f in todo/* taken/*; do [ -e "$f" ] && exit 0; done; exit 1'
        busy = self.shell.run(look)
        if busy.status and idle:
            self.shell.run("\n".join([*(self.queue.cancel(name, job) for name, job in idle.items()), "true"]), SUBMIT_SECONDS)
            self.shell.run(f"cd {pilot} && rm -rf {' '.join(idle)}")


def place_of(profile: Profile) -> Place:
    """The place of a profile, with pilots if it has them."""
    return PilotPlace(profile) if profile.pilot and profile.queue else Place(profile)
