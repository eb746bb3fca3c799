"""Each queue's commands against the output that its manual documents, and the lines of a job's script."""

from __future__ import annotations

import pytest

from bayescope.engine.clusters.attempts_live import Live
from bayescope.engine.clusters.fate import Fate, fate_of
from bayescope.engine.clusters.place import Place
from bayescope.engine.clusters.queues import TABLE, Asked, JobState, NotUnderstood, asked
from bayescope.engine.session.attempts import AttemptRecord
from bayescope.engine.session.profiles import Profile, QueueName
from clusters import why_no_slurm

ASKED = Asked("bs0123456789ab", minutes=65, memory_mb=2000, cores=4, partition="long", account="p42")

# man squeue, format %i|%j|%T|%N|%r
SLURM = """12|bs0123456789ab|PENDING||Resources
13|bsaaaaaaaaaaaa|RUNNING|n[1-2]|None
14|bsbbbbbbbbbbbb|NODE_FAIL|n1|NodeDown
15|a|b|c|d|e
slurm_load_jobs error: nothing
"""
# PBS Professional user's guide, “qstat -f”
PBS = """Job Id: 16.south
    Job_Name = bs0123456789ab
    Job_Owner = barney@south.mydomain.com
    job_state = Q
    comment = Not Running: Insufficient amount of resource:
\t ncpus
    Variable_List = PBS_O_HOME=/u/barney,PBS_O_LANG=en_US.UTF-8,
\tPBS_O_LOGNAME=barney
Job Id: 17.south
    Job_Name = bsaaaaaaaaaaaa
    job_state = R
    exec_host = mars/0*4
Job Id: 18.south
    Job_Name = bsbbbbbbbbbbbb
    job_state = F
"""
# LSF reference, “bjobs -o "jobid job_name stat exec_host exit_reason delimiter='|'" -noheader”
LSF = """1234|bs0123456789ab|PEND|-|-
1235|bsaaaaaaaaaaaa|RUN|hostA|-
1236|bsbbbbbbbbbbbb|EXIT|hostB|TERM_RUNLIMIT: job killed after reaching LSF run time limit
"""
# Grid Engine, “qstat -xml”
SGE = """<?xml version='1.0'?>
<job_info  xmlns:xsd="http://www.w3.org/2001/XMLSchema">
  <queue_info>
    <job_list state="running">
      <JB_job_number>44</JB_job_number><JAT_prio>0.55</JAT_prio><JB_name>bsaaaaaaaaaaaa</JB_name>
      <JB_owner>me</JB_owner><state>r</state><queue_name>all.q@node7.cluster</queue_name><slots>1</slots>
    </job_list>
  </queue_info>
  <job_info>
    <job_list state="pending">
      <JB_job_number>43</JB_job_number><JB_name>bs0123456789ab</JB_name><state>qw</state><queue_name></queue_name>
    </job_list>
  </job_info>
</job_info>
"""
# ps -o pid= -o args=
PROCESSES = """  101 sh job.sh bsaaaaaaaaaaaa
  102 grep sh job.sh bsaaaaaaaaaaaa x
 4103 /bin/sh job.sh bsbbbbbbbbbbbb
"""


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("slurm", SLURM, {"bs0123456789ab": "queued", "bsaaaaaaaaaaaa": "running", "bsbbbbbbbbbbbb": "ended", "a": "ended"}),
        ("pbs", PBS, {"bs0123456789ab": "queued", "bsaaaaaaaaaaaa": "running", "bsbbbbbbbbbbbb": "ended"}),
        ("lsf", LSF, {"bs0123456789ab": "queued", "bsaaaaaaaaaaaa": "running", "bsbbbbbbbbbbbb": "ended"}),
        ("sge", SGE, {"bs0123456789ab": "queued", "bsaaaaaaaaaaaa": "running"}),
        ("", PROCESSES, {"bsaaaaaaaaaaaa": "running", "bsbbbbbbbbbbbb": "running"}),
    ],
)
def test_the_states_of_jobs_are_read_as_the_manual_shows_them(name, text: str, expected: dict[str, str]) -> None:
    found = {state.name: state.phase for state in TABLE[name].read(text)}
    assert found == expected


