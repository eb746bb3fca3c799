"""One action has one word, one key and one meaning: buttons, menu entries and what is said of the runs agree."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from line_session import iteration, saved
from page_views import settle
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QLabel, QMenu, QTabBar, QTabWidget, QWidget
from pytestqt.qtbot import QtBot

from bayescope.engine import protocol
from bayescope.gui.analysis.run_data import Evaluation
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.dialogs import run_controls
from bayescope.gui.window.main_window import PAGES, MainWindow

pytestmark = pytest.mark.window
OTHER_WORDS = re.compile(r"\b(continue|continued|go on with it|more evaluations|start the analysis)\b", re.IGNORECASE)
HELD = (
    "import sys; from bayescope.engine.session.store import SessionStore\n"
    "with SessionStore.open(sys.argv[1]) as store:\n    print(store.writable, flush=True); sys.stdin.read()\n"
)


@pytest.fixture
def window(
    make_controller: Callable[[], SessionController], put_away: Callable[[list[MainWindow]], None], qtbot: QtBot
) -> Iterator[MainWindow]:
    controller = make_controller()
    assert controller.file.open_example("contamination")
    made = [MainWindow(controller)]
    made[0].show()
    made[0].go("run")
    yield made[0]
    controller.shut_down()
    put_away(made)


def strip_of(window: MainWindow) -> Any:
    strip = window.page("run").strip  # type: ignore[attr-defined]
    strip.refresh()
    window.actions_of_window.refresh()
    return strip


def told(window: MainWindow, engines: list[Any], *messages: protocol.Event) -> None:
    for message in messages:
        engines[-1].message.emit(message)
    window.controller.run._link._announce_new()
    strip_of(window)


def progress(evaluations: int, budget: int, workers: int = 2) -> protocol.Progress:
    return protocol.Progress(
        evaluations=evaluations, budget=budget, failed=0, running=0, elapsed_s=1.0, remaining_s=None, activity="", workers=workers
    )  # fmt: skip


def runs(controller: SessionController, n: int) -> None:
    values = {p.name: 0.2 for p in controller.problem.declared.parameters}
    for k in range(len(controller.run.data.evaluations), n):
        controller.run.data.add_evaluation(Evaluation(k, values, "ok", -1.0, -1.0, 0.0, 1.0, 0.0))


def press_ctrl_r(window: MainWindow) -> None:
    """What the key does: the one menu entry that has it now. (Keys themselves need a window in front of all others.)"""
    strip_of(window)
    have_it = [a for a in window.menus.actions.values() if "Ctrl+R" in [k.toString() for k in a.shortcuts()]]
    assert len(have_it) == 1
    have_it[0].trigger()


def shown_words(window: MainWindow) -> list[str]:
    """What the main button says, and the menu entry that Ctrl+R triggers."""
    strip = strip_of(window)
    button = next(b for b in (strip.start, strip.pause, strip.more) if b.isVisible() and b.isEnabled())
    a = window.menus.actions
    entry = next(e for e in (a["start"], a["extend"]) if "Ctrl+R" in [k.toString() for k in e.shortcuts()])
    assert entry.isEnabled()
    return [button.text().replace("&", ""), entry.text().replace("&", "")]


def test_ctrl_r_does_what_the_main_button_does_in_every_state(
    window: MainWindow, engines: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    controller: SessionController = window.controller
    assert shown_words(window) == ["Start", "Start"]
    press_ctrl_r(window)
    assert isinstance(engines[-1].sent[-1], protocol.StartRun)
    told(window, engines, protocol.StateChanged(state="running"))
    sent = len(engines[-1].sent)
    press_ctrl_r(window)
    assert len(engines[-1].sent) == sent, "while it runs there is nothing to start"
    controller.run.pause()
    told(window, engines, protocol.StateChanged(state="paused"))
    assert shown_words(window) == ["Resume", "Resume"]
    press_ctrl_r(window)
    assert isinstance(engines[-1].sent[-1], protocol.ContinueRun)
    runs(controller, 5)
    told(window, engines, protocol.StateChanged(state="stopped"))
    assert shown_words(window) == ["Resume", "Resume"]
    press_ctrl_r(window)
    assert isinstance(engines[-1].sent[-1], protocol.StartRun)
    runs(controller, controller.run.budget)
    told(window, engines, protocol.StateChanged(state="stopped"))
    assert shown_words(window) == ["More runs…", "More runs…"]
    asked: list[str] = []
    monkeypatch.setattr(run_controls, "how_many", lambda parent, title, now: (asked.append(title), now().proposed)[1])
    press_ctrl_r(window)
    assert asked == ["More runs"]
    assert engines[-1].sent[-1].max_evaluations == 210, "half as many again"


def test_no_text_of_window_help_and_command_line_has_another_word_for_resume_or_more_runs() -> None:
    found = []
    package = Path(str(files("bayescope.gui")))
    sources = [*package.rglob("*.py"), *(Path(str(files("bayescope.engine"))) / "app").glob("*.py")]
    for source in sources:
        tree = ast.parse(source.read_text())
        notes = {id(n.body[0].value) for n in ast.walk(tree) if hasattr(n, "body") and _is_docstring(n)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in notes:
                found += [f"{source.name}: {node.value[:80]}"] if OTHER_WORDS.search(node.value) else []
    for page in Path(str(files("bayescope.resources") / "help")).glob("*.md"):
        found += [f"{page.name}: {m.group()}" for m in OTHER_WORDS.finditer(page.read_text())]
    assert found == []


def test_a_run_of_the_simulator_is_called_a_run_and_what_is_imported_an_evaluation() -> None:
    """In every text that window, help, report and command line may show; a Python function's values are evaluations as well."""
    found = []
    for room in ("bayescope.gui", "bayescope.engine"):
        package = Path(str(files(room)))
        for source in sorted(package.rglob("*.py")):
            where = source.relative_to(package)
            if where.parts[0] in ("library", "archive", "surrogate") or "svbmc" in where.parts:
                continue  # a surrogate and an archive hold both
            found += [f"{where}: {text[:90]}" for text in _texts(source) if _other_word_for_a_run(text)]
    for page in Path(str(files("bayescope.resources") / "help")).glob("*.md"):
        if page.stem not in ("archives", "glossary"):
            found += [f"{page.name}: {line}" for line in page.read_text().splitlines() if _other_word_for_a_run(line)]
    assert found == []


