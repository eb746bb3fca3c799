"""What goes into the packed application and what stays out. Read by bayescope.spec and by the fast check of it.

Only whole packages are left out: numpy, scipy and torch reach into corners of the standard library and of themselves by name.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("engine", "gui", "resources")

# Installed because something we need asks for them, never imported by it in what we do; tests/packaging proves none is ours
NOT_PACKED = (
    "sklearn", "joblib", "narwhals", "networkx", "jinja2", "markupsafe", "dask", "distributed", "cloudpickle",
    "tkinter", "_tkinter", "turtle", "turtledemo", "idlelib", "lib2to3", "ensurepip", "setuptools", "pkg_resources", "pip",
    "_distutils_hack", "wheel", "IPython", "pytest", "hypothesis", "pyvbmc", "arviz", "emcee", "cma", "tensorboard",
    "OpenGL", "PyQt5", "PyQt6", "PySide2", "PyInstaller", "pyqtgraph.examples", "matplotlib.tests",
)  # fmt: skip
QT_USED = ("QtCore", "QtGui", "QtWidgets", "QtSvg", "QtDBus", "QtNetwork", "QtOpenGL", "QtOpenGLWidgets", "QtTest")
QT_NOT_PACKED = (
    "Qml", "Quick", "Designer", "VirtualKeyboard", "EglFS", "EglFs", "Labs", "WaylandCompositor", "WaylandEglCompositor", "Help",
    "Sql", "UiTools", "Concurrent", "PrintSupport", "ShaderTools",
)  # fmt: skip
QT_PLUGINS = (
    "platforms/libqxcb", "platforms/libqwayland", "platforms/libqoffscreen", "platforms/libqminimal.so", "platforms/qwindows",
    "platforms/qoffscreen", "platforms/qminimal", "platforms/libqcocoa", "xcbglintegrations/", "iconengines/", "styles/",
    "imageformats/libqsvg", "imageformats/qsvg", "imageformats/libqico", "imageformats/qico", "imageformats/libqjpeg",
    "imageformats/qjpeg", "platforminputcontexts/libcompose", "platforminputcontexts/libibus", "generic/",
    "platformthemes/libqxdgdesktopportal", "wayland-",
)  # fmt: skip
# Every desktop has them, in the version that its graphics driver was linked with
OF_THE_SYSTEM = ("libstdc++.so", "libgcc_s.so", "libwayland-", "libgtk-", "libgdk-", "libfontconfig", "libfreetype", "libdbus-1")
METADATA = ("bayescope", "numpy", "scipy", "torch", "gpytorch", "xarray", "h5netcdf", "h5py", "PySide6_Essentials")
RUNTIME_HOOKS_LEFT_OUT = (
    "pyi_rth_pyside6",  # sets QT_PLUGIN_PATH and QML2_IMPORT_PATH, which simulators would inherit; Qt finds its plugins without
    "pyi_rth_mplconfig",  # a temporary configuration folder for every process
    *(("pyi_rth_multiprocessing",) if sys.platform == "linux" else ()),  # entry.py says why
    "pyi_rth_setuptools", "pyi_rth_pkgres", "pyi_rth__tkinter",
)  # fmt: skip
EXAMPLES = {  # as in engine/problem/bundled.py: executable -> script below resources/examples
    "contamination_source": "contamination/contamination_source.py",
    "predator_prey": "predator_prey/predator_prey.py",
    "birth_death": "birth_death/birth_death.py",
    "ricker": "ricker/ricker.py",
}
# Packages that read files of their own while they compute for us: without SciPy's every design point is the same, and SciPy only
# prints that it ignores an exception. The last are the program's own examples, help and icons
DATA_OF = ("scipy", "gpytorch", "bayescope")
# Packages with other files than Python's that need no entry above, each with the reason
DATA_ELSEWHERE = {
    "matplotlib": "PyInstaller's hook", "pyqtgraph": "PyInstaller's hook", "PySide6": "PyInstaller's hook",
    "fastparquet": "the format it was generated from",
    "torch": "hooks/hook-torch.py; the rest is for torch.compile, which nothing calls", "torchgen": "for builds of torch",
    "shiboken6": "for builds", "numpy": "for builds", "sympy": "a parser", "pandas": "tables as HTML and LaTeX",
    "xarray": "datasets as HTML", "tqdm": "its own command line", "tzdata": "no time zones here",
}  # fmt: skip
PILLOW_LEFT_OUT = ("libavif-", "_avif.")  # pictures of a kind that nothing here reads or writes; Pillow goes on without
NOT_PARTS = {"scikit_learn", "altgraph", "pyinstaller_hooks_contrib"}
PARTS_TOO = {"pyinstaller"}  # its start of a program is packed
TORCH_LEFT_OUT = ("test", "include", "share")
TORCH_PROGRAM = "torch_shm_manager"  # of the fifteen in torch/bin the only one that is not a test of torch


def modules_below(folder: Path, package: str) -> Iterator[str]:
    """Dotted names of all modules of ``package`` that lies in ``folder``; nothing is imported."""
    for path in sorted(folder.rglob("*.py")):
        parts = path.relative_to(folder).with_suffix("").parts
        if all(part.isidentifier() for part in parts):
            yield ".".join((package, *parts)).removesuffix(".__init__")


def our_modules() -> list[str]:
    return [name for room in ROOMS for name in modules_below(ROOT / room, f"bayescope.{room}") if ".examples." not in name]


def standard_library() -> list[str]:
    """All of it, with what lies in its packages: torch and scipy import fileinput, pydoc and others where nobody would look."""
    folder = Path(sys.modules["os"].__file__ or "").parent
    left_out = {"test", "tests", *NOT_PACKED}
    found: list[str] = []
    for name in sorted(sys.stdlib_module_names - left_out - {"antigravity", "this"}):
        found.append(name)
        if (folder / name).is_dir():
            inside = modules_below(folder / name, name)
            found += [m for m in inside if not left_out & set(m.split(".")) and not m.endswith("__main__")]
    return found


def packed(destination: str) -> bool:
    """Whether a file that PyInstaller collected goes in. ``destination``: its path in the folder of the application."""
    path = PurePosixPath(destination.replace("\\", "/"))
    parts, name = path.parts, path.name
    if len(parts) == 1 and name.startswith(OF_THE_SYSTEM):  # wheels bring copies of their own in folders of theirs
        return False
    if parts[:1] == ("PySide6",):
        return _packed_of_qt(path)
    if parts[:1] == ("torch",) and len(parts) > 1:
        return parts[1] not in TORCH_LEFT_OUT and (parts[1] != "bin" or name == TORCH_PROGRAM)
    if parts[0] in ("PIL", "pillow.libs"):
        return not name.startswith(PILLOW_LEFT_OUT)
    if parts[:2] == ("matplotlib", "mpl-data"):
        return parts[2:3] != ("sample_data",)
    return not {"tests", "test", "testing"} & set(parts[1:-1]) or parts[0] in ("bayescope", "torch")


def _packed_of_qt(path: PurePosixPath) -> bool:
    text = path.as_posix()
    if "/translations/" in text or "/qml/" in text or "/resources/" in text:
        return False
    if "/plugins/" in text:
        plugin = text.split("/plugins/")[1]
        return plugin.startswith(QT_PLUGINS)
    return not any(word in path.name for word in QT_NOT_PACKED)


def kept(entries: Iterable[tuple[str, str, str]]) -> list[tuple[str, str, str]]:
    """The part of a PyInstaller table of contents that goes in."""
    return [entry for entry in entries if packed(entry[0])]


def licences(packages: Path) -> Iterator[tuple[str, str]]:
    """(file, folder in the application) of the licences of what is packed; ``packages``: the environment's site-packages.

    A package that brings no text of its own (Qt for Python) is named by its metadata, which says under what it stands.
    """
    left_out = ({name.lower() for name in NOT_PACKED} | NOT_PARTS) - PARTS_TOO
    for info in sorted(packages.glob("*.dist-info")):
        name = info.name.split("-")[0]
        if name.lower() in left_out:
            continue
        texts = [p for p in sorted(info.rglob("*")) if p.is_file() and p.name.lower().startswith(("licen", "copying", "notice"))]
        for path in texts or [info / "METADATA"]:
            inside = path.parent.relative_to(info).as_posix().removeprefix("licenses").strip("/.")
            yield str(path), "/".join(part for part in ("licences", name, inside) if part)


def licence_list(packages: Path, target: Path) -> Path:
    """Writes what the window shows as the licences of the parts: all of ``packages`` that are packed, and Qt's notice."""
    from bayescope.gui.system.licences import as_text, parts

    left_out = ({name.lower() for name in NOT_PACKED} | NOT_PARTS | {"bayescope"}) - PARTS_TOO
    names = [info.name.split("-")[0] for info in sorted(packages.glob("*.dist-info"))]
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(as_text(parts(n for n in names if n.lower() not in left_out)), encoding="utf-8")
    return target
