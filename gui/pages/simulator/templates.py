"""Input files with parameters in them: the text with its placeholders beside the text as the simulator will get it."""

from __future__ import annotations

from pathlib import Path

import msgspec
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from bayescope.engine.problem import placeholders
from bayescope.engine.problem.definition import Problem, TemplateFile
from bayescope.engine.problem.errors import ProblemError
from bayescope.engine.problem.text_files import read_text
from bayescope.gui.analysis.analysis_file import AnalysisFile
from bayescope.gui.analysis.analysis_run import AnalysisRun
from bayescope.gui.analysis.declared_problem import DeclaredProblem
from bayescope.gui.dialogs.file_questions import ask
from bayescope.gui.dialogs.run_controls import ask_to_edit_text
from bayescope.gui.models.plain import one_line
from bayescope.gui.models.simulator.files.fixed_files import roots, without_filled
from bayescope.gui.models.simulator.files.original_files import with_copies
from bayescope.gui.models.simulator.files.script_inputs import with_numbers
from bayescope.gui.models.simulator.files.strayed_files import relative_name
from bayescope.gui.models.simulator.numbers.elsewhere import Place
from bayescope.gui.models.simulator.numbers.written_widths import pushed_words
from bayescope.gui.models.simulator.texts.filled import filled
from bayescope.gui.models.simulator.trials.trial import Trial
from bayescope.gui.pages.companion_notice import CompanionNotice
from bayescope.gui.pages.elsewhere_notice import ElsewhereNotice
from bayescope.gui.pages.make_parameter import MakeParameter
from bayescope.gui.pages.seeded_notice import others
from bayescope.gui.pages.simulator.after_runs import KEPT_CHECK
from bayescope.gui.widgets.deck_view import DeckView
from bayescope.gui.widgets.folding import FoldingRow
from bayescope.gui.widgets.forms import Choice, LineField, beside, say_first
from bayescope.gui.widgets.notices import Empty, FieldNotice, Notice, label
from bayescope.gui.widgets.scrolling import Part

MAX_TEMPLATE_BYTES = 4_000_000
KEPT = "The runs are kept, and further ones are made with the text as it is then."
NOTHING_MARKED = "Nothing is marked yet: it is the same in every run. Double-click a number, or drag over several."


