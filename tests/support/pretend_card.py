"""A graphics card that is not there: tensors that say they are on one, are computed on the processor, and mix with no others.

What a real card refuses is refused: operations between its tensors and the processor's (numbers without dimensions and indices
apart), and turning one into numpy. What it does not show is how digits differ, and what takes how long.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from torch.overrides import TorchFunctionMode
from torch.utils._pytree import tree_leaves, tree_map

CARD = torch.device("cuda", 0)
HERE = torch.device("cpu")
ACROSS = frozenset({"copy_", "to", "cpu", "cuda", "type_as", "as_tensor", "tensor"})
SHAPES = frozenset({"expand_as", "view_as", "reshape_as"})  # ask the other for nothing else
REFUSED = frozenset({"numpy", "__array__"})


class There(torch.Tensor):
    """A tensor of the pretended card."""


class _Pretending(TorchFunctionMode):
    def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if function is torch.device:
            return CARD if str(args[0]).startswith("cuda") else function(*args, **kwargs)
        name = _name(function)
        target = _target(name, args, kwargs)
        some = There in types
        if not some and (target is None or target.type == HERE.type):
            return function(*args, **kwargs)
        if some and name in ("device", "is_cuda"):
            return CARD if name == "device" else True
        _check_mixing(name, args, kwargs, target)
        if target is not None:
            args, kwargs = tree_map(_on_processor, args), {k: _on_processor(v) for k, v in kwargs.items()}
        with torch._C.DisableTorchFunctionSubclass():
            found = function(*args, **kwargs)
        if name.endswith("_") and not name.startswith("__"):
            return found
        if name in SHAPES:
            some = isinstance(args[0], There)
        stays = some and name != "cpu" if target is None else target.type == CARD.type
        change = _put if stays else _taken
        return change(found) if isinstance(found, torch.Tensor) else tree_map(change, found)


def _name(function: Any) -> str:
    """Attributes are got by "__get__" of a descriptor."""
    name = getattr(function, "__name__", "")
    return str(getattr(getattr(function, "__self__", None), "__name__", name)) if name == "__get__" else str(name)


def _check_mixing(name: str, args: Any, kwargs: Any, target: torch.device | None) -> None:
    tensors = [a for a in tree_leaves((args, kwargs)) if isinstance(a, torch.Tensor)]
    if name == "__getitem__" or (name == "__setitem__" and isinstance(args[0], There)):  # indices may be the processor's
        tensors = [a for a in (args[0], *args[2:]) if isinstance(a, torch.Tensor)]
    with torch._C.DisableTorchFunctionSubclass():
        strangers = [a for a in tensors if not isinstance(a, There) and a.dim() > 0]
    there = [a for a in tensors if isinstance(a, There)]
    if there and name in REFUSED:
        raise TypeError("can't convert a tensor of the card to numpy")
    if kwargs.get("generator") is not None and (there or target == CARD):
        raise RuntimeError(f"Expected a 'cuda' device type for generator but found 'cpu' ({name})")
    if there and strangers and name not in ACROSS | SHAPES:
        raise RuntimeError(f"Expected all tensors to be on the same device, but found the pretended card and cpu! ({name})")


def _target(name: str, args: Any, kwargs: Any) -> torch.device | None:
    """The device that is asked for."""
    if name == "cuda":
        return CARD
    for value in (*args, *kwargs.values()):
        if isinstance(value, torch.device):
            return CARD if value.type == CARD.type else value
        if isinstance(value, str) and value.split(":")[0] in ("cuda", "cpu"):
            return CARD if value.startswith("cuda") else HERE
    if name in ("to", "type_as") and len(args) > 1 and isinstance(args[1], torch.Tensor):
        return CARD if isinstance(args[1], There) else HERE
    return None


def _on_processor(value: Any) -> Any:
    if isinstance(value, torch.device) or (isinstance(value, str) and value.split(":")[0] == "cuda"):
        return HERE
    return value


def _put(value: Any) -> Any:
    if not isinstance(value, torch.Tensor) or isinstance(value, There):
        return value
    with torch._C.DisableTorchFunctionSubclass():
        if value.requires_grad and value.is_leaf:  # else the graph would end at a tensor that nobody has
            return value.detach().as_subclass(There).requires_grad_()
        return value.as_subclass(There)


def _taken(value: Any) -> Any:
    if not isinstance(value, There):
        return value
    with torch._C.DisableTorchFunctionSubclass():
        return value.as_subclass(torch.Tensor)


@contextmanager
def pretended_card(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """PyTorch has a card inside."""
    properties = SimpleNamespace(major=9, minor=0, multi_processor_count=132, name="a pretended card", total_memory=2**36)
    answers: dict[str, Callable[..., Any]] = {
        "is_available": lambda: True,
        "current_device": lambda: 0,
        "get_device_name": lambda *_: properties.name,
        "get_device_properties": lambda *_: properties,
        "synchronize": lambda *_: None,
        "mem_get_info": lambda *_: (properties.total_memory, properties.total_memory),
    }
    for name, answer in answers.items():
        monkeypatch.setattr(torch.cuda, name, answer)
    with _Pretending():
        yield


def some_card(monkeypatch: pytest.MonkeyPatch) -> AbstractContextManager[None]:
    """The card of this computer, or a pretended one."""
    return nullcontext() if torch.cuda.is_available() else pretended_card(monkeypatch)
