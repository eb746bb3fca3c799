"""The two shell scripts of a job: ``program.sh`` starts the user's program, ``job.sh`` watches over it and says how it ended.

In a job's folder, all but the last made before the job is handed over:

    job.sh program.sh stdin texts/   filled templates
    cancel                           made when it is wanted no more
    setting_up                       not empty while the set-up lines are at work: they may end the shell
    program_at                       when they were done
    greetings.txt                    what the login's start-up files and the set-up lines printed
    claim/                           made by the first job of this name that starts, or by us when it may start no more
    started.json                     when, where, as which job
    run/                             the run folder; its two streams have the names they have here
    files.txt stale.txt exit.json    what lies in run/, which outputs were not written by this run, how it ended: last, by rename
"""

from __future__ import annotations

import shlex
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..simulator.run_folder import MAX_LISTED, STDERR, STDOUT

OLD_STAMP = "200001010000"  # of files that were there before the run; see stale.txt
SET_UP_S = 600  # that set-up lines may take beside the time limit of a run
SETUP_FAILED, MISSING, NOT_ALLOWED, FULL = "set-up", "missing", "not allowed", "full"


@dataclass(frozen=True)
class Extra:
    """A file or folder of the store, put into the run folder as ``target``."""

    stored: str  # absolute path there
    target: str
    link: bool = False
    changed: float | None = None  # unix time: the store knows contents only, and one content may have many dates


@dataclass(frozen=True)
class Watched:
    """Limits that the job keeps itself. None or 0: none."""

    seconds: float | None
    memory_mb: float | None
    output_mb: float
    files_mb: float


def program_script(
    arguments: Sequence[str], environment: Mapping[str, str], setup: Sequence[str], login: bool
) -> str:
    """``login``: a shell that knows “module” and the like; without set-up lines nobody needs one.

    Then the program's output goes where descriptor 3 goes: start-up files and set-up lines may greet people on the other.
    """
    first = "#!/bin/bash -l" if login else "#!/bin/sh"
    lines = [first, 'bayescope_here=$PWD; echo 1 >../setting_up'] if login else [first]
    for line in setup:
        if line.strip() and not line.lstrip().startswith("#"):
            said = shlex.quote(f"The set-up line “{line.strip()}” failed.")
            # eval: what is wrong with a line is wrong with that line
            lines += [f"eval {shlex.quote(line)}"]
            lines += [f"[ $? -eq 0 ] || {{ echo {said} >&2; echo {SETUP_FAILED} >../why; exit 120; }}"]
    lines += ['cd "$bayescope_here" || exit; unset bayescope_here'] if login else []
    lines += ["date +%s%N >../program_at 2>/dev/null || :; : >../setting_up; exec >&3 3>&-"] if login else []
    lines += [f"export {name}={shlex.quote(text)}" for name, text in environment.items()]
    program = shlex.quote(arguments[0])
    lines += [
        f"if ! command -v {program} >/dev/null 2>&1; then",
        f"    if [ -e {program} ]; then echo {NOT_ALLOWED} >../why; else echo {MISSING} >../why; fi; exit 127",
        "fi",
        "exec " + shlex.join(arguments),
        "",
    ]
    return "\n".join(lines)


