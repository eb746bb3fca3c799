"""PBS, LSF and Grid Engine as far as their manuals tell what six of their commands print, over jobs that really run.

Called under the name of a command (qsub, qselect, qstat, qdel, bsub, bjobs, bkill) with FAKE_QUEUE (pbs, lsf, sge) and
FAKE_QUEUE_FOLDER set.
Sources: OpenPBS qsub(1B), qstat(1B), qselect(1B); IBM Spectrum LSF bsub, bjobs, bkill; Grid Engine qsub(1), qstat(1), qdel(1).
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

KIND = os.environ.get("FAKE_QUEUE", "")
PREFIX = {"pbs": "#PBS ", "lsf": "#BSUB ", "sge": "#$ "}
NUMBER = {"pbs": "PBS_JOBID", "lsf": "LSB_JOBID", "sge": "JOB_ID"}


def folder() -> Path:
    return Path(os.environ["FAKE_QUEUE_FOLDER"])


def jobs() -> list[dict[str, str]]:
    """In order of their numbers; “over”: the status with which it ended."""
    found = []
    for path in sorted(folder().glob("*.json"), key=lambda p: int(p.stem)):
        job = json.loads(path.read_text())
        end = path.with_suffix(".end")
        found.append({**job, "number": path.stem, "over": end.read_text().strip() if end.exists() else ""})
    return found


def name_of(number: str) -> str:
    return f"{number}.south.mydomain.com" if KIND == "pbs" else number


def submit(arguments: list[str]) -> int:
    text = sys.stdin.read() if KIND == "lsf" else Path(arguments[-1]).read_text()
    asked = [line.removeprefix(PREFIX[KIND]) for line in text.splitlines() if line.startswith(PREFIX[KIND])]

    def option(letter: str, default: str = "") -> str:
        return next((line.split(None, 1)[1] for line in asked if line.split()[0] == letter), default)

    if option("-q") == "nowhere":
        print({"pbs": "qsub: Unknown queue", "lsf": "nowhere: No such queue. Job not submitted.",
               "sge": 'Unable to run job: Job was rejected because job requests unknown queue "nowhere".'}[KIND],
              file=sys.stderr)  # fmt: skip
        return 1
    for attempt in range(1, 10_000):
        path = folder() / f"{attempt}.json"
        try:
            with path.open("x") as file:
                json.dump({"name": option("-J" if KIND == "lsf" else "-N")}, file)
            break
        except FileExistsError:
            continue
    script = path.with_suffix(".sh")
    script.write_text(text)
    where = os.path.expanduser("~") if KIND == "pbs" else os.getcwd()
    log = Path(os.getcwd(), option("-o", "log"))
    environment = {**os.environ, NUMBER[KIND]: name_of(path.stem)}
    pid, part, end = (path.with_suffix(suffix) for suffix in (".pid", ".part", ".end"))
    run = f'trap : TERM; echo $$ >{pid}; sh "{script}"; echo $? >{part}; mv {part} {end}'
    with log.open("wb") as stream:
        subprocess.Popen(
            ["sh", "-c", run], cwd=where, env=environment, stdin=subprocess.DEVNULL, stdout=stream, stderr=stream,
            start_new_session=True,
        )  # fmt: skip
    print(f"Job <{path.stem}> is submitted to default queue <normal>." if KIND == "lsf" else name_of(path.stem))
    return 0


def cancel(names: list[str]) -> int:
    """By number or by name."""
    status = 0
    for name in names:
        found = [j for j in jobs() if not j["over"] and name in (name_of(j["number"]), j["name"])]
        for job in found:
            pid = int((folder() / f"{job['number']}.pid").read_text())
            os.killpg(pid, signal.SIGTERM)
        if not found:
            status = 1
            none = {"pbs": f"qdel: Unknown Job Id {name}", "sge": f'denied: job "{name}" does not exist'}
            print(none.get(KIND, "No matching job found"))
    return status


def qselect(arguments: list[str]) -> int:
    wanted = arguments[arguments.index("-N") + 1] if "-N" in arguments else None
    for job in jobs():
        if not job["over"] and wanted in (None, job["name"]):
            print(name_of(job["number"]))
    return 0


def qstat_f(names: list[str]) -> int:
    known, status = {name_of(j["number"]): j for j in jobs()}, 0
    for name in names:
        job = known.get(name)
        if job is None:
            print(f"qstat: Unknown Job Id {name}", file=sys.stderr)
            status = 153
        elif job["over"]:
            print(f"qstat: {name} Job has finished, use -x or -H to obtain historical job information", file=sys.stderr)
            status = 35
        else:
            print(f"Job Id: {name}\n    Job_Name = {job['name']}\n    Job_Owner = me@south.mydomain.com\n    job_state = R\n"
                  "    queue = workq\n    exec_host = mars/0*1\n    Variable_List = PBS_O_HOME=/home/me,PBS_O_LANG=en_US.UTF-8,\n"
                  "\tPBS_O_LOGNAME=me\n")  # fmt: skip
    return status


def qstat_xml() -> int:
    running = "".join(
        f'    <job_list state="running">\n      <JB_job_number>{j["number"]}</JB_job_number>\n'
        f'      <JAT_prio>0.55500</JAT_prio>\n'
        f'      <JB_name>{j["name"]}</JB_name>\n      <JB_owner>me</JB_owner>\n      <state>r</state>\n'
        f'      <queue_name>all.q@node7.cluster</queue_name>\n      <slots>1</slots>\n    </job_list>\n'
        for j in jobs() if not j["over"]
    )  # fmt: skip
    print("<?xml version='1.0'?>\n<job_info  xmlns:xsd=\"http://www.w3.org/2001/XMLSchema\">\n"
          f"  <queue_info>\n{running}  </queue_info>\n"
          "  <job_info>\n  </job_info>\n</job_info>")  # fmt: skip
    return 0


def bjobs() -> int:
    found = jobs()
    if not found:
        print("No job found", file=sys.stderr)
        return 255
    for job in found:
        state = "RUN" if not job["over"] else "DONE" if job["over"] == "0" else "EXIT"
        print(f"{job['number']}|{job['name']}|{state}|hostA|-")
    return 0


def main() -> int:
    command, arguments = Path(sys.argv[0]).name, sys.argv[1:]
    if command in ("qsub", "bsub"):
        return submit(arguments)
    if command in ("qdel", "bkill"):
        return cancel([a for a in arguments if re.fullmatch(r"bs\w+|bp\w+|[\d.]+\S*", a) and a != "0"])
    if command == "qselect":
        return qselect(arguments)
    if command == "bjobs":
        return bjobs()
    return qstat_f(arguments[1:]) if KIND == "pbs" else qstat_xml()


def install(bin_folder: Path, kind: str) -> None:
    """Commands of that queue in ``bin_folder``, with jobs kept beside it."""
    bin_folder.mkdir()
    kept = bin_folder.with_name(f"{bin_folder.name}-jobs")
    kept.mkdir()
    names = {"pbs": "qsub qstat qselect qdel", "lsf": "bsub bjobs bkill", "sge": "qsub qstat qdel"}[kind]
    for name in names.split():
        file = bin_folder / name
        file.write_text(
            f"#!{sys.executable} -IS\nimport os, sys\n"
            f"os.environ |= {{'FAKE_QUEUE': {kind!r}, 'FAKE_QUEUE_FOLDER': {str(kept)!r}}}\n"
            f"sys.path.insert(0, {str(Path(__file__).parent)!r})\nimport fake_queue\nsys.exit(fake_queue.main())\n"
        )
        file.chmod(0o755)


if __name__ == "__main__":
    sys.exit(main())
