"""The style sheet, filled from the named colours. What pages may use:

* ``QPushButton``: property ``kind`` = ``primary`` | ``danger`` | ``quiet`` | ``link`` (none: normal).
* ``QLabel``: property ``role`` = ``title`` | ``heading`` | ``hint`` | ``value`` | ``ok`` | ``warning`` |
  ``error`` | ``mono``.
* ``QFrame``: property ``role`` = ``card`` | ``well`` | ``banner-ok`` | ``banner-warning`` | ``banner-error`` |
  ``banner-info`` | ``line``.
* ``QTabBar``: property ``kind`` = ``dense`` or ``tight`` for many tabs in a narrow place.
* any input: property ``state`` = ``error`` | ``warning`` draws its border in that colour.

After changing a property at run time call ``theme.repolish(widget)``. Fonts scale with the system's.
"""

from __future__ import annotations

from dataclasses import asdict
from string import Template

from bayescope.gui.style.colours import Colours

_SHEET = Template("""
* { outline: none; }
QMainWindow, QDialog, QWidget#page, QWidget#window { background: $window; }
QWidget { color: $text; }
QToolTip { background: $raised; color: $text; border: 1px solid $border_strong; padding: 5px 7px; }
QMenuBar { background: $surface; border-bottom: 1px solid $border; padding: 1px 4px; }
QMenuBar::item { padding: 4px 9px; border-radius: 4px; background: transparent; }
QMenuBar::item:selected, QMenuBar::item:pressed { background: $accent_soft; }
QMenu { background: $surface; border: 1px solid $border_strong; padding: 5px 0; }
QMenu::item { padding: 5px 26px 5px 22px; }
QMenu::item:selected { background: $accent_soft; color: $text; }
QMenu::item:disabled { color: $disabled; }
QMenu::separator { height: 1px; background: $border; margin: 5px 0; }
QStatusBar { background: $surface; border-top: 1px solid $border; color: $muted; }
QStatusBar::item { border: none; }
QStatusBar QLabel { color: $muted; padding: 1px 8px; }

QLabel { background: transparent; }
QLabel[role="title"] { font-size: ${title}pt; font-weight: 600; }
QLabel[role="heading"] { font-size: ${heading}pt; font-weight: 600; }
QLabel[role="hint"] { color: $muted; }
QLabel[role="caption"] { color: $muted; font-size: ${small}pt; }
QLabel[role="value"] { font-size: ${heading}pt; font-weight: 600; }
QLabel[role="value"][state="error"] { color: $error; }
QLabel[role="ok"] { color: $ok; }
QLabel[role="warning"] { color: $warning; }
QLabel[role="error"] { color: $error; }
QLabel[role="tip"] { background: $raised; color: $text; border: 1px solid $border_strong; border-radius: 5px;
  padding: 6px 9px; font-size: ${small}pt; }
QLabel[role="mono"] { font-family: monospace; }
QLabel[role="chip"] { border-radius: 9px; padding: 2px 10px; background: $sunken; color: $muted; font-weight: 600; }
QLabel[role="chip"][state="ok"] { background: $ok_soft; color: $ok; }
QLabel[role="chip"][state="busy"] { background: $accent_soft; color: $accent; }
QLabel[role="chip"][state="warning"] { background: $warning_soft; color: $warning; }
QLabel[role="chip"][state="error"] { background: $error_soft; color: $error; }

QFrame[role="card"] { background: $surface; border: 1px solid $border; border-radius: 8px; }
QFrame[role="well"] { background: $sunken; border: 1px solid $border; border-radius: 6px; }
QFrame[role="strip"] { background: $raised; border: none; border-bottom: 1px solid $border; }
QFrame[role="strip"] QLabel { font-size: ${small}pt; }
QFrame[role="strip"] QLineEdit { min-height: 0; padding: 0 5px; border-radius: 4px; }
QFrame[role="strip"] QToolButton { padding: 1px 3px; }
QFrame[role="line"] { background: $border; border: none; max-height: 1px; min-height: 1px; }
QFrame[role="banner-ok"] { background: $ok_soft; border: 1px solid $ok; border-radius: 6px; }
QFrame[role="banner-info"] { background: $accent_soft; border: 1px solid $accent; border-radius: 6px; }
QFrame[role="banner-warning"] { background: $warning_soft; border: 1px solid $warning; border-radius: 6px; }
QFrame[role="banner-error"] { background: $error_soft; border: 1px solid $error; border-radius: 6px; }
QFrame#workflow { background: $surface; border: none; border-bottom: 1px solid $border; }

QPushButton { background: $raised; color: $text; border: 1px solid $border_strong; border-radius: 6px;
  padding: 5px 14px; min-height: 1.25em; }
QPushButton:hover { background: $accent_soft; border-color: $accent; }
QPushButton:pressed { background: $selection; }
QPushButton:focus { border: 2px solid $focus; padding: 4px 13px; }
QPushButton:disabled { color: $disabled; border-color: $border; background: $window; }
QPushButton:checked { background: $accent_soft; border-color: $accent; color: $accent; }
QPushButton[kind="primary"] { background: $accent; color: $on_accent; border: 1px solid $accent; font-weight: 600; }
QPushButton[kind="primary"]:hover { background: $accent_hover; }
QPushButton[kind="primary"]:pressed { background: $accent_pressed; }
QPushButton[kind="primary"]:focus { border: 2px solid $text; padding: 4px 13px; }
QPushButton[kind="primary"]:disabled { background: $sunken; color: $disabled; border-color: $border; }
QPushButton[kind="danger"] { color: $error; border-color: $error; }
QPushButton[kind="danger"]:hover { background: $error_soft; }
QPushButton[kind="danger"]:disabled { color: $disabled; border-color: $border; }
QPushButton[kind="quiet"] { background: transparent; border: 1px solid transparent; }
QPushButton[kind="quiet"]:hover { background: $accent_soft; }
QPushButton[kind="quiet"]:focus { border: 2px solid $focus; }
QPushButton[kind="link"] { background: transparent; border: 1px solid transparent; color: $accent;
  padding: 2px 4px; text-align: left; }
QPushButton[kind="link"]:hover { text-decoration: underline; }
QPushButton[kind="link"]:focus { border: 1px solid $focus; }
QDialogButtonBox, QMessageBox { dialogbuttonbox-buttons-have-icons: 0; }
QToolButton { background: transparent; border: 1px solid transparent; border-radius: 5px; padding: 3px;
  color: $text; }
QToolButton:hover { background: $accent_soft; }
QToolButton:pressed, QToolButton:checked { background: $selection; }
QToolButton[kind="switch"] { border: 1px solid $border_strong; padding: 2px 8px; font-size: ${small}pt; }
QToolButton[kind="switch"]:checked { border: 1px solid $accent; color: $accent; background: $accent_soft; }
QToolButton:focus, QToolButton[kind="switch"]:focus { border: 1px solid $focus; }
QToolButton:disabled { color: $disabled; }
QToolButton::menu-indicator { image: none; width: 0; }

QLineEdit, QPlainTextEdit, QTextEdit, QTextBrowser, QSpinBox, QDoubleSpinBox, QComboBox, QAbstractSpinBox {
  background: $surface; color: $text; border: 1px solid $border_strong; border-radius: 5px; padding: 4px 7px;
  selection-background-color: $accent; selection-color: $on_accent; }
QLineEdit, QComboBox, QAbstractSpinBox { min-height: 1.25em; }
QLineEdit[kind="dense"] { min-height: 0; padding: 1px 5px; border-radius: 4px; }
QLineEdit:focus, QPlainTextEdit:focus, QTextEdit:focus, QTextBrowser:focus, QComboBox:focus,
  QAbstractSpinBox:focus { border: 2px solid $focus; padding: 3px 6px; }
QLineEdit[kind="dense"]:focus { padding: 0 4px; }
QLineEdit:read-only, QPlainTextEdit:read-only, QTextEdit:read-only { background: $raised; border-color: $border; }
QLineEdit:disabled, QPlainTextEdit:disabled, QComboBox:disabled, QAbstractSpinBox:disabled { color: $muted;
  background: $window; border-color: $border; }
QLineEdit[state="error"], QPlainTextEdit[state="error"], QComboBox[state="error"],
  QAbstractSpinBox[state="error"] { border: 2px solid $error; padding: 3px 6px; }
QLineEdit[state="warning"], QPlainTextEdit[state="warning"], QComboBox[state="warning"],
  QAbstractSpinBox[state="warning"] { border: 2px solid $warning; padding: 3px 6px; }
QSpinBox[kind="inline"] { padding: 0 2px; min-height: 0; font-weight: 600; }
QSpinBox[kind="inline"]:focus { border: 1px solid $focus; padding: 0 2px; }
QComboBox { combobox-popup: 0; }
QComboBox QAbstractItemView::item { min-height: 1.7em; padding: 0 8px; }
QComboBox::drop-down { border: none; width: 22px; }
QComboBox::down-arrow { image: url("$arrow_down"); width: 10px; height: 10px; }
QComboBox QAbstractItemView { background: $surface; border: 1px solid $border_strong;
  selection-background-color: $accent_soft; selection-color: $text; padding: 0; margin: 0; }
QSpinBox::up-button, QDoubleSpinBox::up-button { border: none; width: 18px; }
QSpinBox::down-button, QDoubleSpinBox::down-button { border: none; width: 18px; }
QSpinBox::up-arrow, QDoubleSpinBox::up-arrow { image: url("$arrow_up"); width: 9px; height: 9px; }
QSpinBox::down-arrow, QDoubleSpinBox::down-arrow { image: url("$arrow_down"); width: 9px; height: 9px; }
QCheckBox, QRadioButton { spacing: 7px; padding: 2px; background: transparent; border: 1px solid transparent;
  border-radius: 4px; }
QCheckBox:focus, QRadioButton:focus { border: 1px solid $focus; }
QCheckBox::indicator, QRadioButton::indicator {
    width: 14px; height: 14px; background: $surface; border: 1px solid $border_strong;
}
QCheckBox::indicator { border-radius: 4px; }
QRadioButton::indicator { border-radius: 8px; }
QCheckBox::indicator:hover, QRadioButton::indicator:hover { border-color: $accent; }
QCheckBox::indicator:checked { background: $accent; border-color: $accent; image: url("$check"); }
QRadioButton::indicator:checked { width: 6px; height: 6px; border: 5px solid $accent; background: $on_accent; }
QCheckBox::indicator:disabled, QRadioButton::indicator:disabled { background: $sunken; border-color: $border; }
QCheckBox::indicator:checked:disabled { background: $disabled; border-color: $disabled; }
QRadioButton::indicator:checked:disabled { border-color: $disabled; }
QCheckBox:disabled, QRadioButton:disabled { color: $muted; }
QGroupBox { background: $surface; border: 1px solid $border; border-radius: 8px; margin-top: 1.1em;
  padding: 10px; font-weight: 600; }
QGroupBox::title { subcontrol-origin: margin; left: 10px; padding: 0 4px; }

QTabWidget::pane { border: 1px solid $border; border-radius: 6px; background: $surface; }
QTabBar { background: transparent; qproperty-drawBase: 0; }
QTabBar::tab { background: transparent; color: $muted; padding: 6px 14px; border: none;
  border-bottom: 2px solid transparent; }
QTabBar[kind="dense"]::tab { padding: 6px 9px; }
QTabBar[kind="tight"]::tab { padding: 6px 5px; }
QTabBar::tab:hover { color: $text; }
QTabBar::tab:selected { color: $text; border-bottom: 2px solid $accent; font-weight: 600; }
QTabBar::tab:focus { background: $accent_soft; }
QTabBar::tab:disabled { color: $disabled; }

QTableView, QListView, QTreeView { background: $surface; alternate-background-color: $raised;
  border: 1px solid $border; border-radius: 6px; padding: 1px;
  gridline-color: $border; selection-background-color: $selection; selection-color: $text; }
QTableView:focus, QListView:focus, QTreeView:focus { border: 2px solid $focus; padding: 0px; }
QTableView::item { padding: 2px 6px; }
QHeaderView { background: $raised; border: none; }
QHeaderView::section { background: $raised; color: $muted; border: none; border-right: 1px solid $border;
  border-bottom: 1px solid $border; padding: 5px 7px; font-weight: 600; }
QAbstractScrollArea::corner { background: transparent; border: none; }
QTableCornerButton::section { background: $raised; border: none; border-bottom: 1px solid $border; }

QScrollArea { background: transparent; border: none; }
QScrollArea > QWidget > QWidget { background: transparent; }
QScrollBar:vertical { background: transparent; width: 12px; margin: 2px; }
QScrollBar:horizontal { background: transparent; height: 12px; margin: 2px; }
QScrollBar::handle { background: $border_strong; border-radius: 4px; min-height: 28px; min-width: 28px; }
QScrollBar::handle:hover { background: $muted; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QSplitter::handle { background: transparent; }
QSplitter::handle:hover { background: $accent_soft; }
QProgressBar { background: $sunken; border: none; border-radius: 3px; max-height: 6px; min-height: 6px;
  text-align: center; }
QProgressBar::chunk { background: $accent; border-radius: 3px; }
QSlider { min-height: 22px; }
QSlider::groove:horizontal { background: $sunken; height: 4px; border-radius: 2px; border: 1px solid $border; }
QSlider::sub-page:horizontal { background: $accent; height: 4px; border-radius: 2px; }
QSlider::sub-page:horizontal:disabled { background: $border; }
QSlider::handle:horizontal { background: $surface; border: 2px solid $accent; width: 12px; height: 12px;
  margin: -7px 0; border-radius: 8px; }
QSlider::handle:horizontal:focus { background: $accent; border-color: $focus; }
QSlider::handle:horizontal:disabled { border-color: $border; }
""")


def stylesheet(colours: Colours, base_pt: float, arrow_up: str, arrow_down: str, check: str) -> str:
    """The sheet for one theme; ``base_pt`` is the system's font size, headings are multiples of it."""
    sizes = {"title": f"{base_pt * 1.5:.1f}", "heading": f"{base_pt * 1.18:.1f}", "small": f"{base_pt * 0.88:.1f}"}
    return _SHEET.substitute(asdict(colours), **sizes, arrow_up=arrow_up, arrow_down=arrow_down, check=check)
