"""Where fits to archives run, and what is said when the graphics processor that was asked for is not there."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
import torch

from bayescope.engine.loop_interface import Archive, LoopSettings
from bayescope.engine.machine import devices
from bayescope.engine.machine.devices import WORTH_IT, batch_device, compute_device, missing
from bayescope.engine.methods.loops import make_loop
from bayescope.engine.methods.svbmc.surrogate import built, first_fit, tuned


def archive(n: int = 60) -> Archive:
    x = np.random.default_rng(0).normal(0, 2, (n, 2))
    return Archive(x, -0.5 * np.square(x).sum(1), np.zeros(n))


def loop(device: str):
    settings = LoopSettings(
        np.full(2, -3.0), np.full(2, 3.0), max_evaluations=0, archive=archive(), device=device, options={"max_components": 2}
    )
    return make_loop("svbmc", settings)


def test_small_problems_stay_on_the_processor_and_an_explicit_wish_is_followed() -> None:
    assert compute_device("auto", WORTH_IT - 1) == torch.device("cpu")
    assert compute_device("cpu", 10 * WORTH_IT) == torch.device("cpu")
    expected = "cuda" if torch.cuda.is_available() else "cpu"
    assert compute_device("cuda", 1).type == compute_device("auto", WORTH_IT).type == expected


@pytest.mark.parametrize(("capability", "fast"), [((9, 0), True), ((8, 6), False)])
def test_a_card_that_is_slow_in_float64_computes_only_if_asked_to(capability: tuple[int, int], fast: bool, monkeypatch) -> None:
    few_processors = SimpleNamespace(major=capability[0], minor=capability[1], multi_processor_count=28)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "current_device", lambda: 0)
    monkeypatch.setattr(torch.cuda, "get_device_properties", lambda _: few_processors)
    monkeypatch.setattr(devices, "_rate", devices._rate.__wrapped__)
    assert (batch_device("auto").type == "cuda") is (compute_device("auto", WORTH_IT).type == "cuda") is fast
    assert batch_device("cuda").type == compute_device("cuda", 1).type == "cuda"
    assert batch_device("cpu").type == "cpu"


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a graphics processor")
def test_a_missing_graphics_processor_is_said_with_the_answer_and_changes_nothing() -> None:
    wished, plain = loop("cuda").update(), loop("cpu").update()
    assert wished is not None
    assert plain is not None
    assert missing("cuda") in wished.reasons
    assert not any("graphics" in reason for reason in plain.reasons)
    assert wished.log_evidence == plain.log_evidence


def test_no_wish_no_words() -> None:
    assert missing("auto") == missing("cpu") == ""


@pytest.mark.parametrize("kind", ["exact", "sparse"])
def test_hyperparameters_found_on_the_graphics_processor_are_those_found_without(kind: str, card: None) -> None:
    begun = loop("cpu")
    begun.update()
    one = begun.method
    values = one._values()
    choice, model, data = one._choice(values, 0), one._model(values), one._data(values)
    choice = type(choice)(kind, choice.most_inducing, choice.reason)
    rng = np.random.default_rng
    cpu = first_fit(choice, model, data, rng(0))
    cuda = first_fit(choice, model, data, rng(0), torch.device("cuda"))

    def mean(theta: np.ndarray) -> np.ndarray:  # hyperparameters may differ where the likelihood is flat
        at = model.with_hyperparameters(torch.as_tensor(theta))
        return built(choice, at, data).surrogate.predict(data.x[:20])[0].numpy()

    np.testing.assert_allclose(mean(cuda), mean(cpu), atol=0.02)
    at = model.with_hyperparameters(torch.as_tensor(cpu))
    np.testing.assert_allclose(mean(tuned(choice, at, data, torch.device("cuda"))), mean(tuned(choice, at, data)), atol=0.02)


@pytest.mark.loops
def test_an_archive_gives_the_same_posterior_on_the_graphics_processor(card: None) -> None:
    there, here = loop("cuda").update(), loop("cpu").update()
    assert there is not None
    assert here is not None
    assert there.log_evidence == pytest.approx(here.log_evidence, abs=0.05)
