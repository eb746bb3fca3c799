"""A line below the summary: how probable it is that a parameter lies below a value that is typed."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QWidget

from bayescope.engine.answer.posterior import StoredPosterior
from bayescope.engine.problem.definition import Parameter
from bayescope.gui.models.plain import number_of, one_line
from bayescope.gui.models.results.probability import below_words, first_asked
from bayescope.gui.models.results.summary import title_of
from bayescope.gui.widgets.elided import ElidedLabel
from bayescope.gui.widgets.forms import Choice, LineField, refusal
from bayescope.gui.widgets.notices import label

FIELD = 110  # pixels
TIP = "How sure it is that the parameter is not zero, or lies on one side of any other value."


class ProbabilityLine(QWidget):
    """``show_posterior``: of which it is asked; None: there is none, and nothing is shown."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._posterior: StoredPosterior | None = None
        self.which = Choice("Parameter of which the probability is asked", TIP)
        self.which.chosen.connect(lambda _: self._say())
        self.value = LineField("Value it lies below", TIP)
        self.value.setMaximumWidth(FIELD)
        self.value.committed.connect(lambda _: self._say())
        self.said = ElidedLabel("value")
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(8)
        for part in (label("Probability that", "hint"), self.which, label("is below", "hint"), self.value):
            line.addWidget(part)
        line.addWidget(self.said, 1)
        self.hide()

    def show_posterior(self, posterior: StoredPosterior | None, parameters: tuple[Parameter, ...] = ()) -> None:
        """What was asked stays where it can be asked of the new answer, too."""
        self._posterior = posterior
        self.setVisible(posterior is not None)
        if posterior is None:
            self.value.setText("")
            return
        free = {p.name: p for p in parameters if p.name in posterior.names}
        name, value = first_asked(posterior, parameters)
        kept = self.which.key() if self.which.key() in free and self.value.text() else ""
        self.which.offer([(n, one_line(title_of(free[n]), 40)) for n in posterior.names], kept or name)
        if not kept:
            self.value.show_text(value)
        self._say()

    def _say(self) -> None:
        if self._posterior is None or not self.value.text().strip():
            self.said.say("")
            return
        try:
            value = number_of(self.value.text(), "The value")
        except ValueError as error:
            self.said.say(refusal("The value", self.value.text(), error))
            return
        self.said.say(below_words(self._posterior.below(self.which.key(), value)))
