"""Linux: the two files of modules that start.py reads, and what a start imports.

``module_archive.py FILE FOLDER``, run with the environment's Python, shows the window off screen, and writes into FILE what was
imported until its first page was there, with the regular expressions that this made; into FOLDER the modules that PySide
otherwise unpacks and compiles at every start.
"""

from __future__ import annotations

import marshal
import sys
import zlib
from collections.abc import Iterable, Mapping
from importlib.machinery import EXTENSION_SUFFIXES, ModuleSpec, SourceFileLoader
from importlib.util import find_spec
from pathlib import Path
from types import CodeType
from typing import Any

from start import FIRST, LENGTH_BYTES, OTHERS

LIBRARY = "python3.11/lib-dynload/".replace("3.11", f"{sys.version_info.major}.{sys.version_info.minor}")
SUPPORT = "shiboken6/files.dir"  # where PySide looks for its own modules before it unpacks them
NOTED = ("patterns", "functions")
Entry = tuple[str, tuple[int, int, bool] | None, bool]  # file in the application, place in the archive, whether it is a package


def extensions(binaries: Iterable[tuple[str, str, str]]) -> dict[str, Entry]:
    """Modules that are libraries, of PyInstaller's table of them."""
    found: dict[str, Entry] = {}
    for target, _, kind in binaries:
        suffix = next((s for s in EXTENSION_SUFFIXES if target.endswith(s)), "")
        if kind == "EXTENSION" and suffix:
            name = target.removeprefix(LIBRARY).removesuffix(suffix).replace("/", ".")
            found[name] = (target, None, False)
    return found


Codes = dict[str, tuple[CodeType | None, bool]]  # None: a folder of modules; whether it is a package


def codes(pure: list[tuple[str, str, str]], also: Iterable[str], support: Path) -> Codes:
    """Of the modules in PyInstaller's table ``pure``, of ``also`` where they lie in the standard library, and of ``support``."""
    from PyInstaller.building.utils import get_code_object
    from PyInstaller.config import CONF

    known = CONF["code_cache"].get(id(pure)) or {}
    found: Codes = {}
    for name, source, _ in pure:
        if source in ("-", None):
            found[name] = (None, True)
        else:
            found[name] = (known.get(name) or get_code_object(name, source, optimize=0), Path(source).stem == "__init__")
    for name in set(also) - set(found):
        spec = _of_the_library(name)
        if spec is not None and isinstance(spec.loader, SourceFileLoader):  # else it is frozen in Python or built into it
            found[name] = (get_code_object(name, spec.origin, optimize=0), spec.submodule_search_locations is not None)
    for path in sorted(support.rglob("*.py")):
        name = ".".join(path.relative_to(support).with_suffix("").parts).removesuffix(".__init__")
        found[name] = (get_code_object(name, str(path), optimize=0), path.stem == "__init__")
    return found


def _of_the_library(name: str) -> ModuleSpec | None:
    """Of a module of the standard library that can be found by its name."""
    if name.partition(".")[0] not in sys.stdlib_module_names:
        return None
    try:
        return find_spec(name)
    except (ImportError, ValueError):  # typing.io and the like are made by another module
        return None


def write(folder: Path, codes: Codes, libraries: dict[str, Entry], start: dict[str, Any]) -> None:
    """Both files into ``folder``. ``start``: what ``main`` wrote."""
    first = {name for name in start["modules"] if name in codes}
    tops = sorted({name.partition(".")[0] for name in codes})
    _write(folder / FIRST, {n: codes[n] for n in sorted(first)}, False, libraries, start, tops)
    _write(folder / OTHERS, {n: codes[n] for n in sorted(set(codes) - first)}, True, {}, {}, [])


def _write(
    target: Path, codes: Mapping[str, tuple[CodeType | None, bool]], packed: bool, libraries: dict[str, Entry],
    start: dict[str, Any], tops: list[str],
) -> None:  # fmt: skip
    modules, parts, at = dict(libraries), [], 0

    def put(what: Any) -> tuple[int, int, bool]:
        nonlocal at
        data = marshal.dumps(what)
        parts.append(zlib.compress(data, 9) if packed else data)
        at += len(parts[-1])
        return at - len(parts[-1]), len(parts[-1]), packed

    for name, (code, package) in codes.items():
        file = name.replace(".", "/")
        if name.startswith("shibokensupport"):
            file = f"{SUPPORT}/{file}"
        file += "" if code is None else "/__init__.py" if package else ".py"
        modules[name] = (file, None if code is None else put(code), package)
    noted = {what: put(start[what]) for what in NOTED if what in start}
    table = marshal.dumps({"modules": modules, "tops": set(tops), **noted})
    target.write_bytes(len(table).to_bytes(LENGTH_BYTES, "little") + table + b"".join(parts))


def note_patterns() -> dict[Any, Any]:
    """From here on every regular expression that is worked out, by text and flags, with what it comes to."""
    import _sre
    import re
    import re._compiler as compiler

    re.purge()
    found: dict[Any, Any] = {}
    work_out = compiler.compile

    class Noting:
        """In the place of the module ``_sre``."""

        def __getattr__(self, name: str) -> Any:
            return getattr(_sre, name)

        def compile(self, *words: Any) -> Any:
            self.last = words
            return _sre.compile(*words)

    noting = Noting()
    compiler._sre = noting  # type: ignore[attr-defined]

    def compile(pattern: Any, flags: int = 0) -> Any:
        made = work_out(pattern, flags)
        if type(pattern) in (str, bytes):
            _, all_flags, code, groups, names, numbers = noting.last
            found[pattern, int(flags)] = (int(all_flags), [int(c) for c in code], int(groups), dict(names), tuple(numbers))
        return made

    compiler.compile = compile  # type: ignore[assignment]
    return found


def note_functions() -> dict[str, CodeType]:
    """From here on the functions of every dataclass that is made, by their text."""
    import dataclasses

    found: dict[str, CodeType] = {}

    def compiled(text: str, names: dict[str, Any], into: dict[str, Any]) -> None:
        found[text] = compile(text, "<string>", "exec")
        exec(found[text], names, into)  # noqa: S102 - as dataclasses themselves do

    dataclasses.exec = compiled  # type: ignore[attr-defined]
    return found


def show_window() -> None:
    """All that people wait for: the window with its first page, and a command."""
    from bayescope.engine.app.command_line import command_parser
    from bayescope.gui.system import crash, display, one_application  # noqa: F401
    from bayescope.gui.window.app import make_application
    from bayescope.gui.window.windows import Windows

    command_parser()
    app = make_application([])
    windows = Windows(app)
    windows.take(one_application.Request())
    window = windows.open_ones[0]
    while not window.current:
        app.processEvents()


def main(arguments: list[str]) -> int:
    patterns, functions = note_patterns(), note_functions()
    import bayescope.gui.__main__  # noqa: F401

    show_window()
    support = sys.modules["shibokensupport.feature"].__loader__
    support.zfile.extractall(arguments[1], [n for n in support.zfile.namelist() if n.startswith("shibokensupport/")])  # type: ignore[union-attr]
    Path(arguments[0]).write_bytes(marshal.dumps({"modules": sorted(sys.modules), "patterns": patterns, "functions": functions}))
    sys.stdout.flush()
    return 0


if __name__ == "__main__":
    code = main(sys.argv[1:])
    import os

    os._exit(code)  # nothing is to be asked or saved
