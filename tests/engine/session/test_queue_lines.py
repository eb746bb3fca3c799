"""More lines for the scheduler: each queue's own notation, and nothing that would break the following of jobs."""

from __future__ import annotations

import pytest

from bayescope.engine.clusters.queues import TABLE, Asked
from bayescope.engine.session.profiles import Profile, check
from bayescope.engine.session.queue_lines import MOST_LETTERS, MOST_LINES, QueueName, check_lines, marked

GOOD: dict[QueueName, tuple[str, ...]] = {
    "slurm": (
        "--qos=long", "#SBATCH --gres=gpu:1", '--constraint="intel&gpu|amd"', "--mail-type=END,FAIL", "--mail-user=a@b.org",
        "--mem-per-cpu=2G", "--time-min=10", "--ntasks=4", "--exclusive", "-C gpu", "--nice=100", "-N 2", "--export=NONE",
        "--exclude=n1", "--wait-all-nodes=1", "# sbatch --licenses=abc",
    ),
    "pbs": ("-l select=1:ncpus=4:ngpus=1", "-l place=excl", "-m abe", "-M me@x.org", "-P proj", "-p 100", "#PBS -V"),
    "lsf": ('-R "rusage[mem=100]"', '-gpu "num=1"', "-u me@x.org", "-N", "-app x", "-Jd words", "#BSUB -x", "-sla a"),
    "sge": ("-l gpu=1", "-m bea", "-M me@x.org", "-pe orte 8", "#$ -V", "-p -5"),
}  # fmt: skip
FIELDS: dict[QueueName, tuple[str, ...]] = {
    "slurm": ("--partition=x", "-p x", "-px", "--part=x", "--mem=3", "-t 5", "-c 3", "-A mine", "--qos=a --time=3"),
    "pbs": ("-q x", "-A mine", "-l walltime=1:00", "-l ncpus=1,walltime=3"),
    "lsf": ("-q x", "-W 1:0", "-M 3", "-n 4", "-P x"),
    "sge": ("-q x", "-l h_rt=1", "-l gpu=1,h_rt=3", "-P x"),
}
OURS: dict[QueueName, tuple[str, ...]] = {
    "slurm": (
        "--job-name=x", "-J x", "--job-n=x", "-o f", "--output f", "--array=1-3", "-a 1", "-s -J x", "--wrap=x", "--requeue",
        "--qos=a -J b", "--chdir=/", "-D /", "--hold", "-sJx", "--clusters=b",
    ),
    "pbs": ("-N x", "-J 1-3", "-t 1-3", "-o x", "-W block=true", "-r y"),
    "lsf": ("-J x", "-Jx", "-o x", "-oo x", "-K", "-Is", "-cwd /", "-H", "-r"),
    "sge": ("-N x", "-cwd", "-t 1-3", "-sync y", "-@ file", "-S /bin/bash", "-j n"),
}  # fmt: skip
TRICKS = (
    "--qos=a\n#SBATCH -J b", "--qos=a\rid", "--qos=$(id)", "--qos=`id`", '--comment="a', "--qos=a; id", "--qos=a\\",
    "--qos=a\x0bb", "--qos=a\u2028id", "module load x", "qos=long", "-", "--", "#SBATCH", "--qos=" + MOST_LETTERS * "a",
)  # fmt: skip


@pytest.mark.parametrize("queue", GOOD)
def test_options_of_a_queue_stand_in_the_jobs_script_in_its_own_notation(queue: QueueName) -> None:
    lines = GOOD[queue]
    assert check_lines(queue, lines) == []
    mark = {"slurm": "#SBATCH", "pbs": "#PBS", "lsf": "#BSUB", "sge": "#$"}[queue]
    written = TABLE[queue].directives(Asked("bs0123456789ab", cores=4, lines=lines))
    assert all(line.startswith(f"{mark} -") for line in written)
    assert written[-len(lines) :] == marked(queue, lines)
    assert len([line for line in written if "select=" in line or " -pe " in line]) == (queue in ("pbs", "sge"))


@pytest.mark.parametrize("queue", GOOD)
def test_what_has_a_field_or_would_lose_a_job_is_refused_with_the_reason(queue: QueueName) -> None:
    for line in FIELDS[queue]:
        assert "fields of their own" in "".join(check_lines(queue, [line])), line
    for line in OURS[queue]:
        assert "to find, follow and cancel" in "".join(check_lines(queue, [line])), line
    foreign = GOOD["pbs" if queue != "pbs" else "slurm"][-1]
    assert "another queue" in "".join(check_lines(queue, [foreign]))


@pytest.mark.parametrize("line", TRICKS)
def test_no_line_holds_a_command_or_a_second_line(line: str) -> None:
    words = check_lines("slurm", [line])
    assert len(words) == 1
    assert words[0].isprintable()
    assert check(Profile(name="box", lines=(line,))) == words


def test_lines_are_for_queues_and_few() -> None:
    assert "this place has none" in "".join(check(Profile(name="far", queue="", host="far", lines=("--qos=a",))))
    assert check_lines("", ["", "  "]) == []
    assert "At most" in "".join(check_lines("slurm", ["--qos=a"] * (MOST_LINES + 1)))
