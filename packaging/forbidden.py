"""What only one function may do, and what none may: checked over the syntax tree, in CI.

None executes or unpickles what a stranger sends. Only one starts processes for a problem, only one signs, only one makes a
permit, only one writes over an existing file, only one deletes folders, only one lets SQLite open a session.
"""

from __future__ import annotations

import ast
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MODULES = {"pickle", "cPickle", "dill", "marshal", "shelve", "cloudpickle", "joblib"}
SPELLED_OUT = {"subprocess", "os", "shutil", "sqlite3", "multiprocessing"}
CALLS = {"eval", "exec", "compile", "__import__"}
ATTRIBUTES = {("torch", "load"), ("os", "system"), ("os", "popen"), ("subprocess", "getoutput"), ("np", "fromregex")}


@dataclass(frozen=True)
class Only:
    """Calls whose dotted text ends in one of ``calls`` may stand only in ``places`` (file, or file:function)."""

    what: str
    calls: frozenset[str]
    places: frozenset[str]


def only(what: str, calls: str, *places: str) -> Only:
    return Only(what, frozenset(calls.split()), frozenset(places))


ONLY = (
    only(
        "starts a process", "Popen subprocess.run check_call check_output os.spawnv os.execv os.execvp os.posix_spawn os.fork "
        "QProcess startDetached multiprocessing.Process",
        "engine/simulator/processes.py:start",  # for a problem
        "engine/simulator/guardian.py:ensure",  # our own: ends simulators when the engine dies
        "engine/simulator/landlock.py:main",  # becomes the program that start was asked for
        "engine/session/trust/confinement.py:limits_scratch",
        "engine/session/trust/confinement.py:_bubblewrap_works",  # asks what the computer can do
        "engine/session/trust/confinement.py:can_unshare_network",
        "engine/clusters/shell.py:_started",  # /bin/sh or ssh: what it is told to start has been agreed to by run_once
        "engine/cuda/card.py:cards",  # nvidia-smi, which tells what cards there are
        "engine/cuda/trial.py:try_folder",  # our own program, which tries a build of PyTorch
        "engine/archive/apart.py:read_apart",  # our own program, which reads one file
        "engine/app/self_test.py:_start",  # our own run command, to end it
        "gui/dialogs/check_installation.py:start",  # our own self-test
        "gui/dialogs/closing.py:cancel_jobs",  # our own “where cancel”
        "gui/analysis/cuda_build.py:_run",  # our own cuda command
        "gui/analysis/export_process.py:run",  # our own export command
        "gui/analysis/engine_client.py:start",  # our own engine
    ),
    only("starts a simulator", "SimulatorProcess.start", "engine/simulator/runner.py:_start"),
    only("hands a job over", "hand_over", "engine/clusters/site.py:_follow", "engine/clusters/try_place.py:submit"),
    only("signs", "machine.sign", "engine/session/trust/consent.py:sign"),
    only("makes a permit", "Permit", "engine/session/trust/consent.py:permit_for"),
    only(
        "may write over an existing file", "os.replace os.rename os.renames shutil.move shutil.copy shutil.copyfile "
        "QFile.rename QFile.copy QSaveFile",
        "engine/session/atomic.py:put_in_place", "engine/session/atomic.py:move_aside",
        "engine/session/atomic.py:give_folder_its_name",
        "engine/session/atomic.py:_move_to_free_name",  # over an empty file that it has just made
        "engine/session/connection.py:private_copy",  # into a temporary folder of its own
        "engine/session/folders.py:_empty",  # moves what is being deleted
    ),
    only(
        "copies over a file", "shutil.copy2",
        "engine/session/replacing.py:keep", "engine/session/folders.py:_copy_ordinary",
        "engine/simulator/run_folder.py:bring_extra_files", "engine/simulator/run_folder.py:_copy_file",
    ),
    only(
        "writes a file", "write_bytes write_text savefig",
        "engine/simulator/run_folder.py:write_texts",  # a fresh run folder
        "engine/clusters/collected.py:unpack",  # into a fresh run folder
        "engine/clusters/keeping.py:bring_rest",
        "engine/simulator/runner.py:_start",
        "engine/report/figures.py:svg", "engine/report/figures.py:in_format",  # into memory
    ),
    only("deletes folders", "shutil.rmtree os.removedirs", "engine/session/folders.py:remove"),
    only(
        "opens a database", "sqlite3.connect",
        "engine/session/connection.py:attach",
        "engine/session/connection.py:in_memory",  # in memory
        "engine/session/file.py:create", "engine/session/file.py:copy_to",  # new files
        "engine/session/migrations.py:migrate",
    ),
)  # fmt: skip
PRINTS = {
    "engine/app/terminal.py:say", "engine/app/terminal.py:warn", "engine/app/import_archive.py:_progress",
    "engine/simulator/landlock.py:main",
}  # fmt: skip
WRITING_MODES = set("wax+")
OPENS_FOR_WRITING = {
    "engine/app/cli.py:_log_fault", "gui/system/crash.py:enable_fault_log",  # logs
    "engine/session/atomic.py:write", "engine/session/machine.py:_key",  # by descriptor, made just now
    "engine/simulator/streams.py:__init__",
    "engine/cuda/download.py:_more", "engine/cuda/unpack.py:_write",  # in a folder of their own
    "engine/simulator/platform_posix.py:attach",  # /proc
    "engine/session/orphans.py:join_group", "engine/session/orphans.py:end_group",  # /sys/fs/cgroup
    "engine/simulator/landlock.py:leave_network",
}  # fmt: skip


