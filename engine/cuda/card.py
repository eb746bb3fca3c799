"""Whether this computer has an NVIDIA card, and whether its driver is new enough: asked of the driver, without PyTorch."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import msgspec

from ..machine import nvidia_driver
from .wheels import WheelSet

_ASKED = ("--query-gpu=name,driver_version,compute_cap", "--format=csv,noheader")
PATIENCE_S = 10.0  # for a card that sleeps


class Card(msgspec.Struct, frozen=True):
    """``name``, ``driver`` (version) and ``capability`` are empty or 0 where they are not known."""

    name: str = ""
    driver: str = ""
    capability: float = 0.0


def cards() -> list[Card]:
    """What the driver says; may take seconds."""
    tool = nvidia_driver.tool()
    if tool is not None:
        try:
            said = subprocess.run([tool, *_ASKED], capture_output=True, encoding="utf-8", errors="replace", timeout=PATIENCE_S)
        except (OSError, subprocess.TimeoutExpired):
            said = None
        if said is not None and said.returncode == 0:
            return [card for line in said.stdout.splitlines() if (card := _card(line)) is not None]
    return _by_proc(nvidia_driver.KERNEL)


def _card(line: str) -> Card | None:
    words = [word.strip() for word in line.split(",")]
    if len(words) != 3 or not words[0]:
        return None
    return Card(words[0], words[1], float(words[2]) if re.fullmatch(r"\d+\.\d+", words[2]) else 0.0)


def _by_proc(folder: Path) -> list[Card]:
    """Where the driver is there without its tool."""
    try:
        version = re.search(r"\b(\d{3}\.[\d.]+)\b", (folder / "version").read_text(encoding="utf-8", errors="replace"))
        texts = [p.read_text(encoding="utf-8", errors="replace") for p in sorted(folder.glob("gpus/*/information"))]
    except OSError:
        return []
    names = [found[1].strip() if (found := re.search(r"Model:(.*)", text)) else "NVIDIA card" for text in texts]
    return [Card(name, version[1] if version else "") for name in names]


def why_useless(cards: list[Card], wheels: WheelSet) -> str:
    """Why the CUDA build would not help here, in a sentence; empty where it would."""
    if not cards:
        return "No NVIDIA card with its driver was found on this computer; a CUDA build of PyTorch would not help here."
    names = ", ".join(sorted({card.name for card in cards}))
    if all(0.0 < card.capability < wheels.capability for card in cards):
        return f"{names}: too old for CUDA {wheels.cuda} (compute capability {wheels.capability} or newer is needed)."
    if all(card.driver and _version(card.driver) < _version(wheels.driver) for card in cards):
        driver = cards[0].driver
        return f"{names}: the driver {driver} is too old for CUDA {wheels.cuda}; install {wheels.driver} or newer first."
    return ""


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", text))
