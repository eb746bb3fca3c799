"""Pictures of the running application: for help pages and README, or all pages in a theme and size to be looked at.

    python packaging/help_pictures.py help                     writes resources/help/pictures
    python packaging/help_pictures.py readme                   writes packaging/pictures, in both themes
    python packaging/help_pictures.py look OUT dark 1280 720   writes every page and tab to OUT

Runs the bundled contamination example with a small budget, and once more with a fixed width to compare the two, so it needs the
engine and takes about two minutes. For help and README only the pictures that a page shows are written.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
ROOT = Path(__file__).resolve().parent.parent
SHOWN_FOLDER = "/home/you/study"  # in place of the temporary folder that the pictures are taken in
HELP_WIDTH = 760  # as wide as the help window's text
README_SIZE = (1040, 700)  # not scaled: sharp, and small as a file
THEMES = ("light", "dark")
BUDGET = 30
PATIENCE_S = 300.0


@dataclass(frozen=True)
class Wanted:
    """Pictures ``shown(name, theme)`` into ``out``; ``scaled_to``: their width in the file;
    ``tour``: of the tour's problem, which converges soon."""

    out: Path
    themes: tuple[str, ...]
    size: tuple[int, int]
    shown: Callable[[str, str], bool]
    scaled_to: int | None = None
    tour: bool = False


def main(arguments: list[str]) -> int:
    if arguments[:1] == ["help"]:
        help_folder = ROOT / "resources" / "help"
        pages = "".join(page.read_text(encoding="utf-8") for page in sorted(help_folder.glob("*.md")))
        in_help = lambda name, _: f"(pictures/{name}.png)" in pages  # noqa: E731
        return take(Wanted(help_folder / "pictures", ("light",), (1120, 740), in_help, HELP_WIDTH))
    if arguments == ["readme"]:
        readme = (ROOT / "README.md").read_text(encoding="utf-8")
        in_readme = lambda name, choice: f"packaging/pictures/{name}-{choice}.png" in readme  # noqa: E731
        return take(Wanted(ROOT / "packaging" / "pictures", THEMES, README_SIZE, in_readme, tour=True))
    if len(arguments) == 5 and arguments[0] == "look":
        return take(Wanted(Path(arguments[1]), (arguments[2],), (int(arguments[3]), int(arguments[4])), lambda *_: True))
    print(__doc__)
    return 2


def take(wanted: Wanted) -> int:
    with tempfile.TemporaryDirectory(prefix="bayescope-pictures-") as home:
        os.environ["BAYESCOPE_HOME"] = str(Path(home) / "home")
        return _take(wanted, Path(home))


def _take(wanted: Wanted, folder: Path) -> int:
    import msgspec
    from PySide6.QtCore import Qt
    from PySide6.QtWidgets import QLabel

    from bayescope.gui.analysis.session_controller import SessionController
    from bayescope.gui.models.tour import tour_problem
    from bayescope.gui.style.theme import theme
    from bayescope.gui.window.app import make_application
    from bayescope.gui.window.main_window import MainWindow

    app = make_application([])
    theme.choose("dark" if wanted.themes[0] == "dark" else "light")
    wanted.out.mkdir(parents=True, exist_ok=True)
    controller = SessionController()
    window = MainWindow(controller)
    window.resize(*wanted.size)
    window.show()

    def wait(done: Callable[[], bool] = lambda: False, seconds: float = 0.4) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end and not done():
            app.processEvents()
            time.sleep(0.01)

    def picture(name: str, of: Any = None) -> None:
        """Of several themes each has its own file."""
        for choice in [choice for choice in wanted.themes if wanted.shown(name, choice)]:
            theme.choose("dark" if choice == "dark" else "light")
            wait(seconds=1.0)
            window.statusBar().clearMessage()
            for words in window.findChildren(QLabel):
                if str(folder) in words.text():
                    words.setText(words.text().replace(str(folder), SHOWN_FOLDER))
            image = (of or window).grab().toImage()
            if wanted.scaled_to is not None and image.width() > wanted.scaled_to:
                image = image.scaledToWidth(wanted.scaled_to, Qt.TransformationMode.SmoothTransformation)
            if not image.save(str(wanted.out / f"{name}{f'-{choice}' if len(wanted.themes) > 1 else ''}.png")):
                raise OSError(f"{name}.png could not be written")

    def example(name: str, tour: bool = False) -> None:
        assert controller.file.open_example("contamination")
        settings = msgspec.structs.replace(controller.problem.declared.settings, max_evaluations=BUDGET)
        controller.problem.edit("Fewer runs", settings=settings)
        if tour:
            small = tour_problem()
            controller.problem.edit("As in the tour", parameters=small.parameters, settings=small.settings)
        controller.problem.edit("Name", name=name)
        controller.file.save_as(folder / f"{name}.bayescope")

    def run() -> None:
        controller.run.start()
        wait(lambda: controller.run.data.outcome is not None and not controller.run.active, PATIENCE_S)

    example("Narrow source")
    parameters = list(controller.problem.declared.parameters)
    parameters[-1] = msgspec.structs.replace(parameters[-1], fixed=0.03)
    controller.problem.edit("Fix the width", parameters=tuple(parameters))
    run()
    controller.file.save()
    example("Contamination source", wanted.tour)
    window.go("welcome")
    picture("welcome")
    _simulator(window, wait, picture)
    window.go("parameters")
    window.page("parameters").table.selectRow(2)  # type: ignore[attr-defined]
    picture("parameters")
    picture("priors", window.page("parameters").panel.parentWidget())  # type: ignore[attr-defined]
    window.go("data")
    data: Any = window.page("data")
    for k, name in enumerate(("data", "comparison", "noise")):
        data.tabs.setCurrentIndex(k)
        picture(name)
    window.go("run")
    picture("run-before")
    run()
    wait(seconds=2.0)  # the last curves are computed in a thread
    picture("run")
    run_page: Any = window.page("run")
    run_page.show_view("pairs")
    wait(seconds=2.0)
    picture("pairs")
    run_page.show_view("overview")
    window.go("results")
    results: Any = window.page("results")
    wait(lambda: bool(results.summary.rowCount()), 20.0)
    picture("results")
    for name, tab in (("correlations", results.related), ("export", results.exporter)):
        results.tabs.setCurrentWidget(tab)
        picture(name)
    results.tabs.setCurrentWidget(results.compare)
    results.compare.add_files([folder / "Narrow source.bayescope"])
    wait(lambda: results.compare.model.rowCount() == 2, 20.0)
    picture("compare")
    results.compare.remove([1])
    results.compare.compare_with(("laplace", "mcmc"))
    wait(lambda: results.compare.model.rowCount() == 3, PATIENCE_S)
    picture("compare-methods")
    window.go("simulator")
    menu = window.menus.menus["File"]
    menu.popup(window.mapToGlobal(window.rect().topLeft()))
    picture("file-menu", menu)
    menu.hide()
    _place(controller, picture)
    _card(folder, wait, picture)
    _archive(controller, folder, wait, wanted.size, picture)
    controller.shut_down()
    for page in window._pages.values():
        if hasattr(page, "release"):
            page.release()
    window.hide()
    return 0


