"""What is known of NVIDIA cards without PyTorch, and when the CUDA build would be of no use."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bayescope.engine.cuda import card
from bayescope.engine.cuda.card import Card, why_useless
from bayescope.engine.cuda.wheels import bundled
from bayescope.engine.machine import nvidia_driver

posix = pytest.mark.skipif(os.name != "posix", reason="a shell script stands for the driver's tool")


@pytest.fixture
def tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program of the name nvidia-smi; no driver beside it."""
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(nvidia_driver, "KERNEL", tmp_path / "driver")
    return tmp_path / "nvidia-smi"


def answers(tool: Path, script: str) -> None:
    tool.write_text(f"#!/bin/sh\n{script}\n")
    tool.chmod(0o755)


@posix
def test_the_drivers_tool_is_asked(tool: Path) -> None:
    answers(tool, "echo 'NVIDIA H200, 580.95.05, 9.0'; echo 'NVIDIA T4, 580.95.05, [N/A]'; echo nonsense")
    assert nvidia_driver.is_seen()
    assert card.cards() == [Card("NVIDIA H200", "580.95.05", 9.0), Card("NVIDIA T4", "580.95.05", 0.0)]


@posix
def test_a_tool_that_fails_leaves_what_the_kernel_says(tool: Path, tmp_path: Path) -> None:
    answers(tool, "exit 9")
    assert card.cards() == []
    folder = tmp_path / "driver" / "gpus" / "0000:01:00.0"
    folder.mkdir(parents=True)
    (folder / "information").write_text("Model: \t\t NVIDIA RTX A4000\nIRQ: 7\n")
    (tmp_path / "driver" / "version").write_text("NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.54.14  Thu Feb 22\n")
    assert card.cards() == [Card("NVIDIA RTX A4000", "550.54.14")]


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ([], "No NVIDIA card"),
        ([Card("Tesla V100", "580.95.05", 7.0)], "Tesla V100: too old for CUDA"),
        ([Card("RTX", "550.54.14", 8.6)], "the driver 550.54.14 is too old"),
        ([Card("RTX", "580.65.06", 8.6)], ""),
        ([Card("RTX")], ""),
        ([Card("Tesla V100", "590.1", 7.0), Card("RTX", "590.1", 8.6)], ""),
    ],
)
def test_when_it_would_be_of_no_use_it_is_said_why(cards: list[Card], words: str) -> None:
    said = why_useless(cards, bundled())
    assert words in said
    assert bool(words) == bool(said)
