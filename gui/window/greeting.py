"""The first thing a window says: the tour at the first start ever, what is new at the first start after an update."""

from __future__ import annotations

from importlib import metadata
from typing import TYPE_CHECKING

from PySide6.QtCore import QSettings

from bayescope.gui.models.recent import listed
from bayescope.gui.widgets.bubble import Bubble

if TYPE_CHECKING:
    from bayescope.gui.window.main_window import MainWindow

SEEN = "greeted-version"  # the version that has last greeted this user


def own_version() -> str:
    try:
        return metadata.version("bayescope")
    except metadata.PackageNotFoundError:
        return "from source"


def greet(window: MainWindow, settings: QSettings) -> Bubble | None:
    """A bubble that offers the tour or the news, and is not shown a second time; None: there is nothing to say, or only to
    somebody without analyses."""
    seen, version = str(settings.value(SEEN) or ""), own_version()
    if seen == version:
        return None
    settings.setValue(SEEN, version)
    if not seen and listed():
        return None  # who has analyses was here before
    from bayescope.gui.pages.welcome import WelcomePage

    bubble = Bubble(window)
    if seen:
        news = "Help > What is new tells what has changed. Nothing was sent or fetched."
        bubble.say(f"Bayescope is now version {version}", news)
        later, accept = bubble.add_button("&Close"), bubble.add_button("&What is new", "primary")
        accept.clicked.connect(window.actions_of_window.show_news)
    else:
        bubble.say(
            "Is this your first time here?",
            "A tour shows on an example how it works: five bubbles, two minutes. You find it again under Help > Take the tour. "
            "Bayescope works without a network and sends nothing by itself.",
        )
        later, accept = bubble.add_button("Not no&w"), bubble.add_button("&Take the tour", "primary")
        accept.clicked.connect(window.take_tour)
    for button in (later, accept):
        button.clicked.connect(bubble.hide)
        button.clicked.connect(bubble.deleteLater)
    bubble.left.connect(bubble.hide)
    window.went.connect(bubble.hide)  # it would lie over what the other page is for
    page = window.page("welcome")
    if window.current == "welcome" and isinstance(page, WelcomePage):
        bubble.point_at(page.new_button, within=page.begun)  # the examples beside stay in sight
    else:
        bubble.point_at(window.bar)
    accept.setFocus()
    return bubble
