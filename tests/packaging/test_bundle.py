"""The description of the packed application, checked without building it; packaging/bundle/prove.py proves the built one."""

from __future__ import annotations

import ast
import configparser
import importlib.util
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import pytest

from bayescope.engine.problem import bundled
from bayescope.engine.report.export import versions
from bayescope.engine.session.schema import APPLICATION_ID

ROOT = Path(__file__).resolve().parents[2]
BUNDLE = ROOT / "packaging" / "bundle"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    monkeypatch.syspath_prepend(str(BUNDLE))
    known = set(sys.modules)

    def load(name: str) -> ModuleType:
        spec = importlib.util.spec_from_file_location(name, BUNDLE / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
        return module

    yield load
    for name in set(sys.modules) - known:
        if not name.startswith("bayescope"):
            del sys.modules[name]


def statements(source: str) -> Iterator[ast.stmt]:
    """Those of ``source``, inside of others too; what they are made of takes most of the time to walk through."""
    todo: list[ast.AST] = [ast.parse(source)]
    while todo:
        for part in ast.iter_child_nodes(todo.pop()):
            if isinstance(part, ast.stmt):
                yield part
            if isinstance(part, ast.stmt | ast.ExceptHandler | ast.match_case):
                todo.append(part)


@cache
def imported(room: str) -> set[str]:
    """Dotted names that the sources of ``room`` import, wherever in them."""
    found = set()
    for path in (ROOT / room).rglob("*.py"):
        for node in statements(path.read_text(encoding="utf-8")):
            if isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def test_nothing_that_is_left_out_is_imported_by_the_program(script) -> None:
    contents = script("contents")
    ours = {name for room in ("engine", "gui") for name in imported(room)}
    top = {name.split(".")[0] for name in ours}
    assert not top & {name for name in contents.NOT_PACKED if "." not in name}
    qt = {name.split(".")[1] for name in ours if name.startswith("PySide6.Qt")}
    assert qt
    assert qt <= set(contents.QT_USED)
    assert not [m for m in qt if any(word in m for word in contents.QT_NOT_PACKED)]


def test_every_module_of_the_program_and_the_whole_standard_library_are_packed(script) -> None:
    contents = script("contents")
    ours = set(contents.our_modules())
    assert {"bayescope.gui.pages.results.page", "bayescope.engine.app.worker", "bayescope.engine"} <= ours
    files = {p for room in ("engine", "gui") for p in (ROOT / room).rglob("*.py")}
    assert len([name for name in ours if not name.startswith("bayescope.resources")]) == len(files)
    library = set(contents.standard_library())
    assert {"fileinput", "pydoc", "xml.dom.minidom", "concurrent.futures.process", "ctypes.util"} <= library
    assert not library & {"tkinter", "test.support", "ensurepip"}


@pytest.mark.parametrize(
    ("file", "goes_in"),
    [
        ("scipy/stats/_sobol_direction_numbers.npz", True),
        ("bayescope/resources/examples/ricker/problem.json", True),
        ("torch/lib/libtorch_cpu.so", True),
        ("torch/bin/torch_shm_manager", True),
        ("torch/bin/protoc", False),
        ("torch/include/ATen/ATen.h", False),
        ("torch/testing/_internal/common_utils.py", True),
        ("pandas/tests/io/data.csv", False),
        ("PySide6/Qt/lib/libQt6Widgets.so.6", True),
        ("PySide6/Qt/lib/libQt6Quick.so.6", False),
        ("PySide6/Qt/plugins/platforms/libqxcb.so", True),
        ("PySide6/Qt/plugins/platforms/libqwayland.so", True),
        ("PySide6/Qt/plugins/platforms/libqeglfs.so", False),
        ("PySide6/Qt/plugins/platformthemes/libqgtk3.so", False),
        ("PySide6/Qt/plugins/iconengines/libqsvgicon.so", True),
        ("PySide6/Qt/translations/qtbase_de.qm", False),
        ("PySide6\\plugins\\platforms\\qwindows.dll", True),
        ("libstdc++.so.6", False),
        ("libfreetype.so.6", False),
        ("pillow.libs/libfreetype-57f805ba.so.6.20.6", True),
        ("libxcb-cursor.so.0", True),
    ],
)
def test_a_file_that_was_collected_goes_in_or_stays_out(script, file: str, goes_in: bool) -> None:
    assert script("contents").packed(file) is goes_in


def test_the_examples_programs_and_the_reported_versions_are_in_the_description(script) -> None:
    contents = script("contents")
    assert dict(bundled.PROGRAMS.values()) == contents.EXAMPLES
    assert {name.lower() for name in versions()} - {"python", "system"} <= {name.lower() for name in contents.METADATA}


def test_what_is_packed_is_what_is_pinned(script) -> None:
    build = script("build")
    assert build.TORCH.split("+")[0] in PROJECT["dependencies"]
    assert {package.split(">")[0] for extra in ("netcdf", "tables") for package in PROJECT["optional-dependencies"][extra]} <= {
        line.split("==")[0] for line in (ROOT / "packaging" / "constraints.txt").read_text().splitlines()
    }


def test_a_library_that_only_a_left_out_plugin_needed_is_not_reached(script) -> None:
    reached = script("libraries").reached
    wanted = {"qxcb": ["xcb", "Qt6Gui"], "Qt6Gui": ["glib"], "glib": ["pcre"], "pcre": ["glib"], "gtk": ["cairo"]}
    assert reached(wanted, ["qxcb"]) == {"qxcb", "xcb", "Qt6Gui", "glib", "pcre"}


def test_desktop_entry_file_type_and_software_centre_name_the_same_things(script) -> None:
    entry = configparser.ConfigParser(interpolation=None)
    entry.optionxform = str  # type: ignore[assignment,method-assign]
    entry.read(BUNDLE / "linux" / "bayescope.desktop", encoding="utf-8")
    mime = ElementTree.parse(BUNDLE / "linux" / "bayescope.xml").getroot()
    files, metadata = script("linux_files"), script("metadata")
    told = metadata.releases(metadata.NEWS.read_text(encoding="utf-8"))
    about = ElementTree.fromstring(files.metainfo(told))
    kind = mime[0].get("type")
    assert entry["Desktop Entry"]["MimeType"].strip(";") == kind == about.findtext("provides/mediatype")
    assert entry["Desktop Entry"]["Exec"].endswith(" %F")
    assert kind.replace("/", "-") == files.MIME
    space = "{http://www.freedesktop.org/standards/shared-mime-info}"
    inner = mime.find(f".//{space}match/{space}match")
    assert inner is not None
    assert inner.get("offset") == "68"
    assert inner.get("value", "").encode() == APPLICATION_ID.to_bytes(4, "big")
    assert about.find("releases")[0].get("version") == PROJECT["version"] == told[0].version  # type: ignore[index]


def test_the_news_of_every_version_are_read(script) -> None:
    later = "## 0.2.0 (2027-01-02)\n\n- **One** thing\n  goes on.\n- Another.\n\n"
    text = f"# What is new\n\n{later}## 0.1.0 (2026-11-23)\n\n- First.\n"
    found = script("metadata").releases(text)
    assert [(r.version, r.date, r.changes) for r in found] == [
        ("0.2.0", "2027-01-02", ("One thing goes on.", "Another.")), ("0.1.0", "2026-11-23", ("First.",))
    ]  # fmt: skip


def test_the_changelog_is_in_debians_form(script) -> None:
    text = script("linux_files").changelog(script("metadata").releases("## 0.2.0 (2027-01-02)\n\n- " + "word " * 30))
    first, _, *changes, _, signed = text.splitlines()
    assert first == "bayescope (0.2.0) stable; urgency=medium"
    assert changes[0].startswith("  * word")
    assert all(len(line) <= 78 for line in changes)
    assert re.fullmatch(r" -- .+ <.+>  Sat, 02 Jan 2027 00:00:00 \+0000", signed)


def test_the_manual_page_tells_of_every_command_and_harms_no_dash(script) -> None:
    manual = script("manual")
    page = manual.page()
    for name, _ in manual.commands(manual.command_parser()):
        assert rf"\fB{manual.plain(name)}\fR" in page
    assert r"self\-test" in page
    assert not re.search(r"(?m)^\.(?!TH|SH|TP|RS|RE|B |I |br)", page)
    assert manual.plain(".hidden") == r"\&.hidden"


@pytest.mark.skipif(shutil.which("desktop-file-validate") is None, reason="no desktop-file-validate")
def test_the_desktop_entry_is_valid() -> None:
    done = subprocess.run(
        ["desktop-file-validate", BUNDLE / "linux" / "bayescope.desktop"], capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (0, "")
