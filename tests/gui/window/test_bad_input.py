"""Whatever is typed, pasted or clicked on the set-up pages, and whenever the window is closed: words, never an exception."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import Qt as QtText
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QLineEdit, QTableView, QTabWidget, QWidget
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.engine.session.store import SessionStore
from bayescope.gui.dialogs import closing
from bayescope.gui.widgets.forms import LineField
from bayescope.gui.widgets.template_editor import TemplateEditor
from bayescope.gui.window.main_window import MainWindow

pytestmark = [pytest.mark.window, pytest.mark.timeout(180)]
PAGES = ("simulator", "parameters", "data")
NONSENSE = ("x" * 10_000, "<img src='x'><b>5</b>", "@@@", "nan", "1e999", "a\nb\tc", "", "\x00\ud83d")
HTML = "<b>bold</b> & <img src='x'>"


@pytest.fixture
def open_window(open_window: Callable[..., tuple[MainWindow, Any, Any]]) -> Callable[[], MainWindow]:
    return lambda: open_window(1280, 720)[0]


def every_view(page: QWidget) -> Iterator[None]:
    """Each tab of a page in turn, the tabs inside tabs too."""
    outer = [t for t in page.findChildren(QTabWidget) if t.isVisible()] or [None]
    for tabs in outer:
        for k in range(tabs.count() if tabs is not None else 1):
            if tabs is not None:
                tabs.setCurrentIndex(k)
                inner = [t for t in tabs.currentWidget().findChildren(QTabWidget) if t.isVisible()]
                for more in inner:
                    for i in range(more.count()):
                        more.setCurrentIndex(i)
                        yield
            yield


def type_everywhere(page: QWidget, text: str) -> int:
    count = 0
    for field in page.findChildren(LineField):
        if field.isVisible() and field.isEnabled() and not field.isReadOnly():
            field.setText(text)
            field.editingFinished.emit()
            count += 1
    for editor in page.findChildren(TemplateEditor):
        if editor.isVisible() and not editor.isReadOnly():
            editor.setPlainText(text)
            editor.commit()
            editor.mark(0, len(editor.toPlainText()))
            count += 1
    for table in page.findChildren(QTableView):
        model = table.model()
        if not table.isVisible() or model is None:
            continue
        for column in range(min(model.columnCount(), 10)):
            index = model.index(0, column)
            if index.isValid() and model.flags(index) & Qt.ItemFlag.ItemIsEditable:
                model.setData(index, text)
                count += 1
    return count


def test_every_field_and_cell_of_the_set_up_pages_takes_nonsense_with_words(
    open_window: Callable[[], MainWindow], tmp_path: Path
) -> None:
    window = open_window()
    controller = window.controller
    touched = 0
    for name in PAGES:
        assert controller.file.open_example("ngspice_filter")
        window.go(name)
        page = window.page(name)
        for text in NONSENSE:
            for _ in every_view(page):
                touched += type_everywhere(page, text)
            page.grab()
            assert page.status()[0] in ("todo", "error", "done")  # type: ignore[attr-defined]
        target = tmp_path / f"{name}.bayescope"
        assert controller.file.save_as(target)  # whatever stands there now can be written and read again
        with SessionStore.open(target, mode="read") as store:
            assert store.problem == controller.problem.declared
    assert touched > 150


def rich(text: str) -> bool:
    return bool(text) and QtText.mightBeRichText(text)


def test_html_in_names_is_never_rendered(open_window: Callable[[], MainWindow]) -> None:
    window = open_window()
    controller = window.controller
    controller.file.open_example("contamination")
    problem = controller.problem.declared
    parameters = tuple(
        msgspec.structs.replace(p, name=f"{HTML}{i}", label=HTML, unit=HTML) for i, p in enumerate(problem.parameters)
    )
    outputs = tuple(msgspec.structs.replace(o, name=f"{HTML}{i}", source=HTML) for i, o in enumerate(problem.outputs))
    data = d.DataTable(columns={HTML: (1.0, 2.0), "y": (2.0, 3.0)}, origin=HTML)
    simulator = msgspec.structs.replace(
        problem.simulator, command=(HTML, HTML), templates=(d.TemplateFile(target=HTML, text=f"@{HTML}@"),),
        environment={HTML: HTML}, extra_files=(d.ExtraFile(path=HTML),), working_folder=HTML,
    )  # fmt: skip
    match = d.Match(output=f"{HTML}0", column=HTML)
    changed = msgspec.structs.replace(
        problem, name=HTML, description=HTML, parameters=parameters, outputs=outputs, data=data, simulator=simulator,
        meaning=d.Predictions(matches=(match,), noise=d.GaussianInferred(parameter=HTML)),
    )  # fmt: skip
    assert controller.problem.replace(changed, HTML)
    shown = []
    for name in PAGES:
        window.go(name)
        page = window.page(name)
        for _ in every_view(page):
            for widget in page.findChildren(QWidget):
                if (
                    isinstance(widget, QLabel)
                    and rich(widget.text())
                    and widget.textFormat() != Qt.TextFormat.PlainText
                ):
                    shown.append(f"{name}: label {widget.text()[:60]}")
                if rich(widget.toolTip()) and "<b>" in widget.toolTip():
                    shown.append(f"{name}: tooltip of {widget.accessibleName()}: {widget.toolTip()[:60]}")
                if isinstance(widget, QTableView) and widget.model() is not None:
                    model = widget.model()
                    for row in range(min(model.rowCount(), 3)):
                        for column in range(model.columnCount()):
                            tip = str(model.index(row, column).data(Qt.ItemDataRole.ToolTipRole) or "")
                            if rich(tip) and "<b>" in tip:
                                shown.append(f"{name}: tip in {widget.accessibleName()}: {tip[:60]}")
    assert shown == []


def test_fifty_parameters_stay_usable_on_every_set_up_page(open_window: Callable[[], MainWindow]) -> None:
    window = open_window()
    names = [f"p{i}" for i in range(50)]
    problem = d.Problem(
        name="Fifty",
        parameters=tuple(d.Parameter(name=n, prior=d.Normal(mean=0.0, sd=1.0)) for n in names),
        simulator=d.Simulator(command=("echo", *(f"@{n}@" for n in names))),
        outputs=(d.Output(name="y", source="stdout", extractor=d.LastNumber(), length=1),),
        meaning=d.LogLikelihoodOutput(output="y"),
    )
    assert window.controller.problem.replace(problem, "Fifty parameters")
    for name in PAGES:
        window.go(name)
        page = window.page(name)
        for _ in every_view(page):
            QApplication.processEvents()
        inside = [w for w in page.findChildren(QLineEdit) if w.isVisible() and w.width() > window.width()]
        assert inside == []
    simulator: Any = window.page("simulator")
    assert simulator.panel.values.rowCount() == 50
    assert simulator.panel.run_button.isVisibleTo(simulator)
    assert window.width() == 1280  # nothing pushes the window wider
    assert window.height() == 720


SLOW = d.Problem(
    name="Slow",
    parameters=(d.Parameter(name="k", prior=d.Uniform(low=0.0, high=1.0)),),
    simulator=d.Simulator(command=(sys.executable, "-c", "import time; time.sleep(60)", "@k@")),
    outputs=(d.Output(name="y", source="stdout", extractor=d.LastNumber(), length=1),),
    meaning=d.LogLikelihoodOutput(output="y"),
)


def _new(window: MainWindow) -> None:
    window.page("welcome").new_button.click()  # type: ignore[attr-defined]


def _typing(window: MainWindow) -> None:
    _new(window)
    page: Any = window.page("simulator")
    page.program.program.setText("half a na")


def _marking(window: MainWindow) -> None:
    window.go("simulator")
    page: Any = window.page("simulator")
    page.tabs.setCurrentIndex(1)
    page.inputs.templates.new_button.click()
    page.inputs.templates.editor.setPlainText("k 1.5")
    page.inputs.templates.editor.mark(2, 5)


def _editing_a_cell(window: MainWindow) -> None:
    window.go("parameters")
    window.page("parameters").add_one()  # type: ignore[attr-defined]
    QApplication.processEvents()


def _choosing(window: MainWindow) -> None:
    window.controller.file.open_example("contamination")
    window.go("parameters")
    window.page("parameters").panel.family.showPopup()  # type: ignore[attr-defined]


def _importing(window: MainWindow) -> None:
    window.go("data")
    window.page("data").paste("a,b\n1,2\n3,4\n")  # type: ignore[attr-defined]


def _test_run(window: MainWindow) -> None:
    assert window.controller.problem.replace(SLOW, "Slow")
    window.go("simulator")
    page: Any = window.page("simulator")
    page.panel.run_button.click()
    assert page.trial.running


def _noise_check(window: MainWindow) -> None:
    assert window.controller.problem.replace(SLOW, "Slow")
    window.go("simulator")
    page: Any = window.page("simulator")
    page.panel.noise.button.click()
    assert page.trial.checking_noise


@pytest.mark.parametrize(
    "stage", [_new, _typing, _marking, _editing_a_cell, _choosing, _importing, _test_run, _noise_check],
    ids=lambda stage: stage.__name__.strip("_"),
)  # fmt: skip
def test_the_window_closes_at_every_stage(
    open_window: Callable[[], MainWindow],
    stage: Callable[[MainWindow], None],
    monkeypatch: pytest.MonkeyPatch,
    qtbot: QtBot,
) -> None:
    window = open_window()
    window.go("welcome")
    stage(window)
    if stage in (_test_run, _noise_check):
        qtbot.wait(400)
    monkeypatch.setattr(closing, "ask", lambda *a, **k: "Throw away")
    assert window.close()
    for combo in window.findChildren(QComboBox):
        combo.hidePopup()
    QApplication.processEvents()
    assert not window.isVisible()