def of_state(name: QueueName, word: str) -> JobState:
    """A job in that state, printed as its queue prints it."""
    text = {
        "slurm": f"12|bs0123456789ab|{word}|n1|None\n",
        "pbs": f"Job Id: 16.south\n    Job_Name = bs0123456789ab\n    job_state = {word}\n    queue = workq\n\n",
        "lsf": f"12|bs0123456789ab|{word}|hostA|-\n",
        "sge": f"<?xml version='1.0'?>\n<job_info><job_info><job_list state='x'><JB_job_number>12</JB_job_number>"
        f"<JB_name>bs0123456789ab</JB_name><state>{word}</state><queue_name></queue_name></job_list></job_info></job_info>",
        "": "",
    }[name]
    (state,) = TABLE[name].read(text)
    return state


@pytest.mark.parametrize(
    ("name", "phase", "words"),
    [
        ("slurm", "queued", "PENDING CONFIGURING REQUEUED REQUEUE_HOLD REQUEUE_FED SPECIAL_EXIT RESV_DEL_HOLD"),
        ("slurm", "running", "RUNNING COMPLETING SUSPENDED STAGE_OUT STOPPED SIGNALING RESIZING"),
        ("slurm", "ended", "BOOT_FAIL CANCELLED COMPLETED DEADLINE FAILED NODE_FAIL OUT_OF_MEMORY PREEMPTED REVOKED TIMEOUT"),
        ("pbs", "queued", "Q H W T M"),
        ("pbs", "running", "R E B S U"),
        ("pbs", "ended", "F X C"),  # C: Torque
        ("lsf", "queued", "PEND PSUSP WAIT PROV"),
        ("lsf", "running", "RUN USUSP SSUSP UNKWN"),
        ("lsf", "ended", "DONE EXIT ZOMBI"),
        # qstat(1) of Grid Engine: pending, held, with restarts; running, transferring, suspended, being deleted
        ("sge", "queued", "qw hqw hRwq Rqw"),
        ("sge", "running", "r t Rr Rt s ts S tS T tT Rs Rts RS RT dr dt dRr dRt ds dS dT"),
        ("sge", "ended", "Eqw Ehqw EhRqw"),
    ],
)
def test_every_state_of_the_manual_is_waiting_running_or_over(name: QueueName, phase: str, words: str) -> None:
    assert {word: of_state(name, word).phase for word in words.split()} == dict.fromkeys(words.split(), phase)


@pytest.mark.parametrize(
    ("name", "state", "log", "limit", "words"),
    [
        ("slurm", "OUT_OF_MEMORY", "", True, "more memory"),
        ("slurm", "TIMEOUT", "", True, "time"),
        ("slurm", "NODE_FAIL", "", False, "node fail"),
        ("pbs", "F", "=>> PBS: job killed: walltime 3650 exceeded limit 3600\n", True, "time"),
        ("pbs", "F", "=>> PBS: job killed: mem 2097152kb exceeded limit 1048576kb\n", True, "more memory"),
        ("pbs", "C", "=>> PBS: job killed: vmem job total 4323312 kb exceeded limit 3145728 kb\n", True, "more memory"),
        ("lsf", "EXIT", "TERM_MEMLIMIT: job killed after reaching LSF memory usage limit.\n", True, "memory"),
        ("lsf", "EXIT", "TERM_RUNLIMIT: job killed after reaching LSF run time limit.\n", True, "time"),
        ("lsf", "EXIT", "TERM_OWNER: job killed by owner.\n", False, "vanished"),
        ("sge", "Eqw", "", False, "could not start it"),
    ],
)
def test_why_a_job_ended_is_read_from_what_its_queue_says(
    name: QueueName, state: str, log: str, limit: bool, words: str
) -> None:
    place = Place(Profile(name="box", queue=name))
    record = AttemptRecord("bs0123456789ab", 0, "00000:1", 0, "{}", "bs0123456789ab")
    live = Live(record, state=of_state(name, state))
    fate = fate_of(place, record, live, None, {"job.log": (log.encode(), 0.0)})
    assert isinstance(fate, Fate)
    assert fate.limit == limit
    assert words in fate.words


def test_the_reason_that_lsf_gives_in_its_list_counts_as_its_report_does() -> None:
    live = Live(AttemptRecord("bsbbbbbbbbbbbb", 0, "00000:1", 0, "{}", "x"), state=TABLE["lsf"].read(LSF)[2])
    fate = fate_of(Place(Profile(name="box", queue="lsf")), live.record, live, None, {})
    assert fate is not None
    assert fate.limit


