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
from ..session.queue_lines import bare, marked

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
    lines: tuple[str, ...] = ()  # more options, of the profile


class NotUnderstood(ValueError):
    """What a queue printed is no list of jobs, though it said that all is well: then nothing is known of any job."""


@dataclass(frozen=True)
class Queue:
    """Commands run in the job's folder. ``states``: of all jobs of this user, also those that have ended if the queue still
    knows them; it fails if the queue does not answer. ``read`` raises NotUnderstood. ``cancel``: with the name and number of
    a job. ``programs``: what ``submit`` and ``states`` need, for people.
    """

    programs: tuple[str, str]

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
    return Asked(
        name, whole, None if memory is None else int(memory) + 1, profile.cores, profile.partition, profile.account, profile.lines
    )


def _clock(minutes: int) -> str:
    return f"{minutes // 60}:{minutes % 60:02d}:00"


# ------------------------------------------------------------------ Slurm


def _slurm_lines(a: Asked) -> list[str]:
    lines = [f"--job-name={a.name}", f"--output={JOB_LOG}", "--no-requeue", f"--cpus-per-task={a.cores}", "--ntasks=1"]
    lines += [f"--time={_clock(a.minutes)}"] if a.minutes else []
    lines += [f"--mem={a.memory_mb}M"] if a.memory_mb else []
    lines += [f"--partition={a.partition}"] if a.partition else []
    lines += [f"--account={a.account}"] if a.account else []
    return [f"#SBATCH {line}" for line in lines] + marked("slurm", a.lines)


# reasons of Slurm that do not pass with time (squeue, “Job reason codes”)
NEVER_STARTS = re.compile(
    r"(Partition(Config|TimeLimit|NodeLimit)|BadConstraints|InvalidAccount|InvalidQOS|\w*MaxWall\w*Limit|"
    r"DependencyNeverSatisfied)$"
)
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


_PBS_CHUNKS = re.compile(r"-l ?(select|nodes)=")


def _pbs_lines(a: Asked) -> list[str]:
    lines = [f"-N {a.name}", "-S /bin/sh", "-j oe", f"-o {JOB_LOG}", "-r n"]
    if not any(_PBS_CHUNKS.match(bare(line)) for line in a.lines):  # a second choice of nodes would be refused
        lines += [f"-l select=1:ncpus={a.cores}{_pbs_memory(a)}"]
    lines += [f"-l walltime={_clock(a.minutes)}"] if a.minutes else []
    lines += [f"-q {a.partition}"] if a.partition else []
    lines += [f"-A {a.account}"] if a.account else []
    return [f"#PBS {line}" for line in lines] + marked("pbs", a.lines)


def _pbs_memory(a: Asked) -> str:
    return f":mem={a.memory_mb}mb" if a.memory_mb else ""


_PBS_WAITS, _PBS_RUNS = set("QHWTM"), set("REBSU")  # the others are F and X (OpenPBS) and C (Torque): it has ended


def _read_pbs(text: str) -> list[JobState]:
    """Of “qstat -f”: a block for each job, long values go on in lines that begin with a tab."""
    found = []
    for block in re.split(r"^Job Id: ", text.replace("\n\t", ""), flags=re.MULTILINE)[1:]:
        job, _, rest = block.partition("\n")
        cells = {k.strip(): v.strip() for k, _, v in (line.partition(" = ") for line in rest.splitlines())}
        word = cells.get("job_state", "")
        phase: Phase = "queued" if word in _PBS_WAITS else "running" if word in _PBS_RUNS else "ended"
        node = cells.get("exec_host", "").split("/")[0]
        found.append(JobState(job.strip(), cells.get("Job_Name", ""), phase, word, node, cells.get("comment", "")))
    return found


# jobs that end between the two commands make qstat fail, with the numbers of PBSE_UNKJOBID (Torque) and PBSE_HISTJOBID (OpenPBS)
_PBS_STATES = (
    'jobs=$(qselect -u "$(id -un)") && { [ -z "$jobs" ] || { qstat -f $jobs; case $? in 0|35|153) true;; *) false;; esac; }; }'
)


# ------------------------------------------------------------------ LSF


def _lsf_lines(a: Asked) -> list[str]:
    lines = [f"-J {a.name}", f"-o {JOB_LOG}", "-rn", f"-n {a.cores}", '-R "span[hosts=1]"']
    lines += [f"-W {a.minutes // 60}:{a.minutes % 60:02d}"] if a.minutes else []
    lines += [f"-M {a.memory_mb}MB"] if a.memory_mb else []
    lines += [f"-q {a.partition}"] if a.partition else []
    lines += [f"-P {a.account}"] if a.account else []
    return [f"#BSUB {line}" for line in lines] + marked("lsf", a.lines)


_LSF_WAITS, _LSF_ENDED = {"PEND", "PSUSP", "WAIT", "PROV"}, {"DONE", "EXIT", "ZOMBI"}
# without jobs it fails, and says so; LSF that is down fails with other words
_LSF_STATES = (
    "jobs=$(bjobs -a -noheader -o \"jobid job_name stat exec_host exit_reason delimiter='|'\" 2>&1); status=$?; echo \"$jobs\"; "
    "[ $status -eq 0 ] || case $jobs in *'No job found'*|*'No unfinished job found'*) true;; *) false;; esac"
)