def _other_word_for_a_run(text: str) -> bool:
    said = re.search(r"\bevaluations?\b", text, re.IGNORECASE) and " " in text
    about_others = r"import|earlier|archive|number N of|Exact is slow|SELECT|INSERT|CREATE|--evaluations"
    settled = re.search(about_others, text, re.IGNORECASE)
    return bool(said and not settled) or bool(re.search(r"\btrial runs? (at|of|with|gave|was)\b|\ba trial run\b", text))


def _texts(source: Path) -> Iterator[str]:
    """The strings of a module that are no docstrings; of one in pieces, what is written out of it."""
    tree = ast.parse(source.read_text())
    notes = {id(n.body[0].value) for n in ast.walk(tree) if hasattr(n, "body") and _is_docstring(n)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            pieces = [n for n in node.values if isinstance(n, ast.Constant)]
            notes |= {id(n) for n in pieces}
            yield " ".join(str(n.value) for n in pieces)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in notes:
            yield node.value


def _is_docstring(node: Any) -> bool:
    body = node.body
    return isinstance(body, list) and bool(body) and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)


def test_after_more_runs_nothing_says_that_more_are_done_than_allowed(window: MainWindow, engines: list[Any]) -> None:
    controller: SessionController = window.controller
    strip = strip_of(window)
    runs(controller, 140)
    controller.run.extend(190)
    told(window, engines, protocol.StateChanged(state="running"), progress(140, 140))
    runs(controller, 152)
    told(window, engines)
    for _ in range(2):
        assert strip.runs.value.text() == "152 of 190"
        assert window.page("run").status()[1].endswith("152 of 190 runs")  # type: ignore[attr-defined]
        assert strip.bar.maximum() == 190
        told(window, engines, progress(152, 190))


def test_imported_runs_are_not_counted_against_what_is_allowed(window: MainWindow) -> None:
    runs(window.controller, 500)
    assert strip_of(window).runs.value.text() == "500"


def test_runs_at_a_time_are_changed_before_during_and_after_a_run(window: MainWindow, engines: list[Any]) -> None:
    controller: SessionController = window.controller
    strip = strip_of(window)
    strip.workers.setValue(3)
    assert controller.problem.declared.settings.workers == 3
    assert controller.problem.undo_stack.undoText() == "Change runs at a time"
    assert controller.run.start()
    told(window, engines, protocol.StateChanged(state="running"), progress(1, 140, workers=3))
    strip.workers.setValue(5)
    assert engines[-1].sent[-1] == protocol.SetWorkers(5)
    told(window, engines, progress(2, 140, workers=3))
    assert strip.workers.value() == 5, "that was sent before the engine was told"
    told(window, engines, progress(3, 140, workers=5), progress(3, 140, workers=4))
    assert strip.workers.value() == 4, "what the engine says is what is shown"
    controller.run.pause()
    told(window, engines, protocol.StateChanged(state="paused"))
    assert strip.workers.isEnabled()
    strip.workers.setValue(2)
    assert engines[-1].sent[-1] == protocol.SetWorkers(2)
    controller.run.stop()
    strip.refresh()
    assert not strip.workers.isEnabled()


