"""What could run a stranger's content is nowhere in the program: checked in its source, with every other test."""

from __future__ import annotations

import ast
from pathlib import Path

from source_words import has_one_of

ROOT = Path(__file__).parents[2]
MODULES = {"pickle", "cPickle", "dill", "cloudpickle", "joblib", "shelve", "marshal", "imp"}
NAMES = {"eval", "exec", "__import__"}  # built-in ones; a dialog's .exec() is another thing
CALLS = {
    ("torch", "load"), ("torch", "save"), ("os", "system"), ("os", "popen"), ("shutil", "unpack_archive"), ("yaml", "load"),
    ("pandas", "read_pickle"), ("pd", "read_pickle"),
}  # fmt: skip
METHODS = {"extractall", "read_pickle"}  # zip-slip: no archive is ever unpacked
TAR = {("tarfile", "open"), ("tarfile", "TarFile")}  # an archive may be written, never read
LOOKED_AT = MODULES | NAMES | METHODS | {"tarfile", "shell", "allow_pickle"} | {called for _, called in CALLS}


def dangers(source: str) -> list[str]:
    """Line and words for each dangerous construct in Python source."""
    found: list[str] = []
    if not has_one_of(LOOKED_AT, source):
        return found
    for node in ast.walk(ast.parse(source)):
        words = ""
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else [node.module or ""]
            unseen = {"tarfile"} if isinstance(node, ast.ImportFrom) else set()  # calls are known by the module's name
            words = ", ".join(n for n in names if n.split(".")[0] in MODULES | unseen)
        elif isinstance(node, ast.Call):
            called = node.func
            if isinstance(called, ast.Name) and called.id in NAMES:
                words = called.id
            elif isinstance(called, ast.Attribute):
                owner = called.value.id if isinstance(called.value, ast.Name) else ""
                if (owner, called.attr) in CALLS or called.attr in METHODS:
                    words = f"{owner}.{called.attr}"
                modes = [k.value.value for k in node.keywords if k.arg == "mode" and isinstance(k.value, ast.Constant)]
                if (owner, called.attr) in TAR and modes != ["w"]:
                    words = f"{owner}.{called.attr} that is not mode=\"w\""
            for keyword in node.keywords:
                false = isinstance(keyword.value, ast.Constant) and not keyword.value.value
                if keyword.arg in ("shell", "allow_pickle") and not false:
                    words = f"{keyword.arg}=..."
        if words:
            found.append(f"line {node.lineno}: {words}")
    return found


def test_nothing_in_the_program_can_execute_what_it_reads() -> None:
    sources = [p for room in ("engine", "gui", "resources") for p in (ROOT / room).rglob("*.py")]
    assert len(sources) > 100
    assert {str(p.relative_to(ROOT)): d for p in sources if (d := dangers(p.read_text(encoding="utf-8")))} == {}


def test_the_check_sees_what_it_is_meant_to_see() -> None:
    for bad in (
        "import pickle", "from joblib import load", "eval('1')", "exec(x)", "torch.load(f)", "subprocess.run(c, shell=True)",
        "np.load(f, allow_pickle=flag)", "archive.extractall(folder)", "os.system('ls')",
        "tarfile.open(name)", "tarfile.open(name, 'w').add(x)", "tarfile.TarFile(name, mode='r')", "from tarfile import TarFile",
    ):  # fmt: skip
        assert dangers(bad), bad
    assert dangers("dialog.exec(); np.load(f, allow_pickle=False); run(c, shell=False)") == []
    assert dangers("tarfile.TarFile(fileobj=f, mode='w')") == []
