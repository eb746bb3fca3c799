"""What is written for Windows, macOS, the workflow and installation without root, as far as a Linux can check it."""

from __future__ import annotations

import ast
import os
import plistlib
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

from tests.packaging.test_bundle import script  # noqa: F401 - a fixture

ROOT = Path(__file__).resolve().parents[2]
BUNDLE = ROOT / "packaging" / "bundle"
WORKFLOW = (ROOT / ".github" / "workflows" / "bundle.yml").read_text(encoding="utf-8")
ISS = BUNDLE / "windows" / "bayescope.iss"
SHELL = (BUNDLE / "linux" / "install-for-me.sh", BUNDLE / "macos" / "make_dmg.sh", BUNDLE / "windows" / "try_in_wine.sh")
PARAMETERS = {  # of an entry, by section: Inno Setup's help, "Parameters in sections"
    "Tasks": {"Name", "Description", "Flags"},
    "InstallDelete": {"Type", "Name"},
    "Files": {"Source", "DestDir", "Flags"},
    "Icons": {"Name", "Filename", "Parameters", "Tasks"},
    "Registry": {"Root", "Subkey", "ValueType", "ValueName", "ValueData", "Tasks", "Check", "Flags"},
    "Run": {"Filename", "Description", "Flags"},
}
Load = Callable[[str], ModuleType]


def entries() -> Iterator[tuple[str, dict[str, str]]]:
    """(section, parameters) of the lines of the Windows installer's script."""
    section = ""
    for line in ISS.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            section = line.strip("[]")
        elif section in PARAMETERS and line and not line.startswith(";"):
            yield section, {k: v.strip('"') for k, v in re.findall(r'(\w+): ("(?:[^"]|"")*"|[^;]+)(?:;|$)', line)}


def programs_on_windows() -> set[str]:
    """Names of the programs that bayescope.spec makes, but those of the examples."""
    tree = ast.parse((BUNDLE / "bayescope.spec").read_text(encoding="utf-8"))
    calls = [n for n in ast.walk(tree) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id == "EXE"]
    names = [k.value.value for c in calls for k in c.keywords if k.arg == "name" and isinstance(k.value, ast.Constant)]
    return {f"{name}.exe" for name in names}


def test_the_windows_installer_knows_its_sections_and_names_what_the_folder_has() -> None:
    found = list(entries())
    assert {section for section, _ in found} == set(PARAMETERS)
    for section, parameters in found:
        assert set(parameters) <= PARAMETERS[section], (section, parameters)
        assert all(parameters.values()), (section, parameters)
    named = set(re.findall(r"\{app\}\\([\w-]+\.exe)", ISS.read_text(encoding="utf-8")))
    command = (BUNDLE / "windows" / "bayescope.cmd").read_text(encoding="utf-8")
    named |= set(re.findall(r"\.\.\\([\w-]+\.exe)", command))
    assert named == programs_on_windows() == {"bayescope.exe", "bayescope-console.exe"}


def test_every_name_that_the_windows_installer_expects_is_given_and_every_file_is_there() -> None:
    text = ISS.read_text(encoding="utf-8")
    build = (BUNDLE / "build.py").read_text(encoding="utf-8")
    given = set(re.findall(r"/D(\w+)=", build)) | {"SourcePath"}
    assert set(re.findall(r"\{#(\w+)\}", text)) <= given
    for path in re.findall(r"\{#SourcePath\}\\([^\"\s;]+)", text):
        assert (ISS.parent / path.replace("\\", "/")).exists(), path
    assert r"bayescope.ico" in text
    assert "bayescope-{#Version}-setup" in text
    assert "*-setup.exe" in WORKFLOW
    tasks = {p["Name"] for section, p in entries() if section == "Tasks"}
    assert {p["Tasks"] for _, p in entries() if "Tasks" in p} == tasks


def test_windows_and_linux_know_the_same_file_type() -> None:
    ours = [p for section, p in entries() if section == "Registry"]
    assert ours[0]["Subkey"].endswith(r"\.bayescope")
    kind = ours[0]["ValueData"]
    assert {p["Subkey"].split("\\")[2] for p in ours[1:4]} == {kind}
    assert '*.bayescope"' in (BUNDLE / "linux" / "bayescope.xml").read_text(encoding="utf-8")


def test_what_macos_is_told_can_be_written_and_names_one_file_type(script: Load) -> None:  # noqa: F811
    told = script("metadata").MACOS_INFO
    assert plistlib.loads(plistlib.dumps(told)) == told
    (document,), (exported,) = told["CFBundleDocumentTypes"], told["UTExportedTypeDeclarations"]
    assert document["LSItemContentTypes"] == [exported["UTTypeIdentifier"]]
    assert exported["UTTypeTagSpecification"]["public.filename-extension"] == document["CFBundleTypeExtensions"] == ["bayescope"]
    entitlements = plistlib.loads((BUNDLE / "macos" / "entitlements.plist").read_bytes())
    assert entitlements
    assert all(name.startswith("com.apple.security.cs.") and value is True for name, value in entitlements.items())


