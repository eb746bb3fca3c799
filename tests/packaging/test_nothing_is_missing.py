"""Nothing the program needs is left out of what is packed: its own packages and files, what it imports, what that reads."""

from __future__ import annotations

import glob
import importlib.util
import re
import shutil
import sys
import tomllib
from collections.abc import Iterator, Mapping
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from packaging.requirements import Requirement

from tests.packaging.test_bundle import imported

ROOT = Path(__file__).resolve().parents[2]
CONTENTS = ROOT / "packaging" / "bundle" / "contents.py"
ROOMS = ("engine", "gui", "resources")
# Python's, the compiler's and people's files; what else a package brings may be read when it computes
CODE = {".py", ".pyi", ".pyc", ".pyx", ".pxd", ".so", ".pyd", ".dll", ".dylib", ".a", ".h", ".hpp", ".c", ".cpp", ".cuh", ".cu"}
WORDS = {".md", ".txt", ".rst", ".typed", ""}
TESTS = {"test", "tests", "testing", "bin"}
OF_CUDA = ("nvidia-", "cuda-", "triton")  # come only with the build of torch for CUDA; the packed application has the other one


@pytest.fixture(scope="module")
def contents() -> ModuleType:
    spec = importlib.util.spec_from_file_location("bundle_contents", CONTENTS)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def pyproject(root: Path = ROOT) -> dict[str, Any]:
    return tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))


def installed_files(root: Path) -> set[str]:
    """What setuptools installs of the checkout at ``root``, by pyproject.toml."""
    tool = pyproject(root)["tool"]["setuptools"]
    found = set()
    for package in tool["packages"]:
        folder = root / "/".join(package.split(".")[1:])
        found |= {str(path.relative_to(root)) for path in folder.glob("*.py")}
    for package, patterns in tool["package-data"].items():
        folder = root / "/".join(package.split(".")[1:])
        names = {name for pattern in patterns for name in glob.glob(pattern, root_dir=folder, recursive=True)}
        found |= {str((folder / name).relative_to(root)) for name in names if (folder / name).is_file()}
    return found


def own_files(root: Path) -> set[str]:
    files = (path for room in ROOMS for path in (root / room).rglob("*") if path.is_file())
    return {str(p.relative_to(root)) for p in files if "__pycache__" not in p.parts and p.suffix != ".pyc"}


def left_out(root: Path, packed: ModuleType) -> set[str]:
    """Files of the program that the packed application would not have."""
    installed = installed_files(root)
    return {file for file in own_files(root) if file not in installed or not packed.packed(f"bayescope/{file}")}


def test_every_file_of_the_program_is_installed_and_packed(contents: ModuleType) -> None:
    assert left_out(ROOT, contents) == set()


@pytest.mark.parametrize(
    "added",
    ["engine/brand_new/__init__.py", "engine/cuda/table.json", "gui/style/picture.svg", "resources/help/.hidden.md"],
)
def test_a_package_or_a_file_that_nobody_listed_is_found_to_be_missing(
    tmp_path: Path, contents: ModuleType, added: str
) -> None:
    for room in ROOMS:
        shutil.copytree(ROOT / room, tmp_path / room, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    (tmp_path / added).parent.mkdir(exist_ok=True)
    (tmp_path / added).touch()
    assert left_out(tmp_path, contents) == {added}


def needed(requirements: list[str]) -> Mapping[str, metadata.Distribution]:
    """All installed distributions that ``requirements`` lead to, by name."""
    found: dict[str, metadata.Distribution] = {}
    todo = list(requirements)
    while todo:
        wanted = Requirement(todo.pop())
        name = re.sub(r"[-_.]+", "-", wanted.name).lower()
        if name in found or name.startswith(OF_CUDA) or (wanted.marker is not None and not wanted.marker.evaluate({"extra": ""})):
            continue
        found[name] = metadata.distribution(wanted.name)
        todo += found[name].requires or []
    return found


def of_the_packed_one() -> Mapping[str, metadata.Distribution]:
    project = pyproject()["project"]
    extras = project["optional-dependencies"]
    return needed([*project["dependencies"], *extras["netcdf"], *extras["tables"]])


def data_files(distribution: metadata.Distribution) -> Iterator[tuple[str, str]]:
    """(package, file) of those that are neither code nor words."""
    for file in distribution.files or ():
        inside = len(file.parts) > 1 and file.parts[0].isidentifier()
        code = file.suffix in CODE | WORDS or ".so." in file.name
        if inside and not code and not TESTS & set(file.parts):
            yield file.parts[0], str(file)


def test_what_the_program_imports_is_installed_with_it() -> None:
    ours = {name.split(".")[0] for room in ("engine", "gui") for name in imported(room)} - {"bayescope", "__future__"}
    foreign = ours - set(sys.stdlib_module_names)
    providers = metadata.packages_distributions()
    come_along = set(of_the_packed_one())
    missing = {
        name
        for name in foreign
        if not {re.sub(r"[-_.]+", "-", d).lower() for d in providers.get(name, ())} & come_along
    }
    assert {"numpy", "PySide6", "torch"} <= foreign
    assert not missing


def test_a_package_that_reads_files_of_its_own_has_them_packed(contents: ModuleType) -> None:
    found = {package: file for one in of_the_packed_one().values() for package, file in data_files(one)}
    known = {*contents.DATA_OF, *contents.DATA_ELSEWHERE, *contents.NOT_PACKED}
    assert "scipy" in found
    assert {package: file for package, file in found.items() if package not in known} == {}


def test_the_description_reads_the_lists_of_what_is_packed() -> None:
    spec = (CONTENTS.parent / "bayescope.spec").read_text(encoding="utf-8")
    for name in ("DATA_OF", "METADATA", "NOT_PACKED", "EXAMPLES", "our_modules()", "standard_library()"):
        assert f"contents.{name}" in spec
