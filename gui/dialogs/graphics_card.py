"""Help > Graphics card: the CUDA build of PyTorch, with what it costs said before, fetched, paused, removed."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QCloseEvent, QResizeEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QProgressBar, QPushButton, QVBoxLayout, QWidget

from bayescope.engine.cuda.install import disk_bytes
from bayescope.gui.analysis.cuda_build import CudaBuild, cuda_build
from bayescope.gui.dialogs.messages import ask

_STEPS = 1000  # of the bar
_GAIN = (
    "Bayescope computes on the processor. With the CUDA build of PyTorch an NVIDIA card computes what gains by it: fits to "
    "thousands of earlier evaluations, the surrogate at thousands of points at once, and outputs that are learnt if you choose "
    "the card in the run settings."
)
_DOING = {"download": "Downloading", "unpack": "Unpacking", "try": "Trying it in a process of its own"}


class GraphicsCard(QDialog):
    """A view of ``build``, which goes on when this is closed."""

    def __init__(self, build: CudaBuild, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("graphics-card")
        self.setWindowTitle("Graphics card")
        self.setMinimumWidth(560)
        self.build = build
        self.about, self.cost, self.card, self.words = (self._label(role) for role in ("", "hint", "heading", ""))
        self.about.setText(_GAIN)
        self.bar = QProgressBar(textVisible=False)
        self.bar.setRange(0, _STEPS)
        self.bar.setAccessibleName("How much has been downloaded")
        self.start_button, self.pause_button = QPushButton(), QPushButton("&Pause")
        self.start_button.setProperty("kind", "primary")
        self.remove_button, self.close_button = QPushButton("&Remove…"), QPushButton("Close")
        self.remove_button.setToolTip("Delete it, and what has been downloaded of it; Bayescope then computes on the processor")
        for button, slot in (
            (self.start_button, build.start), (self.pause_button, build.pause), (self.remove_button, self._remove),
            (self.close_button, self.close),
        ):  # fmt: skip
            button.clicked.connect(lambda _=False, slot=slot: slot())
        row = QHBoxLayout()
        row.addWidget(self.remove_button)
        row.addStretch(1)
        for button in (self.start_button, self.pause_button, self.close_button):
            row.addWidget(button)
        box = QVBoxLayout(self)
        box.setContentsMargins(20, 18, 20, 16)
        box.setSpacing(12)
        for widget in (self.card, self.about, self.cost, self.bar, self.words):
            box.addWidget(widget)
        box.addStretch(1)
        box.addLayout(row)
        build.changed.connect(self.refresh)
        self.refresh()
        build.look()

    @staticmethod
    def _label(role: str) -> QLabel:
        label = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        label.setProperty("role", role)
        return label

    def refresh(self) -> None:
        """As ``build`` is now."""
        build, state = self.build, self.build.state
        under_way = state in ("working", "pausing", "removing")
        self.card.setText(self._card_words())
        self.cost.setText(
            f"It is {disk_bytes(build.wheels) / 1e9:.1f} GB on the disk, in {build.place.root}. Its files come from "
            "files.pythonhosted.org (PyPI), under the licences of PyTorch and NVIDIA; every one is compared with a checksum that "
            "came with Bayescope. Nothing is downloaded before you say so."
        )
        self.words.setText(self._state_words())
        self.bar.setVisible(state in ("working", "pausing", "partial"))
        self.bar.setValue(self._share())
        size = f"{build.to_come / 1e9:.1f} GB" if build.to_come >= 5e7 else f"{build.to_come / 1e6:.1f} MB"
        self.start_button.setText(f"&Resume, {size} more" if state == "partial" else f"&Download {size}")
        self.start_button.setVisible(state in ("absent", "partial") and not build.for_everybody)
        self.start_button.setEnabled(build.cards is not None and not build.useless)
        self.start_button.setToolTip(build.useless)
        self.pause_button.setVisible(state in ("working", "pausing"))
        self.pause_button.setEnabled(state == "working")
        self.remove_button.setVisible(state in ("partial", "installed"))
        self.words.setVisible(bool(self.words.text()))
        self.close_button.setToolTip("The download goes on; closing Bayescope pauses it" if under_way else "")
        self._fit()

    def _fit(self) -> None:
        """No text is cut where it needs another line."""
        box = self.layout()
        if box is not None:
            box.activate()
            self.setMinimumHeight(box.totalHeightForWidth(max(self.width(), self.minimumWidth())))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _card_words(self) -> str:
        build = self.build
        if build.useless:
            return build.useless
        if build.cards is None:
            return "Looking for a card…"
        return f"This computer has an NVIDIA card: {', '.join(card.name for card in build.cards)}"

    def _state_words(self) -> str:
        build, state, step = self.build, self.build.state, self.build.step
        if state == "working" and step is not None:
            amount = f": {step.done / 1e9:.2f} of {step.total / 1e9:.2f} GB" if step.doing == "download" else ""
            return f"{_DOING.get(step.doing, '')}{amount}. You can close this and go on working."
        said = {
            "working": "Beginning…",
            "pausing": "Pausing…",
            "removing": "Deleting…",
            "partial": "Paused. What has come is kept.",
            "installed": "It is installed and works; it is used when Bayescope is started the next time.",
            "absent": f"It is installed for everybody on this computer, in {build.for_everybody}." * bool(build.for_everybody),
        }[state]
        return f"{build.words} {said}".strip() if build.words else said

    def _share(self) -> int:
        total = sum(w.size for w in self.build.wheels.needed())
        step = self.build.step
        done = step.done if self.build.state == "working" and step is not None else total - self.build.to_come
        return int(_STEPS * done / total) if total else 0

    def _remove(self) -> None:
        question, buttons = "Delete the CUDA build of PyTorch?", (("&Delete", "destroy"), ("Cancel", "cancel"))
        if ask(self, "Graphics card", question, "It can be downloaded again.", *buttons) == "Delete":
            self.build.remove()

    def closeEvent(self, event: QCloseEvent) -> None:
        self.build.changed.disconnect(self.refresh)
        super().closeEvent(event)
        self.deleteLater()


def show_graphics_card(window: QWidget) -> GraphicsCard:
    """Open it, or bring forward the one that is open."""
    found = window.findChild(GraphicsCard)
    if found is None:
        found = GraphicsCard(cuda_build(), window)
        found.setModal(window.isModal())
        found.show()
    found.raise_()
    found.activateWindow()
    return found