def _place(controller: Any, picture: Callable[..., None]) -> None:
    """A place over SSH that has been tried."""
    from bayescope.engine import protocol
    from bayescope.engine.session.profiles import Profile
    from bayescope.gui.pages.places import PlacesDialog

    controller.run.places.save(
        Profile(name="university", host="me@login.example.org", partition="short", minutes=120.0, setup=("module load gcc",))
    )
    dialog = PlacesDialog(controller.run.places)
    dialog.show()
    connected = protocol.PlaceStep(step="connect", good=True, words="“me@login.example.org” answers: Linux x86_64.", seconds=0.6)
    dialog.say_steps([connected])
    picture("clusters", dialog)
    dialog.deleteLater()


def _card(folder: Path, wait: Callable[..., None], picture: Callable[..., None]) -> None:
    """As on a computer with a card."""
    from bayescope.engine.cuda import card
    from bayescope.engine.cuda.card import Card
    from bayescope.engine.cuda.install import Step
    from bayescope.engine.cuda.places import Place
    from bayescope.gui.analysis.cuda_build import CudaBuild
    from bayescope.gui.dialogs.graphics_card import GraphicsCard

    class UnderWay(CudaBuild):
        state = "working"  # type: ignore[assignment]

    card.cards = lambda: [Card("NVIDIA A30", "580.95.05", 8.0)]
    build = UnderWay()
    build.place = Place(Path("~/.local/share/Bayescope/cuda"))
    build.step = Step("download", 1_234_000_000, sum(w.size for w in build.wheels.needed()))
    dialog = GraphicsCard(build)
    dialog.show()
    wait(lambda: build.cards is not None, 10.0)
    picture("graphics-card", dialog)
    dialog.close()


def _archive(
    controller: Any, folder: Path, wait: Callable[..., None], size: tuple[int, int], picture: Callable[..., None]
) -> None:
    """The import dialog on the runs just made, one row checked."""
    from bayescope.engine.report import export
    from bayescope.engine.session.store import SessionStore
    from bayescope.gui.pages.archive.importing import ArchiveDialog

    table = folder / "earlier.csv"
    with SessionStore.open(controller.file.on_disk, mode="read") as store:
        export.export_evaluations(store, table)
    dialog = ArchiveDialog(controller.problem.declared, folder, None, controller.run)
    dialog.resize(min(size[0], 1100), min(size[1], 760))
    dialog.show()
    dialog.load(table)
    wait(lambda: dialog.imported is not None, 30.0)
    dialog.check.press()
    wait(lambda: dialog.check.agrees is not None, 60.0)
    picture("archive", dialog)
    dialog.reject()


def _simulator(window: Any, wait: Callable[..., None], picture: Callable[[str], None]) -> None:
    window.go("simulator")
    page = window.page("simulator")
    picture("simulator")
    page.panel.run()
    wait(lambda: page.trial.report is not None or bool(page.trial.words), 60.0)
    page.panel.tabs.setCurrentIndex(0)
    for k, name in enumerate(("program-after", "inputs", "outputs", "meaning", "limits")):
        page.tabs.setCurrentIndex(k)
        if name == "outputs":
            text = page.outputs.picker.text
            at = text.text().find(" ", text.text().find("\n0.22")) + 1
            text.mark(at, at + 3)
        picture(name)
    page.tabs.setCurrentIndex(0)
    page.panel.tabs.setCurrentIndex(3)
    page.panel.files_table.selectRow(0)
    picture("test-run")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
