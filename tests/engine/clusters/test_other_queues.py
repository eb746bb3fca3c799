"""PBS, LSF and Grid Engine: what their commands print, by their manuals, and whole runs through commands that print just that."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from bayescope.engine.clusters.hand_over import correct, hand_over, said_by_queue
from bayescope.engine.clusters.place import Place
from bayescope.engine.clusters.try_place import STEPS, try_place
from bayescope.engine.problem.errors import SetupError
from bayescope.engine.session.profiles import Profile, QueueName, find_profile
from clusters import Engine, add_place, counted, make, told_problem
from fake_queue import install

N = 3


def said_by(bin_folder: Path, monkeypatch: pytest.MonkeyPatch, **programs: str) -> None:
    """Programs of these names come first on the search path; each is a shell script."""
    bin_folder.mkdir(exist_ok=True)
    for name, script in programs.items():
        (bin_folder / name).write_text(f"#!/bin/sh\n{script}\n")
        (bin_folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{bin_folder}:{os.environ['PATH']}")


XML = """<?xml version='1.0'?>
<job_info  xmlns:xsd="http://www.w3.org/2001/XMLSchema">
  <queue_info>
  </queue_info>
  <job_info>
  </job_info>
</job_info>"""


@pytest.mark.parametrize(
    ("queue", "programs", "known"),
    [
        # nothing there, or nothing any more: an answer
        ("pbs", {"qselect": "true", "qstat": "exit 1"}, True),
        ("pbs", {"qselect": "echo 16.south", "qstat": "echo 'qstat: Unknown Job Id 16.south' >&2; exit 153"}, True),
        (
            "pbs",
            {"qselect": "echo 16.south", "qstat": "echo 'qstat: 16.south Job has finished, use -x or -H to obtain historical job "
             "information' >&2; exit 35"},
            True,
        ),
        ("lsf", {"bjobs": "echo 'No job found' >&2; exit 255"}, True),
        ("lsf", {"bjobs": "echo 'No unfinished job found' >&2; exit 255"}, True),
        ("sge", {"qstat": f"cat <<'END'\n{XML}\nEND"}, True),
        # the queue does not answer, which never means that a job is gone
        ("pbs", {"qselect": "echo 'qselect: cannot connect to server south (errno=111)' >&2; exit 1"}, False),
        ("pbs", {"qselect": "echo 16.south", "qstat": "echo 'qstat: cannot connect to server south' >&2; exit 111"}, False),
        ("lsf", {"bjobs": "echo 'LSF is down. Please wait ...' >&2; exit 255"}, False),
        ("lsf", {"bjobs": "echo 'Failed in an LSF library call: Slave LIM configuration is not ready yet' >&2; exit 255"}, False),
        ("sge", {"qstat": "echo 'error: commlib error: got select error (Connection refused)' >&2; exit 1"}, False),
        ("sge", {"qstat": "echo 'error: unable to contact qmaster'; exit 0"}, False),
        ("sge", {"qstat": f"cat <<'END'\n{XML[:-30]}\nEND"}, False),
    ],
)  # fmt: skip
def test_a_queue_without_jobs_is_told_from_one_that_does_not_answer(
    queue: QueueName, programs: dict[str, str], known: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said_by(tmp_path / "bin", monkeypatch, **programs)
    place = Place(Profile(name="box", queue=queue, folder=str(tmp_path / "there")))
    assert place.states() == ({} if known else None)
    place.close()


FAILED = "sbatch: error: Batch job submission failed"


class Files:
    def files(self, place: Place, token: str) -> dict[str, str]:
        return {"job.sh": "exit"}


@pytest.mark.parametrize(
    ("queue", "words", "later"),
    [
        ("slurm", f"{FAILED}: Requested time limit is invalid (missing or exceeds some limit)", False),
        ("slurm", f"{FAILED}: Invalid account or account/partition combination specified", False),
        ("slurm", "sbatch: error: Slurm temporarily unable to accept job, sleeping and retrying", True),
        ("slurm", "sbatch: error: QOSMaxSubmitJobPerUserLimit", True),
        ("pbs", "qsub: Job violates queue and/or server resource limits", False),
        ("pbs", "qsub: Unknown queue", False),
        ("pbs", "qsub: would exceed queue generic's per-user limit of jobs in 'Q' state", True),
        ("pbs", "qsub: submit error (Maximum number of jobs already in queue for user)", True),
        ("lsf", "RUNLIMIT: Cannot exceed queue's hard limit(s). Job not submitted.", False),
        ("lsf", "The destination queue has reached its job limit. Job not submitted.", True),
        ("sge", 'Unable to run job: Job was rejected because job requests unknown queue "nowhere".', False),
        ("sge", "Unable to run job: job rejected: Only 100 jobs are allowed per user (current job count: 100)", True),
    ],
)
def test_what_a_queue_never_gives_is_an_error_and_what_it_does_not_give_now_is_asked_for_again(
    queue: QueueName, words: str, later: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refuse = f'echo "{words}" >&2; exit 1'
    asked = {"squeue": "true", "qselect": "true", "bjobs": "echo No job found; exit 255"}
    said_by(tmp_path / "bin", monkeypatch, sbatch=refuse, qsub=refuse, bsub=refuse, **asked)
    place = Place(Profile(name="box", queue=queue, folder=str(tmp_path / "there")))
    told: list[str] = []
    if later:
        assert hand_over(place, "bs0123456789ab", Files(), lambda seconds: False, told.append, fresh=True) is None
        assert words in told[0]
    else:
        with pytest.raises(SetupError, match="does not take the job"):
            hand_over(place, "bs0123456789ab", Files(), lambda seconds: True, told.append, fresh=True)
    place.close()


@pytest.mark.long
@pytest.mark.parametrize("queue", ["pbs", "lsf", "sge"])
def test_a_run_goes_through_the_commands_of_each_queue_is_killed_and_stopped_and_goes_on(
    queue: QueueName, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path / "bin", queue)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    place = add_place(tmp_path / "there", queue=queue)
    told: list[tuple[str, bool, str]] = []
    assert try_place(find_profile(place), lambda step, good, words, seconds: told.append((step, good, words))), told
    assert [step for step, *_ in told] == list(STEPS)
    add_place(tmp_path / "there", queue=queue, partition="nowhere")
    told.clear()
    assert not try_place(find_profile(place), lambda step, good, words, seconds: told.append((step, good, words)))
    assert told[-1][0] == "submit"
    add_place(tmp_path / "there", queue=queue)
    starts, path = tmp_path / "starts", tmp_path / "far.bayescope"
    make(path, told_problem(starts, 0.5, N))
    assert Engine(path, place, "submitted:2", workers=1).wait() == -9
    engine = Engine(path, place, workers=1, QUEUE_PAUSE="0.5")
    while len(starts.read_text().splitlines() if starts.exists() else ()) < 3:
        assert engine.process.poll() is None
        time.sleep(0.02)
    engine.process.send_signal(signal.SIGINT)
    assert engine.wait() == 0
    assert Engine(path, place, workers=1, QUEUE_PAUSE="0.5").wait() == 0
    found = counted(path, starts)
    assert found["results"] == N
    assert found["lost"] == 0
    assert sum(found["starts"].values()) <= len(found["attempts"])
    assert list((tmp_path / "there").iterdir()) == []


@pytest.mark.parametrize(
    ("printed", "reason", "rest"),
    [
        (
            f"sbatch: error: invalid partition specified: nowhere\n{FAILED}: Invalid partition name specified",
            "Invalid partition name specified", "invalid partition specified: nowhere",
        ),
        (
            "sbatch: unrecognized option '--qoss=x'\nTry \"sbatch --help\" for more information",
            "Unrecognized option '--qoss=x'", "",
        ),
        ("qsub: Unknown queue", "Unknown queue", ""),
        ("Cannot exceed queue's hard limit(s). Job not submitted.", "Cannot exceed queue's hard limit(s)", ""),
        ('Unable to run job: unknown queue "nowhere".\nExiting.\n', 'Unknown queue "nowhere"', ""),
        ("", "No reason given", ""),
    ],
)  # fmt: skip
def test_the_reason_of_a_refusal_stands_first_without_what_is_around_it(printed: str, reason: str, rest: str) -> None:
    assert said_by_queue(printed) == (reason, rest)


@pytest.mark.parametrize(
    ("said", "fields"),
    [
        ("Invalid partition name specified", "the partition"),
        ("BadConstraints", "memory, cores or more lines"),
        ("PartitionTimeLimit", "the time"),
        ("InvalidAccount", "the account"),
        ("Memory specification can not be satisfied", "the memory"),
        ("No reason given", "partition, account, time, memory, cores or more lines"),
    ],
)
def test_only_the_fields_that_a_queue_speaks_of_are_to_be_corrected(said: str, fields: str) -> None:
    assert correct(Place(Profile(name="box")), said).startswith(f"Correct {fields} of the place “box”")