def test_nodes_and_reasons_are_read_where_they_stand() -> None:
    slurm = {s.name: s for s in TABLE["slurm"].read(SLURM)}
    waiting, running = slurm["bs0123456789ab"], slurm["bsaaaaaaaaaaaa"]
    assert (waiting.reason, running.node, running.reason) == ("Resources", "n[1-2]", "")
    pbs = {s.name: s for s in TABLE["pbs"].read(PBS)}
    assert pbs["bs0123456789ab"].reason == "Not Running: Insufficient amount of resource: ncpus"
    assert (pbs["bsaaaaaaaaaaaa"].job, pbs["bsaaaaaaaaaaaa"].node) == ("17.south", "mars")
    assert "RUNLIMIT" in TABLE["lsf"].read(LSF)[2].reason
    assert TABLE["sge"].read(SGE)[0].node == "node7.cluster"
    assert TABLE["lsf"].read("7|bsaaaaaaaaaaaa|RUN|4*hostA:2*hostB|-\n")[0].node == "hostA"
    for name, queue in TABLE.items():
        if name != "sge":
            assert queue.read("error: cannot connect to server\n\n") == []
    with pytest.raises(NotUnderstood):
        TABLE["sge"].read("error: cannot connect to server\n\n")


@pytest.mark.parametrize(
    ("name", "printed", "job"),
    [
        ("slurm", "sbatch: warning: you asked for much\n4711\n", "4711"),
        ("slurm", "4711;cluster2\n", "4711"),
        ("pbs", "1234.south.mydomain.com\n", "1234.south.mydomain.com"),
        ("lsf", "Job <930> is submitted to queue <normal>.\n", "930"),
        ("lsf", "Job <12> is submitted to default queue <normal>.\n", "12"),
        ("pbs", "1234\n", "1234"),
        ("pbs", "1234[].south\n", "1234[].south"),
        ("pbs", "qsub: Unknown queue\n", None),
        ("sge", "44\n", "44"),
        ("sge", "Your job 1 (\"x\") has been submitted\n", "1"),
        ("sge", 'Unable to run job: unknown queue "nowhere".\nExiting.\n', None),
        ("slurm", "sbatch: error: Batch job submission failed: Invalid partition name specified\n", None),
        ("lsf", "No such queue. Job not submitted.\n", None),
    ],
)
def test_the_number_of_a_job_is_what_its_queue_prints(name, printed: str, job: str | None) -> None:
    found = TABLE[name].job_id.findall(printed)
    assert (found[-1] if found else None) == job


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("slurm", ["--job-name=bs0123456789ab", "--time=1:05:00", "--mem=2000M", "--partition=long", "--account=p42"]),
        ("pbs", ["-N bs0123456789ab", "-l walltime=1:05:00", "ncpus=4:mem=2000mb", "-q long", "-A p42", "-r n", "-S /bin/sh"]),
        ("lsf", ["-J bs0123456789ab", "-W 1:05", "-M 2000MB", "-q long", "-P p42", "-n 4", "span[hosts=1]"]),
        ("sge", ["-N bs0123456789ab", "-l h_rt=1:05:00,s_rt=3880", "-l h_vmem=500M", "-q long", "-P p42", "-pe smp 4"]),
    ],
)
def test_a_job_asks_its_queue_for_what_the_place_says(name, lines: list[str]) -> None:
    script = "\n".join(TABLE[name].directives(ASKED))
    for line in lines:
        assert line in script


def test_time_and_memory_left_out_are_a_little_more_than_the_simulators_limits() -> None:
    profile = Profile(name="p")
    found = asked(profile, "x", 3600.0, 1000.0)
    assert (found.minutes, found.memory_mb) == (65, 1265)
    assert asked(profile, "x", None, None) == Asked("x")
    chosen = Profile(name="p", minutes=10.0, memory_mb=50.0)
    assert (asked(chosen, "x", 3600.0, 1000.0).minutes, asked(chosen, "x", 3600.0, 1000.0).memory_mb) == (10, 51)


def test_the_reason_for_skipping_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr("clusters._path", lambda: "/nowhere")
    assert "slurm-wlm and munge are not installed" in why_no_slurm()