def _read_lsf(text: str) -> list[JobState]:
    """UNKWN counts as running: its host is out of reach, and may come back."""
    found = []
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.split("|", 4)]
        if len(cells) == 5 and cells[0].isdigit():
            job, name, word, node, reason = cells
            phase: Phase = "queued" if word in _LSF_WAITS else "ended" if word in _LSF_ENDED else "running"
            host = re.sub(r"^\d+\*", "", node.split(":")[0])  # “4*hostA:hostB”
            found.append(JobState(job, name, phase, word, "" if host == "-" else host, "" if reason == "-" else reason))
    return found


# ------------------------------------------------------------------ Grid Engine


SGE_NOTICE_S = 20  # to end the program and write down how it ended


def _sge_lines(a: Asked) -> list[str]:
    lines = [f"-N {a.name}", "-cwd", "-j y", f"-o {JOB_LOG}", "-r n", "-S /bin/sh"]
    own = any(bare(line).startswith("-pe ") for line in a.lines)
    lines += [f"-pe smp {a.cores}"] if a.cores > 1 and not own else []
    # its end is told to the job a little before (SIGUSR1); without that it would just vanish
    lines += [f"-l h_rt={_clock(a.minutes)},s_rt={60 * a.minutes - SGE_NOTICE_S}"] if a.minutes else []
    lines += [f"-l h_vmem={-(-a.memory_mb // a.cores)}M"] if a.memory_mb else []  # of each slot
    lines += [f"-q {a.partition}"] if a.partition else []
    lines += [f"-P {a.account}"] if a.account else []
    return [f"#$ {line}" for line in lines] + marked("sge", a.lines)


def _read_sge(text: str) -> list[JobState]:
    """Of “qstat -xml”: the table for people cuts names. It knows only jobs that have not ended."""
    try:
        root = ElementTree.fromstring(text[max(text.find("<?xml"), 0) :])
    except ElementTree.ParseError as error:
        raise NotUnderstood(str(error)) from None
    found = []
    for entry in root.iter("job_list"):
        word, node = entry.findtext("state", ""), entry.findtext("queue_name", "").rpartition("@")[2]
        phase: Phase = "queued" if "w" in word else "running"  # r, t, s, S, T, R and d of these: it is on a node
        reason = ""
        if "E" in word:
            phase, reason = "ended", "Grid Engine could not start it (error state): “qstat -j” with its number says why."
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
        programs=("sbatch", "squeue"),
        directives=_slurm_lines,
        submit="sbatch --parsable job.sh",
        job_id=re.compile(r"^(\d+)(?:;\S+)?$", re.MULTILINE),
        states="squeue -h -t all -u \"$(id -un)\" -o '%i|%j|%T|%N|%r'",
        read=_read_slurm,
        cancel=lambda name, job: f'scancel -u "$(id -un)" --name={name}',
    ),
    "pbs": Queue(
        programs=("qsub", "qstat"),
        directives=_pbs_lines,
        submit="qsub job.sh",
        job_id=re.compile(r"^(\d+(?:\[\])?\.\S+|\d+)$", re.MULTILINE),
        states=_PBS_STATES,
        read=_read_pbs,
        cancel=lambda name, job: f'jobs=$(qselect -N {name} -u "$(id -un)") && {{ [ -z "$jobs" ] || qdel $jobs; }}',
    ),
    "lsf": Queue(
        programs=("bsub", "bjobs"),
        directives=_lsf_lines,
        submit="LSB_NTRIES=1 bsub < job.sh",  # at its limit of jobs it would wait for a minute again and again
        job_id=re.compile(r"^Job <(\d+)> is submitted", re.MULTILINE),
        states=_LSF_STATES,
        read=_read_lsf,
        cancel=lambda name, job: f"bkill -J {name} 0 2>&1 | grep -v 'No match' || true",
    ),
    "sge": Queue(
        programs=("qsub", "qstat"),
        directives=_sge_lines,
        submit="qsub -terse job.sh",
        job_id=re.compile(r"^(?:Your job )?(\d+)(?: \(.*\) has been submitted)?$", re.MULTILINE),
        states='qstat -u "$(id -un)" -xml',
        read=_read_sge,
        cancel=lambda name, job: f"qdel {name} 2>&1 | grep -v 'does not exist' || true",
    ),
    "": Queue(
        programs=("nohup", "ps"),
        directives=lambda a: [],
        submit="nohup sh job.sh {name} >job.log 2>&1 </dev/null & echo $!",
        job_id=re.compile(r"^(\d+)$", re.MULTILINE),
        states=_PROCESSES,
        read=_read_processes,
        cancel=lambda name, job: f"for p in $({_PROCESSES} | sed -n 's/^ *\\([0-9]*\\) .*sh job.sh {name}$/\\1/p'); do "
        "kill $p; done",
    ),
}
