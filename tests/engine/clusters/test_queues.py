"""Each queue's commands against the output that its manual documents, and the lines of a job's script."""

from __future__ import annotations

import pytest

from bayescope.engine.clusters.queues import TABLE, Asked, asked
from bayescope.engine.session.profiles import Profile
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


def test_nodes_and_reasons_are_read_where_they_stand() -> None:
    slurm = {s.name: s for s in TABLE["slurm"].read(SLURM)}
    waiting, running = slurm["bs0123456789ab"], slurm["bsaaaaaaaaaaaa"]
    assert (waiting.reason, running.node, running.reason) == ("Resources", "n[1-2]", "")
    pbs = {s.name: s for s in TABLE["pbs"].read(PBS)}
    assert pbs["bs0123456789ab"].reason == "Not Running: Insufficient amount of resource: ncpus"
    assert (pbs["bsaaaaaaaaaaaa"].job, pbs["bsaaaaaaaaaaaa"].node) == ("17.south", "mars")
    assert "RUNLIMIT" in TABLE["lsf"].read(LSF)[2].reason
    assert TABLE["sge"].read(SGE)[0].node == "node7.cluster"
    for queue in TABLE.values():
        assert queue.read("error: cannot connect to server\n\n") == []


@pytest.mark.parametrize(
    ("name", "printed", "job"),
    [
        ("slurm", "sbatch: warning: you asked for much\n4711\n", "4711"),
        ("slurm", "4711;cluster2\n", "4711"),
        ("pbs", "1234.south.mydomain.com\n", "1234.south.mydomain.com"),
        ("lsf", "Job <930> is submitted to queue <normal>.\n", "930"),
        ("sge", "44\n", "44"),
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
        ("pbs", ["-N bs0123456789ab", "-l walltime=1:05:00", "ncpus=4:mem=2000mb", "-q long", "-A p42", "-r n"]),
        ("lsf", ["-J bs0123456789ab", "-W 1:05", "-M 2000MB", "-q long", "-P p42", "-n 4"]),
        ("sge", ["-N bs0123456789ab", "-l h_rt=1:05:00", "-l h_vmem=2000M", "-q long", "-P p42", "-pe smp 4"]),
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