def job_script(
    directives: Sequence[str], folder: str, extras: Sequence[Extra], texts: Sequence[str], sources: Sequence[str],
    watched: Watched, *, has_stdin: bool, login: bool,
) -> str:  # fmt: skip
    """``texts``: names of filled templates; ``sources``: files that outputs and failure rules are read from."""
    quoted = " ".join(shlex.quote(name) for name in sources)
    values = {
        "folder": shlex.quote(folder),
        "limit_ms": "" if watched.seconds is None else str(max(1, round(1000 * watched.seconds))),
        "memory_kb": "" if watched.memory_mb is None else str(round(watched.memory_mb * 1e6 / 1024)),
        "output_bytes": str(int(watched.output_mb * 1e6)),
        "files_kb": str(round(watched.files_mb * 1e6 / 1024)),
        "stdin": "../stdin" if has_stdin else "/dev/null",
        "shell": "'/bin/bash -l'" if login else "/bin/sh",
        "greetings": "../greetings.txt" if login else "",
    }
    head = ["#!/bin/sh", *directives, *(f"{name}={text}" for name, text in values.items())]
    prepare = ["prepare() {", "mkdir -p run || return"]
    for extra in extras:
        stored, target = shlex.quote(extra.stored), shlex.quote(f"run/{extra.target}")
        copy = "ln -s" if extra.link else "cp -RpP"
        prepare += [f'mkdir -p "$(dirname {target})" && rm -rf {target} && {copy} {stored} {target} || return']
        prepare += [] if extra.link else [f"chmod -R u+w {target} || return"]
        if extra.changed is not None and not extra.link:
            stamp = time.strftime("%Y%m%d%H%M.%S", time.gmtime(extra.changed))
            prepare += [f"TZ=UTC0 touch -t {stamp} {target} || return"]
    for name in texts:
        text, target = shlex.quote(f"texts/{name}"), shlex.quote(f"run/{name}")
        prepare += [f'mkdir -p "$(dirname {target})" && rm -f {target} && cp {text} {target} || return']
        prepare += [f'case "$(head -c 2 {target})" in "#!") chmod a+x {target} || return ;; esac']  # a script can be started
    prepare += [
        f"for name in {quoted}; do", '    [ -e "run/$name" ] || continue',
        f'    touch -h -t {OLD_STAMP} "run/$name"; echo "$name" >>before.txt', "done", "}",
    ]  # fmt: skip
    return "\n".join([*head, *prepare, _BODY])