def problems(path: Path) -> list[str]:
    """Sentences about forbidden constructs in one file."""
    file = path.relative_to(ROOT).as_posix()
    found: list[str] = []

    def visit(node: ast.AST, function: str) -> None:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            function = node.name
        for words in words_about(node, f"{file}:{function}"):
            found.append(f"{file}:{getattr(node, 'lineno', 0)}: {words}")
        for child in ast.iter_child_nodes(node):
            visit(child, function)

    visit(ast.parse(path.read_text(encoding="utf-8")), "")
    return found


def words_about(node: ast.AST, place: str) -> list[str]:
    if isinstance(node, ast.Import) and any(a.name.split(".")[0] in MODULES for a in node.names):
        return ["imports a module that unpickles"]
    if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in MODULES:
        return ["imports from a module that unpickles"]
    if isinstance(node, ast.ImportFrom) and node.module in SPELLED_OUT:
        return [f"imports names from {node.module}: write {node.module}.NAME, so that this check sees it"]
    if not isinstance(node, ast.Call) or place.startswith("resources/"):  # programs of the examples
        return []
    text = ast.unparse(node.func)
    found = [problem_of_call(node)] if problem_of_call(node) else []
    for rule in ONLY:
        hit = any(text == call or text.endswith(f".{call}") for call in rule.calls)
        if hit and place not in rule.places:
            found.append(f"{rule.what} ({text}); only {', '.join(sorted(rule.places))} may")
    if text == "print" and place not in PRINTS:
        found.append("prints; use engine/app/terminal.py, which lets no text steer the terminal")
    if opens_for_writing(node, text) and place not in OPENS_FOR_WRITING:
        found.append("opens a file for writing; use engine/session/atomic.py")
    return found


def opens_for_writing(node: ast.Call, text: str) -> bool:
    if not (text in ("open", "io.open", "os.fdopen") or text.endswith(".open")):
        return False
    position = 0 if text.endswith(".open") and text != "io.open" else 1
    modes = [a for k, a in enumerate(node.args) if k == position] + [k.value for k in node.keywords if k.arg == "mode"]
    texts = [n.value for m in modes for n in ast.walk(m) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    return any(len(t) <= 3 and set(t) & WRITING_MODES for t in texts)


def problem_of_call(node: ast.Call) -> str:
    f = node.func
    if isinstance(f, ast.Name) and f.id in CALLS:
        return f"calls {f.id}()"
    if isinstance(f, ast.Attribute) and isinstance(f.value, ast.Name) and (f.value.id, f.attr) in ATTRIBUTES:
        return f"calls {f.value.id}.{f.attr}()"
    for keyword in node.keywords:
        value = keyword.value.value if isinstance(keyword.value, ast.Constant) else None
        if keyword.arg == "shell" and value is not False:
            return "passes shell="
        if keyword.arg == "allow_pickle" and value is not False:
            return "passes allow_pickle="
    return ""


def main() -> int:
    files = [p for room in ("engine", "gui", "resources") for p in sorted((ROOT / room).rglob("*.py"))]
    found = [line for path in files for line in problems(path)]
    print("\n".join(found) if found else f"forbidden calls: none in {len(files)} files")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