def test_a_half_done_analysis_from_the_recent_ones_opens_on_run_and_a_finished_one_on_results(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    saved(tmp_path / "half.bayescope", record=iteration(converged=False))
    saved(tmp_path / "whole.bayescope", record=iteration(converged=True))
    for name, page in (("half", "run"), ("whole", "results")):
        window.go("welcome")
        assert window.controller.file.open(tmp_path / f"{name}.bayescope")
        assert window.controller.file.new()
        welcome: Any = window.page("welcome")
        welcome.reload()
        row = next(k for k, r in enumerate(welcome.model.rows) if r.path.stem == name)
        rect = welcome.recent.visualRect(welcome.model.index(row))
        qtbot.mouseClick(welcome.recent.viewport(), Qt.MouseButton.LeftButton, pos=rect.center())
        assert window.current == page
        window.actions_of_window.open_file(tmp_path / f"{name}.bayescope")
        assert window.current == page, "by the menu too"


def test_a_read_only_window_says_why_on_every_page(window: MainWindow, tmp_path: Path) -> None:
    path = saved(tmp_path / "shared.bayescope")
    first = subprocess.Popen(
        [sys.executable, "-c", HELD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with first:
        assert first.stdin is not None
        assert first.stdout is not None
        assert first.stdout.readline() == "True\n"
        assert window.controller.file.open(path)
        for key in ("simulator", "parameters", "data", "run", "results"):
            window.go(key)
            settle()
            said = [w.text() for w in window.page(key).findChildren(QLabel) if w.isVisible() and "in use" in w.text()]
            assert said, key
        strip = strip_of(window)
        assert not strip.start.isEnabled()
        assert not strip.workers.isEnabled()
        first.stdin.close()


# ---------------------------------------------------------------- Alt keys


def letter(text: str) -> str:
    found = re.search(r"&([^&\s])", text.replace("&&", ""))
    return found.group(1).lower() if found else ""


def on_show(page: QWidget) -> list[str]:
    """The texts with an underlined letter that can be seen together."""
    widgets = [*page.findChildren(QAbstractButton), *page.findChildren(QLabel)]
    texts = [w.text() for w in widgets if w.isVisible() and not (isinstance(w, QLabel) and w.buddy() is None)]
    bars = [b for b in page.findChildren(QTabBar) if b.isVisible()]
    return texts + [b.tabText(k) for b in bars for k in range(b.count())]


def doubles(texts: list[str]) -> list[str]:
    seen = Counter(letter(t) for t in texts if letter(t))
    return [t for t in texts if letter(t) and seen[letter(t)] > 1]


def each_tab(page: QWidget) -> Iterator[str]:
    for tabs in [t for t in page.findChildren(QTabWidget) if t.isVisible()]:
        for k in range(tabs.count()):
            tabs.setCurrentIndex(k)
            settle()
            yield tabs.tabText(k)


def clashes(window: MainWindow, pages: list[str]) -> list[str]:
    bar = [a.text() for a in window.menuBar().actions()]
    found = []
    for key in pages:
        window.go(key)
        settle()
        page = window.page(key)
        for tab in each_tab(page):
            found += [f"{key}, {tab}: {text}" for text in doubles(bar + on_show(page) + on_show(window.bar))]
        found += [f"{key}: {text}" for text in doubles(bar + on_show(page) + on_show(window.bar))]
    return found


def test_no_alt_key_is_used_twice_on_any_page_in_any_state_of_the_run(
    window: MainWindow, engines: list[Any], evaluation_done: Callable[..., Any], tmp_path: Path
) -> None:
    controller: SessionController = window.controller
    assert clashes(window, list(PAGES)) == []
    assert controller.run.start()
    values = {p.name: 0.2 for p in controller.problem.declared.parameters}
    told(window, engines, protocol.StateChanged(state="running"), *(evaluation_done(k, values) for k in range(4)))
    run: Any = window.page("run")
    run.show_run(2)
    assert clashes(window, ["run"]) == []
    controller.run.pause()
    told(window, engines, protocol.StateChanged(state="paused"))
    assert clashes(window, ["run"]) == []
    told(window, engines, protocol.StateChanged(state="stopped"))
    assert clashes(window, list(PAGES)) == []
    assert controller.file.close(discard_draft=True)
    assert controller.file.open(saved(tmp_path / "line.bayescope"))
    assert clashes(window, list(PAGES)) == []


def test_no_alt_key_is_used_twice_in_any_menu(window: MainWindow) -> None:
    def menus(actions: list[QAction]) -> Iterator[QMenu]:
        for action in actions:
            menu = action.menu()
            if isinstance(menu, QMenu):
                yield menu
                yield from menus(menu.actions())

    for menu in menus(window.menuBar().actions()):
        assert doubles([a.text() for a in menu.actions()]) == [], menu.title()
    assert doubles([a.text() for a in window.menuBar().actions()]) == []
