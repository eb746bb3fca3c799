"""The start of the packed application on Linux: modules from its two files, before and after those of folders."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

BUNDLE = Path(__file__).resolve().parents[2] / "packaging" / "bundle"
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="another start on other systems")
Run = Callable[[str], str]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """What a program prints that starts with a package of two modules, one of them in the second file."""
    monkeypatch.syspath_prepend(str(BUNDLE))
    import module_archive

    folder = tmp_path / "application"
    folder.mkdir()
    sources = {
        "parcel": ("import re; NUMBER = re.compile('[0-9]+(?P<rest>x)', 2)", True),
        "parcel.first": ("def f(): pass", False),
        "dataclasses": (Path(dataclasses.__file__).read_text(encoding="utf-8"), False),
        "parcel.other": ("from . import first\nhere = __file__", False),
            }
    codes: dict[str, Any] = {name: (compile(text, name, "exec"), package) for name, (text, package) in sources.items()}
    codes["bare"] = (None, True)
    patterns = {("[0-9]+(?P<rest>x)", 2): (34, [*_code()], 1, {"rest": 1}, (None, "rest"))}
    functions = {text: compile(text, "<string>", "exec") for text in _texts()}
    assert functions
    start = {"modules": ["parcel", "parcel.first", "dataclasses"], "patterns": patterns, "functions": functions}
    libraries = {"speedy": ("lib/speedy.so", None, False)}
    module_archive.write(folder, codes, libraries, start)

    def of(program: str) -> str:
        begin = f"import runpy, sys; sys._MEIPASS = {str(folder)!r}\n"
        start = f"runpy.run_path({str(BUNDLE / 'start.py')!r}, run_name='__main__')\n"
        command = [sys.executable, "-I", "-S", "-c", begin + start + program]
        done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    return of


CLASS = "from dataclasses import make_dataclass; made = make_dataclass('Made', [('a', int)], frozen=True)"


def _texts() -> list[str]:
    """What dataclasses write for that class, as the packing notes it."""
    texts: list[str] = []

    def note(text: str, names: dict[str, Any], into: dict[str, Any]) -> None:
        texts.append(text)
        exec(text, names, into)  # noqa: S102

    dataclasses.exec = note  # type: ignore[attr-defined]
    try:
        exec(CLASS, {})  # noqa: S102
    finally:
        del dataclasses.exec  # type: ignore[attr-defined]
    return texts


def _code() -> list[int]:
    """What “[0-9]+(?P<rest>x)” comes to, as the packing notes it."""
    import re._compiler as compiler
    import re._parser as parser

    return [int(c) for c in compiler._code(parser.parse("[0-9]+(?P<rest>x)", 2), 2)]  # type: ignore[attr-defined]


def test_modules_come_from_both_files_with_the_paths_that_they_would_have(run: Run, tmp_path: Path) -> None:
    said = run(
        "import parcel.other, bare\n"
        "print(parcel.other.here, parcel.first.f.__code__.co_filename, *bare.__path__, parcel.__path__[0])"
    )
    folder = tmp_path / "application"
    wanted = [folder / "parcel" / "other.py", folder / "parcel" / "first.py", folder / "bare", folder / "parcel"]
    assert said.split() == [str(path) for path in wanted]


def test_a_regular_expression_that_was_worked_out_is_as_any_other(run: Run) -> None:
    said = run("from parcel import NUMBER; print(NUMBER.search('ab12X')['rest'], NUMBER.flags, NUMBER.pattern)")
    assert said == "X 34 [0-9]+(?P<rest>x)"


def test_a_dataclass_whose_functions_were_compiled_is_as_any_other(run: Run) -> None:
    said = run(
        f"{CLASS}\nimport dataclasses\n"
        "other = dataclasses.make_dataclass('Other', [('b', int), ('c', str, 'x')])\n"
        "print(made(3), made(3) == made(3), hash(made(3)) == hash(made(3)), other(4))\n"
        "try:\n    made(3).a = 4\nexcept dataclasses.FrozenInstanceError as error:\n    print(error)"
    )
    assert said.split("\n") == ["Made(a=3) True True Other(b=4, c='x')", "cannot assign to field 'a'"]


def test_a_library_is_found_by_its_name_and_what_is_nowhere_is_not_found(run: Run, tmp_path: Path) -> None:
    said = run(
        "from importlib.util import find_spec\n"
        "print(find_spec('speedy').origin, find_spec('parcel.nowhere'), find_spec('nowhere'), find_spec('json').origin)"
    )
    origin, *none, json = said.split()
    assert origin == str(tmp_path / "application" / "lib" / "speedy.so")
    assert none == ["None", "None"]
    assert json.endswith("json/__init__.py")


def test_a_folder_that_is_put_first_goes_before_what_is_packed(run: Run, tmp_path: Path) -> None:
    """So the CUDA build of PyTorch is imported in the place of the packed one, whole."""
    (tmp_path / "elsewhere" / "parcel").mkdir(parents=True)
    (tmp_path / "elsewhere" / "parcel" / "__init__.py").write_text("")
    (tmp_path / "elsewhere" / "parcel" / "first.py").write_text("mine = True")
    said = run(
        f"sys.path.insert(0, {str(tmp_path / 'elsewhere')!r})\nimport parcel.first\nprint(parcel.first.mine)\n"
        "try:\n    import parcel.other\nexcept ImportError:\n    print('not mixed')"
    )
    assert said.split("\n") == ["True", "not mixed"]
