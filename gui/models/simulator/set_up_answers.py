"""What the user answered while setting up: guessed priors agreed to, what need not be compared, doubts passed over."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec

from bayescope.engine.problem.definition import Output, Prior, Problem
from bayescope.engine.protocol import TrialRunReport
from bayescope.engine.session.read_files import ReadFile, with_file
from bayescope.engine.session.settled import Settled, with_idle
from bayescope.gui.analysis.analysis_file import AnalysisFile
from bayescope.gui.analysis.declared_problem import DeclaredProblem
from bayescope.gui.models.first_ranges import guessed_from
from bayescope.gui.models.prior_families import converted, family_of


class SetUpAnswers:
    """Kept in the session file; ``changed`` is called after each answer that changes what a page asks."""

    def __init__(self, problem: DeclaredProblem, file: AnalysisFile, changed: Callable[[], None]) -> None:
        self.problem, self.file, self._changed = problem, file, changed

    @property
    def settled(self) -> Settled:
        """What the user answered so far; it is in the session file."""
        return self.file.settled

    @property
    def lines(self) -> tuple[str, ...]:
        """What the data files say around their tables."""
        return tuple(line for one in self.settled.files for line in one.around)

    @property
    def keys(self) -> tuple[str, ...]:
        """The data columns of which was said, as their files were imported, that they pair rows."""
        return tuple(dict.fromkeys(key for one in self.settled.files for key in one.keys))

    def _settle(self, **answers: Any) -> None:
        self.file.settle(msgspec.structs.replace(self.settled, **answers))

    def guess(self, name: str, prior: Prior, value: float | None = None) -> None:
        """The first prior of a parameter, made from a number in an input (its ``value``) and a remark on it, not by the user."""
        known = self.settled
        numbers = known.numbers if value is None else {**known.numbers, name: value}
        self._settle(guesses={**known.guesses, name: prior}, agreed=known.agreed - {name}, numbers=numbers)

    def number_of(self, name: str) -> float | None:
        """The number in an input that the first prior of a parameter was made from; None: it was made from none, or from zero."""
        known = self.settled
        return known.numbers.get(name) or guessed_from(known.guesses.get(name))

    def agree(self, names: Iterable[str]) -> None:
        """The guessed priors of these parameters are taken as they are."""
        self._settle(agreed=self.settled.agreed | set(names))
        self._changed()

    def said(self, names: Iterable[str]) -> None:
        """The priors of these parameters are the user's own, though they be what was guessed."""
        known, mine = self.settled, set(names)
        numbers = {**known.numbers, **{n: v for n in mine & set(known.guesses) if (v := self.number_of(n)) is not None}}
        self._settle(guesses={n: p for n, p in known.guesses.items() if n not in mine}, numbers=numbers)
        self._changed()

    def renamed(self, old: str, new: str) -> None:
        """What is known of a parameter goes with its new name."""
        known = self.settled
        if old in known.typed:
            self._settle(typed={**known.typed, new: known.typed[old]})
            known = self.settled
        if old in known.guesses:
            also = {new} if old in known.agreed else set()
            numbers = {**known.numbers, new: known.numbers[old]} if old in known.numbers else known.numbers
            self._settle(guesses={**known.guesses, new: known.guesses[old]}, agreed=known.agreed | also, numbers=numbers)

    def note_typed(self, name: str, text: str) -> None:
        """``text`` was typed as the prior of this parameter."""
        self._settle(typed={**self.settled.typed, name: text})

    def guessed(self) -> list[str]:
        """Parameters to learn whose prior is still as it was guessed, perhaps in another shape: no number of it was said."""
        guesses = self.settled.guesses
        free = [p for p in self.problem.declared.parameters if p.fixed is None and p.name in guesses]
        return [p.name for p in free if p.prior == converted(guesses[p.name], family_of(p.prior))]

    def open_guesses(self) -> list[str]:
        """Those of the guessed ones that the user has not agreed to."""
        return [name for name in self.guessed() if name not in self.settled.agreed]

    def note_steady(self, names: Iterable[str]) -> None:
        """Two test runs tell that these outputs are the same at other values; a copy of the analysis knows it too."""
        if not self.problem.locked:
            known = set(names)
            self._settle(steady=tuple(o for o in self.problem.declared.outputs if o.name in known))

    def note_idle(self, names: Sequence[str]) -> None:
        """Runs tell that these parameters change nothing in the outputs; a copy of the analysis knows it too."""
        if not self.problem.locked and (names or self.settled.idle):
            self.file.settle(with_idle(self.settled, self.problem.declared, names))

    def note_tried(self, report: TrialRunReport, then: Sequence[Output]) -> None:
        """What a good test run of the outputs ``then`` gave tells of units and signs; a copy of the analysis knows it too."""
        from bayescope.gui.models.simulator.trials.kept_outputs import tried_outputs

        problem = self.problem.declared
        if not self.problem.locked and (tried := tried_outputs(problem, report, then)):
            self._settle(tried=tried, tried_of=problem.simulator.command)

    def note_time(self, seconds: float, command: tuple[str, ...]) -> None:
        """What a test run of the program took: the estimate is there again when the analysis is opened the next time."""
        if not self.problem.locked and seconds > 0.0:
            self._settle(took=seconds, ran=command)

    @property
    def run_seconds(self) -> float | None:
        """What a run of the program as it is called now took when it was tried last, perhaps by an earlier window."""
        known = self.settled
        return known.took if known.took > 0.0 and known.ran == self.problem.declared.simulator.command else None

    def leave_idle(self, names: tuple[str, ...]) -> None:
        """These outputs and columns need be in no summary."""
        self._settle(not_needed=self.settled.not_needed | set(names))
        self._changed()

    def leave_out(self, index: int) -> None:
        """Without the summary ``index``, whose output and column need be in none from now on."""
        from bayescope.gui.models.data.summary_faults import left_out

        before = self.problem.declared
        summary = getattr(before.meaning, "summaries", ())[index]
        if self.problem.replace(left_out(before, index), "Remove summary"):
            self.leave_idle((summary.output, summary.column))

    def guess_day(self, start: float) -> None:
        """``start`` (s since 1970) is a proposed day 0 of the dates: it waits to be confirmed."""
        self._settle(guessed_days=self.settled.guessed_days | {start})
        self._changed()

    def keep(self, words: str) -> None:
        """What ``words`` say of the comparisons is as the user wants it."""
        self._settle(kept=self.settled.kept | {words})
        self._changed()

    def note_divided(self, problem: Problem, columns: tuple[str, ...], factor: float) -> None:
        """In the table of ``problem`` these columns of errors are divided by ``factor``."""
        from bayescope.gui.models.data.errors.divided_columns import noted

        self._settle(divided={**self.settled.divided, **noted(problem, columns, factor)})

    def note_file(self, one: ReadFile, alone: bool) -> None:
        """A table was taken from a file, read so; ``alone``: it is the only one of the measured data now."""
        self._settle(files=with_file(() if alone else self.settled.files, one))
