"""The help pages that have something to try beside their words."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from bayescope.gui.dialogs.help_window import offer_lesson


def offer_lessons() -> None:
    """They are made when their pages are opened first."""
    offer_lesson("surrogate", _surrogate)
    offer_lesson("elbo", _elbo)


def _surrogate() -> QWidget:
    from bayescope.gui.plots.lesson_surrogate import SurrogateLesson

    return SurrogateLesson()


def _elbo() -> QWidget:
    from bayescope.gui.plots.lesson_elbo import ElboLesson

    return ElboLesson()
