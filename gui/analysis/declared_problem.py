"""What the user declares, as the window edits it: the problem, undo, findings, and what is locked and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import msgspec
from PySide6.QtCore import QObject, Signal

from bayescope.engine.problem.definition import LogLikelihoodOutput, Problem, Simulator, free_parameters, is_estimate
from bayescope.engine.problem.findings import shorten
from bayescope.engine.problem.may_change import same_but_texts, same_runs
from bayescope.gui.analysis.counting import noun
from bayescope.gui.analysis.number_formats import following
from bayescope.gui.analysis.reports import Reports
from bayescope.gui.analysis.run_link import RunLink
from bayescope.gui.analysis.session_file import OpenFile
from bayescope.gui.analysis.sizes_said import said_for_its_own
from bayescope.gui.analysis.undo import EditStack, ProblemEdit

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from bayescope.engine.problem.checks.validate import Finding
    from bayescope.engine.problem.transforms import ParameterSpace

EMPTY = Problem(
    name="Untitled analysis",
    parameters=(),
    simulator=Simulator(command=()),
    outputs=(),
    meaning=LogLikelihoodOutput(output=""),
)


def named_after(problem: Problem, path: Path) -> Problem:
    """With the name of its file, if it has none of its own."""
    return msgspec.structs.replace(problem, name=path.stem) if problem.name == EMPTY.name else problem

TEXTS_ALONE = (
    "While the runs are kept, only what stands beside placeholders may change (in input files, standard input, arguments, "
    "variables), and the fixed files."
)


class DeclaredProblem(QObject):
    """``declared`` is the problem now. What the run (``link``) and the file (``opened``) allow to be changed, can be."""

    replaced = Signal()  # the declared problem is another one (edit, undo, open): who judges it does so now, before it is told
    changed = Signal()  # as ``replaced``, or other things are wrong with it
    edited = Signal()  # by an edit, an undo or a redo: it differs from what is on disk

    def __init__(self, link: RunLink, opened: OpenFile, reports: Reports, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._link, self._opened, self.reports = link, opened, reports
        self._declared = EMPTY
        self._findings: list[Finding] | None = None
        self._held: dict[object, Finding] = {}  # by field: what stands there but cannot be used
        self._tried: tuple[Finding, ...] = ()  # what the newest test run says of the declaration
        self._is_judged = False  # just now
        self._space: ParameterSpace | None = None
        self.undo_stack = EditStack(self._undo_refusal, self)  # what is locked is not undone either

    # ---------------------------------------------------------------- what is declared

    @property
    def declared(self) -> Problem:
        return self._declared

    def replace(self, problem: Problem, text: str, merge_key: str = "") -> bool:
        """Replace the problem as one undoable step named ``text`` ("Change prior of rho").

        Steps with the same non-empty ``merge_key`` within two seconds become one. False (with a report) if the analysis is
        locked or read-only and more than settings, name or description would change.
        """
        if problem == self._declared:
            return True
        problem = said_for_its_own(self._declared, following(self._declared, problem))
        words = self._refusal(problem)
        if words:
            self.reports.report("warning", words, suggestion=self.locked_advice if words == self.locked_words else "")
            return False
        self.undo_stack.push(ProblemEdit(self._declared, problem, text, self._apply, merge_key))
        return True

    def edit(self, text: str, merge_key: str = "", **changes: Any) -> bool:
        """``replace`` with some fields replaced: ``edit("Rename", name="My analysis")``."""
        return self.replace(msgspec.structs.replace(self._declared, **changes), text, merge_key)

    def findings(self, where: str = "", level: Literal["error", "warning"] | None = None) -> list[Finding]:
        """What is wrong or doubtful in the declaration, whose place starts with ``where``; cached per problem.

        What stands in fields but cannot be used comes first, its place being the page; what the newest test run says, last.
        """
        if self._findings is None:
            from bayescope.engine.problem.checks.validate import check

            self._findings = list(check(self._declared, self._opened.now.folder))
        every = (*self._held.values(), *self._findings, *self._tried)
        mine = [f for f in every if f.where.startswith(where) and level in (None, f.level)]
        return [f for f in mine if not (f.first and self._link.n_runs)]

    def tried(self, findings: Sequence[Finding]) -> None:
        """What the newest test run says of the declaration, counted with what validation says."""
        if tuple(findings) != self._tried:
            self._tried = tuple(findings)
            if not self._is_judged:
                self.changed.emit()

    def hold(self, field: object, page: str, words: str) -> None:
        """What stands in ``field`` of ``page`` cannot be used: nothing starts until it is corrected (``words`` empty)."""
        from bayescope.engine.problem.checks.validate import Finding

        before = self._held.pop(field, None)
        if words:
            self._held[field] = Finding("error", page, words, "Correct it, or press Escape in the field.")
        if self._held.get(field) != before:
            self.changed.emit()

    def held(self, page: str = "") -> list[Finding]:
        """What stands in fields of ``page`` (all pages) but cannot be used."""
        return [f for f in self._held.values() if f.where.startswith(page)]

    def holds(self, field: object) -> bool:
        return field in self._held

    @property
    def space(self) -> ParameterSpace | None:
        """Transforms and priors of the free parameters; None while the declaration has errors in its parameters."""
        if self._space is None and self._declared.parameters and not self.findings("parameters", "error"):
            from bayescope.engine.problem.transforms import ParameterSpace

            self._space = ParameterSpace(free_parameters(self._declared))
        return self._space

    @property
    def locked(self) -> bool:
        """True: only settings, name and description may change."""
        return bool(self._opened.now.read_only_words) or self._link.active or self._link.n_runs > 0

    @property
    def locked_words(self) -> str:
        """Why ``locked``, a sentence; empty if it is not."""
        if self._opened.now.read_only_words:
            return self._opened.now.read_only_words
        if self._link.active:
            return "The analysis is running, so what it is about cannot be changed now."
        if self._link.n_runs:
            what = "simulator runs" if noun(self._declared) == "runs" else "points"
            first = self._opened.now.runs_of
            if first is not None:
                return f"This is answered already, from {self._link.n_runs} {what} of “{shorten(first.stem, 40)}” judged anew."
            return f"This analysis holds {self._link.n_runs} {what} made with these choices."
        return ""

    @property
    def can_be_asked_again(self) -> bool:
        """Whether a copy with other noise, data or priors could be answered from the runs there are."""
        return self._link.n_runs > 0 and not self._link.active and not is_estimate(self._declared.meaning)

    @property
    def may_free_texts(self) -> bool:
        """Whether the runs there are are all that speaks against changing what stands beside placeholders."""
        own = self._opened.now.runs_of is None and not self._opened.now.read_only_words
        return own and not self._link.active and self._link.n_runs > 0

    @property
    def texts_free(self) -> bool:
        """Whether texts beside placeholders may change, with the runs kept, as the user wants."""
        return self._opened.now.texts_free and self.may_free_texts

    def free_texts(self) -> None:
        """The user said that a change of what stands beside placeholders changes no result."""
        self._opened.now.texts_free = True
        self.changed.emit()

    @property
    def locked_advice(self) -> str:
        """What to do where it is ``locked``, a sentence; empty while it runs."""
        if self._link.active:
            return ""
        copy = "File > Duplicate without runs"
        if self.may_free_texts:
            texts = self._declared.simulator.templates
            copy += ", or “Edit text” beside an input file" if texts else ", or “Change the arguments” on the Program tab"
        if not self.can_be_asked_again:
            return f"To change it: {copy}."
        return (
            "To change noise, data or priors: File > Ask again without running; a copy is answered from these runs. "
            f"To change the program: {copy}."
        )

    def _undo_refusal(self, problem: Problem) -> str:
        """With what to do instead: a menu entry's tip is all there is room for."""
        words = self._refusal(problem)
        return f"{words} {self.locked_advice}".rstrip() if words and words == self.locked_words else words

    def _refusal(self, problem: Problem) -> str:
        """Why ``problem`` may not replace the present one; empty if it may."""
        if self._opened.now.read_only_words:
            return self._opened.now.read_only_words
        if self._link.active:
            return "The analysis is running. Pause or stop it before you change anything."
        against = () if self._link.n_runs else self._opened.now.needs_runs(problem)
        if against:
            return " ".join(against)
        if self._link.n_runs and not same_runs(problem, self._declared):
            if not self.texts_free:
                return self.locked_words
            return "" if same_but_texts(problem, self._declared) else TEXTS_ALONE
        return ""

    def _apply(self, problem: Problem) -> None:
        self.show(problem)
        self.edited.emit()

    def show(self, problem: Problem) -> None:
        """``problem`` as it is on disk takes the place of what was declared; no step to be undone."""
        self._declared, self._findings, self._space = problem, None, None
        self._is_judged = True
        self.replaced.emit()
        self._is_judged = False
        self.changed.emit()

    def forget(self) -> None:
        """Another analysis is to be shown: no step of this one can be undone, nothing is held up by its fields."""
        self.undo_stack.clear()
        self._held.clear()
