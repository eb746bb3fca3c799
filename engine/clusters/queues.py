"""What differs between Slurm, PBS, LSF and Grid Engine: the lines of a job's script, three commands, and how they are read.

A job bears its attempt's token as its name, so that it can be found and cancelled where nobody knows its number.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from ..session.profiles import Profile, QueueName

JOB_LOG = "job.log"  # what the queue itself has to say about a job
Phase = Literal["queued", "running", "ended"]


@dataclass(frozen=True)
class JobState:
    """A job as its queue tells of it; ``word``: the queue's own for its state, ``reason``: why it waits or has ended."""

    job: str
    name: str
    phase: Phase
    word: str = ""
    node: str = ""
    reason: str = ""


@dataclass(frozen=True)
class Asked:
    """What a job asks for. ``minutes`` and ``memory_mb``: None: whatever the queue gives."""

    name: str
    minutes: int | None = None
    memory_mb: int | None = None
    cores: int = 1
    partition: str = ""
    account: str = ""


@dataclass(frozen=True)
class Queue:
    """Commands run in the job's folder. ``states``: of all jobs of this user; ``cancel``: with the name and number of a job."""

    directives: Callable[[Asked], list[str]]
    submit: str
    job_id: re.Pattern[str]
    states: str
    read: Callable[[str], list[JobState]]
    cancel: Callable[[str, str], str]


def asked(profile: Profile, name: str, limit_s: float | None, memory_mb: float | None) -> Asked:
    """The job of a run with these limits: a little more than the limits, which the job's own watch keeps to the second."""
    minutes = profile.minutes
    if minutes is None and limit_s is not None:
        minutes = limit_s / 60.0 + 5.0
    memory = profile.memory_mb
    if memory is None and memory_mb is not None:
        memory = 1.2 * memory_mb + 64.0
    whole = None if minutes is None else -int(-minutes // 1)
    return Asked(name, whole, None if memory is None else int(memory) + 1, profile.cores, profile.partition, profile.account)


def _clock(minutes: int) -> str:
    return f"{minutes // 60}:{minutes % 60:02d}:00"


# ------------------------------------------------------------------ Slurm


def _slurm_lines(a: Asked) -> list[str]:
    lines = [f"--job-name={a.name}", f"--output={JOB_LOG}", "--no-requeue", f"--cpus-per-task={a.cores}", "--ntasks=1"]
    lines += [f"--time={_clock(a.minutes)}"] if a.minutes else []
    lines += [f"--mem={a.memory_mb}M"] if a.memory_mb else []
    lines += [f"--partition={a.partition}"] if a.partition else []
    lines += [f"--account={a.account}"] if a.account else []
    return [f"#SBATCH {line}" for line in lines]


_SLURM_WAITS = {"PENDING", "CONFIGURING", "REQUEUED", "REQUEUE_HOLD", "REQUEUE_FED", "SPECIAL_EXIT", "RESV_DEL_HOLD"}
_SLURM_RUNS = {"RUNNING", "COMPLETING", "SUSPENDED", "STAGE_OUT", "STOPPED", "SIGNALING", "RESIZING"}


def _read_slurm(text: str) -> list[JobState]:
    found = []
    for line in text.splitlines():
        cells = line.split("|", 4)
        if len(cells) == 5 and cells[0].strip().isdigit():
            job, name, word, node, reason = (cell.strip() for cell in cells)
            phase: Phase = "queued" if word in _SLURM_WAITS else "running" if word in _SLURM_RUNS else "ended"
            found.append(JobState(job, name, phase, word, "" if node == "(null)" else node, "" if reason == "None" else reason))
    return found


# ------------------------------------------------------------------ PBS (OpenPBS, PBS Professional, Torque)


def _pbs_lines(a: Asked) -> list[str]:
    lines = [f"-N {a.name}", "-j oe", f"-o {JOB_LOG}", "-r n", f"-l select=1:ncpus={a.cores}{_pbs_memory(a)}"]
    lines += [f"-l walltime={_clock(a.minutes)}"] if a.minutes else []
    lines += [f"-q {a.partition}"] if a.partition else []
    lines += [f"-A {a.account}"] if a.account else []
    return [f"#PBS {line}" for line in lines]


def _pbs_memory(a: Asked) -> str:
    return f":mem={a.memory_mb}mb" if a.memory_mb else ""


def _read_pbs(text: str) -> list[JobState]:
    """Of “qstat -f”: a block for each job, long values go on in lines that begin with a tab."""
    found = []
    for block in re.split(r"^Job Id: ", text.replace("\n\t", ""), flags=re.MULTILINE)[1:]:
        job, _, rest = block.partition("\n")
        cells = {k.strip(): v.strip() for k, _, v in (line.partition(" = ") for line in rest.splitlines())}
        word = cells.get("job_state", "")
        phase: Phase = "queued" if word in "QHWTM" else "running" if word in "REBSU" else "ended"
        node = cells.get("exec_host", "").split("/")[0]
        found.append(JobState(job.strip(), cells.get("Job_Name", ""), phase, word, node, cells.get("comment", "")))
    return found


# ------------------------------------------------------------------ LSF


def _lsf_lines(a: Asked) -> list[str]:
    lines = [f"-J {a.name}", f"-o {JOB_LOG}", "-rn", f"-n {a.cores}"]
    lines += [f"-W {a.minutes // 60}:{a.minutes % 60:02d}"] if a.minutes else []
    lines += [f"-M {a.memory_mb}MB"] if a.memory_mb else []
    lines += [f"-q {a.partition}"] if a.partition else []
    lines += [f"-P {a.account}"] if a.account else []
    return [f"#BSUB {line}" for line in lines]


def _read_lsf(text: str) -> list[JobState]:
    found = []
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) == 5 and cells[0].isdigit():
            job, name, word, node, reason = cells
            phase: Phase = (
                "queued" if word in ("PEND", "PSUSP", "WAIT") else "ended" if word in ("DONE", "EXIT", "ZOMBI") else "running"
            )
            found.append(JobState(job, name, phase, word, "" if node == "-" else node, "" if reason == "-" else reason))
    return found


