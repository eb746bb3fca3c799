"""Which computer this is, where the system does not say."""

from __future__ import annotations

import uuid
from pathlib import Path

import pytest

from bayescope.engine.session import machine


@pytest.fixture
def nameless(monkeypatch: pytest.MonkeyPatch) -> None:
    """A computer that has no id of its own."""
    read = Path.read_text

    def missing(path: Path, *args: object, **kwargs: object) -> str:
        if path.name == "machine-id":
            raise FileNotFoundError(path)
        return read(path, *args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(Path, "read_text", missing)


def test_without_a_network_card_every_process_is_on_the_same_computer(nameless: None, monkeypatch: pytest.MonkeyPatch) -> None:
    made_up = iter([0x01_23_45_67_89_AB, 0x03_99_45_67_89_AB])  # as Python does, where there is no card
    monkeypatch.setattr(uuid, "getnode", lambda: next(made_up))
    first, second = machine.machine_id.__wrapped__(), machine.machine_id.__wrapped__()
    assert first == second


def test_network_cards_tell_computers_apart(nameless: None, monkeypatch: pytest.MonkeyPatch) -> None:
    cards = iter([0x00_23_45_67_89_AB, 0x00_99_45_67_89_AB])
    monkeypatch.setattr(uuid, "getnode", lambda: next(cards))
    assert machine.machine_id.__wrapped__() != machine.machine_id.__wrapped__()
