from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.pretend_card import some_card


@pytest.fixture
def card(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A graphics card: where there is none, a pretended one."""
    with some_card(monkeypatch):
        yield