@pytest.mark.parametrize("file", SHELL, ids=lambda p: p.name)
def test_the_shell_scripts_are_well_formed(file: Path) -> None:
    assert os.access(file, os.X_OK) or file.name != "make_dmg.sh", "build.py calls it by its name"
    done = subprocess.run(["sh", "-n", str(file)], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("secrets", [{}, {"SIGN_IDENTITY": "Somebody, Inc", "NOTARY_PROFILE": "mine"}], ids=["plain", "signed"])
def test_the_disk_image_is_asked_for_with_apples_tools(tmp_path: Path, secrets: dict[str, str]) -> None:
    """Stand-ins write down how they are called: Apple's own exist on a Mac only."""
    tools, log = tmp_path / "tools", tmp_path / "log"
    tools.mkdir()
    for name in ("codesign", "hdiutil", "xcrun"):
        tool = tools / name
        tool.write_text(f'#!/bin/sh\nprintf "%s" {name} >> "$LOG"\nfor a; do printf "|%s" "$a" >> "$LOG"; done\necho >> "$LOG"\n')
        tool.chmod(0o755)
    app, image = tmp_path / "a b" / "Bayescope.app", tmp_path / "out put.dmg"
    (app / "Contents").mkdir(parents=True)
    (app / "Contents" / "x y.dylib").touch()
    given = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "LOG": str(log), **secrets}
    subprocess.run([BUNDLE / "macos" / "make_dmg.sh", app, "0.1.0", image], check=True, env=given, timeout=60)
    calls = [line.split("|") for line in log.read_text().splitlines()]
    assert [c[0] for c in calls] == (["codesign"] * 3 + ["hdiutil"] + ["xcrun"] * 2 if secrets else ["hdiutil"])
    made = next(c for c in calls if c[0] == "hdiutil")
    assert made[1:4] == ["create", "-volname", "Bayescope 0.1.0"]
    assert made[-1] == str(image)
    assert not Path(made[made.index("-srcfolder") + 1]).exists(), "what was put together is deleted"
    if secrets:
        assert calls[0][-1] == str(app / "Contents" / "x y.dylib"), "libraries first"
        assert calls[1][-1] == str(app)
        assert all(c[c.index("--sign") + 1] == secrets["SIGN_IDENTITY"] for c in calls[:2])


@pytest.mark.skipif(os.name != "posix", reason="for Linux")
def test_installed_for_one_user_it_is_in_the_menu_and_removed_nothing_is_left(tmp_path: Path) -> None:
    folder, home = tmp_path / "some folder" / "bayescope-0.1.0", tmp_path / "home"
    for name in ("applications/bayescope.desktop", "mime/packages/bayescope.xml"):
        target = folder / "share" / name
        target.parent.mkdir(parents=True)
        shutil.copy(BUNDLE / "linux" / target.name, target)
    shutil.copy(SHELL[0], folder)
    (folder / "bayescope").write_text("#!/bin/sh\necho started\n")
    (folder / "bayescope").chmod(0o755)
    mine = home / ".local" / "share" / "applications" / "mine.desktop"
    mine.parent.mkdir(parents=True)
    mine.touch()
    given = {"HOME": str(home), "PATH": "/usr/bin:/bin"}
    subprocess.run(["sh", folder / SHELL[0].name], check=True, env=given, capture_output=True, timeout=60)
    entry = (mine.parent / "bayescope.desktop").read_text()
    assert f'Exec="{folder}/bayescope" %F' in entry
    assert f"TryExec={folder}/bayescope" in entry
    started = subprocess.run([home / ".local/bin/bayescope"], capture_output=True, text=True, check=True, env=given)
    assert started.stdout == "started\n"
    subprocess.run(["sh", folder / SHELL[0].name, "--remove"], check=True, env=given, capture_output=True, timeout=60)
    left = [p.name for p in home.rglob("*") if not p.is_dir() and "cache" not in p.name and p.parent.name != "mime"]
    assert left == ["mine.desktop"]


def test_the_workflow_calls_commands_that_exist_and_keeps_what_they_make(script: Load) -> None:  # noqa: F811
    developer = (ROOT / "packaging" / "dev.py").read_text(encoding="utf-8")
    commands = set(re.findall(r"packaging/dev\.py (\w+)", WORKFLOW))
    assert commands == {"bundle", "setup"}
    assert all(f'"{command}"' in developer for command in commands)
    for path in re.findall(r"(packaging/bundle/\w+\.py)", WORKFLOW):
        assert (ROOT / path).exists()
    assert {"*.deb", "*.tar.zst", "*-setup.exe", "*.dmg"} == set(re.findall(r"build/bundle/(\*[\w.-]+)", WORKFLOW))
    dist = script("build").FOLDER.relative_to(ROOT)
    assert f"{dist}\\bayescope-console.exe self-test".replace("/", "\\") in WORKFLOW
    assert f"{dist.parent}/Bayescope.app/Contents/MacOS/bayescope self-test" in WORKFLOW
    assert 'tags: ["v*"]' in WORKFLOW
    assert "workflow_dispatch:" in WORKFLOW
    assert "\t" not in WORKFLOW


def test_the_workflow_and_this_projects_own_job_install_the_same_system_packages() -> None:
    own = (ROOT / ".ci" / "bundle").read_text(encoding="utf-8")
    wanted = r"\b(lib[\w-]+\d|xvfb|xdotool|mmdebstrap|dpkg-dev|zstd|appstream|binutils)\b"
    assert set(re.findall(wanted, own)) == set(re.findall(wanted, WORKFLOW))