class TemplatesPart(Part):
    """Edits ``Simulator.templates``; one is shown at a time."""

    def __init__(
        self,
        problem: DeclaredProblem,
        file: AnalysisFile,
        run: AnalysisRun,
        trial: Trial,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.problem, self.file, self.run, self.trial = problem, file, run, trial
        self._row = 0
        self.open_button = QPushButton("Open an &input file…")
        self.open_button.setToolTip("Take one of your program's input files as the template.")
        self.open_button.clicked.connect(self.ask_for_file)
        self.new_button = QPushButton("&New empty")
        self.new_button.clicked.connect(self._new)
        self.remove_button = QPushButton("Rem&ove")
        self.remove_button.setToolTip("Take this template out of the analysis; the file on disk stays.")
        self.remove_button.clicked.connect(self._remove)
        self.which = Choice("Template file", "Which input file is shown.")
        self.which.setMinimumContentsLength(18)  # of names with folders: constant/transportProperties
        self.which.chosen.connect(lambda key: self._show(int(key)))
        self.target = LineField(
            "Name of the filled file", "The name under which the filled file is written into each run's folder."
        )
        self.target.committed.connect(self._rename)
        self.target.setMinimumWidth(90)
        self.target.setMaximumWidth(240)
        self.notice = FieldNotice()
        self.message = Notice()
        self.message.pressed.connect(self._open_again)
        self._opened: dict[Path, str] = {}  # the texts of the files that were opened, as they were then
        self._again: tuple[Path, str] | None = None  # a file that is open already, and its text now
        self.deck = DeckView()
        self.editor, self.filled = self.deck.editor, self.deck.filled
        self.editor.committed.connect(self._typed)
        self.editor.marked.connect(self._marked)
        self.deck.edit_asked.connect(self._ask_to_edit)
        self.maker = MakeParameter(problem, trial, self._with_text)
        self.maker.offered.connect(self.editor.select)
        self.maker.several.connect(self._show_several)
        self.maker.made.connect(self._made)
        self.companions = CompanionNotice(problem, trial)
        self._asked = False  # about other places
        self.elsewhere = ElsewhereNotice(problem, trial)
        self.elsewhere.found.connect(self._show_places)
        self.elsewhere.pointed.connect(self._point_at)
        self.filled_notice = FieldNotice()
        self.empty = Empty(
            "No input file with parameters",
            "If your program reads its parameters from an input file, open that file here. The script itself may be one, if they "
            "stand in it. Then mark each number that is unknown and make it a parameter.",
            "Open an input file…",
        )
        self.empty.pressed.connect(self.ask_for_file)
        self.named_button = QPushButton()  # the file that the command names
        self.named_button.setProperty("kind", "primary")
        self.named_button.clicked.connect(self._open_named)
        self.empty.add_beside(self.named_button)
        self._named: Path | None = None

        box = QVBoxLayout(self)
        box.setContentsMargins(0, 8, 0, 0)
        box.setSpacing(8)
        self.bar = FoldingRow(
            beside(self.which, label("written as", "hint"), self.target, 1),
            beside(self.open_button, self.new_button, self.remove_button, 1),
        )
        box.addWidget(self.bar)
        box.addWidget(self.deck, 1)  # what comes and goes is below it, so that the text stays where the mouse is
        box.addWidget(self.maker)
        self.said = QWidget()  # while a number is made a parameter, the strip has its room
        words = QVBoxLayout(self.said)
        words.setContentsMargins(0, 0, 0, 0)
        words.setSpacing(8)
        for part in (self.companions, self.elsewhere, self.message, self.notice, self.filled_notice):
            words.addWidget(part)
        box.addWidget(self.said)
        self.maker.turned.connect(self._maker_turned)
        box.addWidget(self.empty, 1)
        trial.changed.connect(self._preview)
        file.shown.connect(self._forget)

    def _forget(self) -> None:
        """Another analysis is shown: nothing that was said of the last one stays."""
        self._opened, self._again = {}, None
        self.message.clear()
        self.companions.forget()
        self.elsewhere.look("")
        self.editor.drop_editing()
        self.refresh()

    @property
    def templates(self) -> tuple[TemplateFile, ...]:
        return self.problem.declared.simulator.templates

    def refresh(self) -> None:
        locked, some = self.problem.locked, bool(self.templates)
        self._row = max(0, min(self._row, len(self.templates) - 1))
        self.which.offer(
            [(str(i), t.target or f"template {i + 1}") for i, t in enumerate(self.templates)],
            str(self._row) if some else "",
        )
        for part in (self.deck, self.bar):
            part.setVisible(some)
        self.empty.setVisible(not some)
        self.companions.refresh()
        self.elsewhere.refresh()
        for button in (self.open_button, self.new_button, self.remove_button, self.empty.button):
            button.setEnabled(not locked)
        if not some:
            self._offer_named(locked)
            self.companions.forget()
            self.maker.hide()
            self.notice.clear()
            self.filled_notice.clear()
            return
        template = self.templates[self._row]
        self.target.show_text(template.target)
        self.target.setReadOnly(locked)
        known = [p.name for p in self.problem.declared.parameters]
        held = locked and not self.problem.texts_free
        self.deck.show_template(template.text, template.original, known, held, self.problem.may_free_texts)
        self.maker.follow(template.text)
        self._show_places()
        mine = self.problem.findings(f"simulator.templates[{self._row}]") or self.problem.findings(
            f"simulator.templates.{template.target}"
        )
        names = {"seed", "run_folder", *known}
        unknown = any(name not in names for name, _, _ in placeholders.find(template.text))
        if mine and not placeholders.find(template.text):
            self.notice.say("info", NOTHING_MARKED)
        else:
            say_first(self.notice, [] if unknown else others(self.problem, mine))  # InputsTab says it of them all, with a button
        self._preview()

    def _offer_named(self, locked: bool) -> None:
        """The script that the command starts, where it gives numbers to names."""
        found = with_numbers(self.problem.declared.simulator, self.file.folder)
        self._named = found[0] if found else None
        self.named_button.setVisible(bool(found) and not locked)
        if found:
            self.named_button.setText(f"Open “{one_line(found[0].name, 30).replace('&', '&&')}”")
            self.named_button.setToolTip(f"The command names it, and it gives numbers to names: {found[0]}")

    def _open_named(self) -> None:
        if self._named is not None:
            self.open_file(self._named)

    def _preview(self) -> None:
        if not self.templates:
            return
        simulator = self.problem.declared.simulator
        text, problems = filled(self.templates[self._row].text, self.trial.values(), simulator.formats)
        self.filled.set_text(text)
        known = {p.name for p in self.problem.declared.parameters}
        new = {f"@{n}@ is not a parameter." for n, _, _ in placeholders.find(self.templates[self._row].text) if n not in known}
        wrong = " ".join([p for p in problems if p not in new][:5])
        self._asked = self.elsewhere.level is not None  # one thing after the other: the text keeps its room
        pushed = "" if wrong or self._asked else pushed_words(self.problem.declared, self.templates[self._row])
        self.filled_notice.say("error" if wrong else "info", wrong or pushed)

    def _show(self, row: int) -> None:
        self.message.clear()
        self.editor.end_editing()
        self._row = row
        self.maker.hide()
        self.refresh()

    def show_use(self, name: str) -> bool:
        """The file in which ``name`` stands, at its place there; False: it stands in none."""
        for row, template in enumerate(self.templates):
            if any(used == name for used, _, _ in placeholders.find(template.text)):
                self._show(row)
                shown = placeholders.find(self.editor.text())
                self.editor.select(*next((a, b) for used, a, b in shown if used == name))
                self.editor.setFocus()
                return True
        return False

    # -------------------------------------------------------------- edits

    def _marked(self, start: int, end: int) -> None:
        if start != end:
            self.editor.commit()
            if (place := self.maker.settled(start, end)) is None:
                self.maker.take_focus()  # what is typed there comes first
                return
            self.maker.offer(self.editor.text(), *place)
            self.maker.take_focus()

    def _maker_turned(self, on: bool) -> None:
        self.said.setVisible(not on)
        if not on:
            self._show_places()

    def _show_several(self, places: list[tuple[int, int]]) -> None:
        """Which numbers would be replaced: of a drag down a column not all that was dragged over."""
        self.editor.select(places[0][0], places[0][0])
        self.editor.highlight(places, "chosen", show_first=False)

    def _made(self, name: str) -> None:
        """The next number is looked for behind the new placeholders. The text stays where it is, whatever comes below it: other
        places of the number are named there, and the list of them leads to each."""
        self.editor.select(self.maker.place, self.maker.place)
        self.editor.setFocus()
        self.elsewhere.look(name)

    def _show_places(self) -> None:
        """Where the number of the newest parameter stands again is framed in the text."""
        self.editor.highlight(self.elsewhere.places_in(self._row), "chosen", show_first=False)
        if self._asked != (self.elsewhere.level is not None):
            self._preview()

    def _point_at(self, place: Place) -> None:
        if place.template != self._row:
            self._show(place.template)
        self.editor.highlight([(place.start, place.end)])

    def _set(self, templates: tuple[TemplateFile, ...], text: str) -> bool:
        simulator = msgspec.structs.replace(self.problem.declared.simulator, templates=templates)
        return self.problem.edit(text, simulator=simulator)

    def _changed(self, step: str, **changes: str) -> bool:
        if not self.templates:
            return False
        changed = msgspec.structs.replace(self.templates[self._row], **changes)
        return self._set((*self.templates[: self._row], changed, *self.templates[self._row + 1 :]), step)

    def _typed(self, text: str) -> None:
        self._changed("Edit template", text=text)

    def _ask_to_edit(self) -> None:
        """Runs were made with this text: what a change of it means for them."""
        chosen = ask_to_edit_text(self, self.problem, self.file, self.run, self.templates[self._row].target)
        if chosen == "kept":
            self.message.say("info", KEPT, KEPT_CHECK)
        if chosen:
            self.editor.start_editing()
            self.editor.setFocus()

    def _rename(self, text: str) -> None:
        self._changed("Rename input file", target=text.strip())

    def _with_text(self, problem: Problem, text: str) -> Problem:
        templates = list(problem.simulator.templates)
        templates[self._row] = msgspec.structs.replace(templates[self._row], text=self.editor.restored(text))
        simulator = msgspec.structs.replace(problem.simulator, templates=tuple(templates))
        return msgspec.structs.replace(problem, simulator=simulator)

    def _append(self, template: TemplateFile, path: Path | None = None) -> None:
        """``path``: of the file that it was opened from, which is no fixed file any more."""
        self.message.clear()
        before = self.problem.declared.simulator
        if path is not None:
            before = without_filled(before, path, template.target, self.file.folder)
        simulator = msgspec.structs.replace(before, templates=(*self.templates, template))
        taken = with_copies(simulator, self.file.folder)
        if self.problem.edit("Add input file", simulator=taken):
            self._show(len(self.templates) - 1)
            self.editor.setFocus()
            if taken != simulator:
                self.message.say("info", f"The command names the run's own copy now: “{one_line(template.target, 40)}”.")

    def _new(self) -> None:
        self._append(TemplateFile(target=self._free_target("input.txt"), text=""))
        self.editor.start_editing()

    def _remove(self) -> None:
        self._set((*self.templates[: self._row], *self.templates[self._row + 1 :]), "Remove input file")

    def ask_for_file(self) -> None:
        """Let the user choose one of the program's input files."""
        path = ask.file(self, "Input file of your program", self.file.place)
        if path is not None:
            self.open_file(path)

    def open_file(self, path: Path) -> None:
        """Take ``path`` as a template; a file that is no text is refused with a sentence."""
        try:
            text = read_text(path, MAX_TEMPLATE_BYTES, "input").text
        except ProblemError as error:
            self.message.say("error", error.what, error.suggestion)
            return
        there = self._open_already(path, text)
        if there is None:
            self._take(path, text)
            return
        self._show(there)
        self._again = path, text
        name = one_line(self.templates[there].target, 40)
        changed = "It was changed since: this is its text as it was." if self.templates[there].original != text else ""
        self.message.say("info", f"“{name}” is open already: here it is.", changed, "Open it a second time")
        self.editor.setFocus()

    def _open_already(self, path: Path, text: str) -> int | None:
        """Which template is this file: of the same path, or of the same name and text."""
        then = self._opened.get(path.resolve(), text)
        known = path.resolve() in self._opened
        return next(
            (i for i, t in enumerate(self.templates) if t.original == then and (known or Path(t.target).name == path.name)), None
        )

    def _open_again(self) -> None:
        if self._again is not None:
            self._take(*self._again)

    def _take(self, path: Path, text: str) -> None:
        self._again, self._opened[path.resolve()] = None, text
        wish = relative_name(path, roots(self.problem.declared.simulator, self.file.folder))
        target = self._free_target(wish)
        self._append(TemplateFile(target=target, text=text, original=text), path)
        self.companions.look(path, text)
        if target != wish:
            words = f"“{one_line(path.name, 40)}” is the name of another input file here. This one is written as “{target}”."
            self.message.say("info", words, "Type another name beside “written as” if the program expects one.")

    def _free_target(self, wish: str) -> str:
        taken = {t.target for t in self.templates}
        if wish not in taken:
            return wish
        stem, dot, end = wish.rpartition(".")
        stem, dot, end = (stem, dot, end) if dot else (wish, "", "")
        return next(name for k in range(2, len(taken) + 3) if (name := f"{stem}-{k}{dot}{end}") not in taken)