# ------------------------------------------------------------------ Grid Engine


def _sge_lines(a: Asked) -> list[str]:
    lines = [f"-N {a.name}", "-cwd", "-j y", f"-o {JOB_LOG}", "-r n", "-S /bin/sh"]
    lines += [f"-pe smp {a.cores}"] if a.cores > 1 else []
    lines += [f"-l h_rt={_clock(a.minutes)}"] if a.minutes else []
    lines += [f"-l h_vmem={a.memory_mb}M"] if a.memory_mb else []
    lines += [f"-q {a.partition}"] if a.partition else []
    lines += [f"-P {a.account}"] if a.account else []
    return [f"#$ {line}" for line in lines]


def _read_sge(text: str) -> list[JobState]:
    """Of “qstat -xml”: the table for people cuts names."""
    start = text.find("<?xml")
    try:
        root = ElementTree.fromstring(text[max(start, 0) :])
    except ElementTree.ParseError:
        return []
    found = []
    for entry in root.iter("job_list"):
        word, node = entry.findtext("state", ""), entry.findtext("queue_name", "").rpartition("@")[2]
        phase: Phase = "running" if any(c in word for c in "rt") else "queued"
        reason = "it is in an error state" if "E" in word else ""
        found.append(
            JobState(entry.findtext("JB_job_number", ""), entry.findtext("JB_name", ""), phase, word, node, reason)
        )
    return found


# ------------------------------------------------------------------ no queue


def _read_processes(text: str) -> list[JobState]:
    """Of “ps”: the wrapper's command line ends in its token."""
    found = []
    for line in text.splitlines():
        match = re.match(r"\s*(\d+)\s+\S*sh job\.sh (\S+)$", line)
        if match:
            found.append(JobState(match[1], match[2], "running", "RUNNING"))
    return found


_PROCESSES = 'ps -u "$(id -u)" -o pid= -o args='

TABLE: dict[QueueName, Queue] = {
    "slurm": Queue(
        directives=_slurm_lines,
        submit="sbatch --parsable job.sh",
        job_id=re.compile(r"^(\d+)(?:;\S+)?$", re.MULTILINE),
        states="squeue -h -t all -u \"$(id -un)\" -o '%i|%j|%T|%N|%r'",
        read=_read_slurm,
        cancel=lambda name, job: f'scancel -u "$(id -un)" --name={name}',
    ),
    "pbs": Queue(
        directives=_pbs_lines,
        submit="qsub job.sh",
        job_id=re.compile(r"^(\d+(?:\[\])?\.\S+|\d+)$", re.MULTILINE),
        states='jobs=$(qselect -u "$(id -un)") && { [ -z "$jobs" ] || qstat -f $jobs; }',
        read=_read_pbs,
        cancel=lambda name, job: f'jobs=$(qselect -N {name} -u "$(id -un)") && {{ [ -z "$jobs" ] || qdel $jobs; }}',
    ),
    "lsf": Queue(
        directives=_lsf_lines,
        submit="bsub < job.sh",
        job_id=re.compile(r"^Job <(\d+)> is submitted", re.MULTILINE),
        states="bjobs -a -noheader -o \"jobid job_name stat exec_host exit_reason delimiter='|'\" 2>&1 || "
        "{ bjobs -a 2>&1 | grep -q 'No job found'; }",
        read=_read_lsf,
        cancel=lambda name, job: f"bkill -J {name} 0 2>&1 | grep -v 'No match' || true",
    ),
    "sge": Queue(
        directives=_sge_lines,
        submit="qsub -terse job.sh",
        job_id=re.compile(r"^(\d+)$", re.MULTILINE),
        states='qstat -u "$(id -un)" -xml',
        read=_read_sge,
        cancel=lambda name, job: f"qdel {name} 2>&1 | grep -v 'does not exist' || true",
    ),
    "": Queue(
        directives=lambda a: [],
        submit="nohup sh job.sh {name} >job.log 2>&1 </dev/null & echo $!",
        job_id=re.compile(r"^(\d+)$", re.MULTILINE),
        states=_PROCESSES,
        read=_read_processes,
        cancel=lambda name, job: f"for p in $({_PROCESSES} | sed -n 's/^ *\\([0-9]*\\) .*sh job.sh {name}$/\\1/p'); do "
        "kill $p; done",
    ),
}