# POSIX sh, with what every Linux has besides (setsid, fractions of a second in sleep) where it is there
_BODY = f"""
cd "$folder" || exit 1
mkdir claim 2>/dev/null || exit 0
unset BAYESCOPE_RUN BAYESCOPE_ENGINE
to_ms() {{ case $1 in *N) now=${{1%N}}000;; *) now=${{1%??????}};; esac; }}  # sets now
ms() {{ to_ms "$(date +%s%N)"; }}
ms ; began=$now
node=$(hostname 2>/dev/null || uname -n)
job=${{SLURM_JOB_ID:-${{PBS_JOBID:-${{LSB_JOBID:-${{JOB_ID:-$$}}}}}}}}
printf '{{"at_ms": %s, "node": "%s", "job": "%s"}}\\n' "$began" "${{SLURMD_NODENAME:-$node}}" "$job" >started.part
mv started.part started.json
child= ; ended=
finish() {{  # code
    full=
    head -c 4096 /dev/zero >probe 2>/dev/null || full=1
    rm -f room probe
    [ -n "$full" ] && [ "$1" -ne 0 ] && [ ! -s why ] && echo {FULL} >why
    [ -s setting_up ] && [ ! -s why ] && echo {SETUP_FAILED} >why
    why=
    [ -f why ] && why=$(cat why)
    set_up=0
    if [ -s program_at ]; then to_ms "$(cat program_at)"; set_up=$((now - began)); fi
    ms
    (cd run && find . -type f ! -name {STDOUT} ! -name {STDERR} -exec wc -c {{}} \\; 2>/dev/null) |
        head -n {MAX_LISTED} >files.txt
    [ -f before.txt ] && while IFS= read -r name; do
        [ -n "$(find "run/$name" -prune -newer old 2>/dev/null)" ] || echo "$name"
    done <before.txt >stale.txt
    printf '{{"code": %s, "why": "%s", "ms": %s, "left": %s, "set_up": %s}}\\n' \\
        "$1" "$why" "$((now - began))" "${{left:-0}}" "$set_up" >exit.part
    mv exit.part exit.json
}}
stop() {{  # end the program, first by asking
    [ -n "$child" ] || return
    kill -TERM "-$child" 2>/dev/null || kill -TERM "$child" 2>/dev/null
    for i in 1 2 3 4 5 6 7 8 9 10; do kill -0 "$child" 2>/dev/null || break; sleep 0.1; done
    kill -KILL "-$child" 2>/dev/null || kill -KILL "$child" 2>/dev/null
}}
ended_from_outside() {{ [ -f why ] || echo terminated >why; ended=1; stop; }}
trap ended_from_outside TERM INT HUP USR1 USR2 XCPU
touch -t 200001020000 old
head -c 16384 /dev/zero >room 2>/dev/null  # how it ended can be written where the program has filled the disk
if ! prepare >prepare.log 2>&1; then echo prepare >why; finish 1; exit 1; fi
watch() {{
    pause=50 ; last_files=$began ; longest=2000 ; set_up_ms={1000 * SET_UP_S}
    [ -n "$memory_kb" ] && longest=500
    while kill -0 "$child" 2>/dev/null; do
        if [ "$set_up_ms" -gt 0 ] && [ -s program_at ]; then to_ms "$(cat program_at)"; began=$now; set_up_ms=0; fi
        ms ; broken=
        if [ -n "$limit_ms" ]; then
            rest=$((began + limit_ms - now))
            [ -n "$greetings" ] && rest=$((rest + set_up_ms))  # until the set-up lines are done
            [ "$rest" -le 0 ] && broken=time
            [ "$rest" -gt 0 ] && [ "$rest" -lt "$pause" ] && pause=$rest
        fi
        if [ -z "$broken" ]; then
            large=$(find run/{STDOUT} run/{STDERR} -size +"$output_bytes"c 2>/dev/null)
            [ -n "$large" ] && large=${{large%%"
"*}} && broken="output ${{large#run/}}"
        fi
        [ -e cancel ] && broken=cancelled
        if [ -z "$broken" ] && [ -n "$memory_kb" ]; then
            used=$(ps -s "$child" -o rss= 2>/dev/null | awk '{{s += $1}} END {{print s + 0}}')
            [ "$used" -gt "$memory_kb" ] && broken="memory $used"
        fi
        if [ -z "$broken" ] && [ "$((now - last_files))" -gt 5000 ]; then
            last_files=$now
            [ "$(du -sk run | cut -f1)" -gt "$files_kb" ] && broken=files
        fi
        if [ -n "$broken" ]; then echo "$broken" >why; stop; return; fi
        rest=$((1000 + pause % 1000)) ; sleep "$((pause / 1000)).${{rest#1}}"
        pause=$((pause + pause / 2)) ; [ "$pause" -gt "$longest" ] && pause=$longest
    done
}}
ms ; began=$now
: >run/{STDOUT} ; : >run/{STDERR}
alone=setsid
command -v setsid >/dev/null 2>&1 || alone=
begin() {{
    cd run || exit
    [ -z "$greetings" ] || exec $alone $shell ../program.sh <$stdin 3>{STDOUT} >"$greetings" 2>{STDERR}
    exec $alone $shell ../program.sh <$stdin >{STDOUT} 2>{STDERR}
}}
begin &
child=$!
watch &
watcher=$!
[ -n "$ended" ] && stop
while :; do
    wait "$child" ; code=$?
    kill -0 "$child" 2>/dev/null || break
done
kill "$watcher" 2>/dev/null
left=0
if kill -KILL "-$child" 2>/dev/null; then left=1; fi
for stream in {STDOUT} {STDERR}; do
    if [ "$(wc -c <run/$stream)" -gt "$output_bytes" ]; then
        [ -f why ] || echo "output $stream" >why
        head -c "$output_bytes" run/$stream >cut && cat cut >run/$stream ; rm -f cut
    fi
done
if [ ! -f why ] && [ "$(du -sk run | cut -f1)" -gt "$files_kb" ]; then echo files >why; fi
finish "$code"
"""
