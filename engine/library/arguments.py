"""What a programmer hands to ``infer``, looked at before anything is evaluated: every slip is a ValueError in words."""

from __future__ import annotations

import inspect
import math
import numbers
import operator
from collections.abc import Callable, Collection, Mapping, Sequence, Set
from typing import Any, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bayescope.engine.problem.transforms import ParameterSpace

from ..loop_interface import Archive
from ..machine.devices import Device
from ..methods.loops import METHODS
from ..problem.method_options import closest

Array = NDArray[np.float64]
Range = tuple[float | None, float | None]
NAMES = ("auto", *METHODS)
FROM_ARCHIVE = ("auto", "svbmc", "laplace", "slice")  # methods that can start from an archive


def function(log_density: object) -> None:
    """Something to call with one array."""
    if not callable(log_density):
        raise ValueError(f"log_density must be a function of one array; it is {_shown(log_density)}.")
    try:
        signature = inspect.signature(log_density)
    except (TypeError, ValueError):  # of compiled functions nothing is known
        return
    try:
        signature.bind(np.zeros(1))
    except TypeError as error:
        raise ValueError(f"log_density must be a function of one array, but it takes {signature}: {error}.") from error


def whole(value: object, name: str, least: int) -> int:
    """A whole number of at least ``least``; of any integer type, but neither a float nor True."""
    try:
        if isinstance(value, bool | np.bool_):
            raise TypeError
        found = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise ValueError(f"{name} must be a whole number such as 100; it is {_shown(value)}.") from None
    if found < least:
        raise ValueError(f"{name} must be at least {least}; it is {found}.")
    return found


def budget(value: object, method: str) -> int:
    """Of evaluations; none at all only where an archive alone makes the posterior."""
    return whole(value, "max_evaluations", 0 if method == "svbmc" else 1)


def method_name(method: object, archive: object) -> str:
    """A known method, "auto" resolved where there is an archive."""
    if not isinstance(method, str) or method not in NAMES:
        similar = closest(method, NAMES)
        hint = f" Did you mean “{similar}”?" if similar else ""
        raise ValueError(f"There is no method {_shown(method)}.{hint} Choose one of {', '.join(NAMES)}.")
    if archive is None:
        return "default" if method == "auto" else method
    if method not in FROM_ARCHIVE:
        raise ValueError(f"Method “{method}” cannot start from an archive; {', '.join(FROM_ARCHIVE[1:])} can.")
    return "svbmc" if method == "auto" else method


def space_of(plausible: object, bounds: object, names: object) -> ParameterSpace:
    """The space in which to infer, from d pairs of finite numbers, None or d pairs in which None is an open side, and names."""
    box = [(_number(low, where), _number(high, where)) for low, high, where in _pairs(plausible, "plausible")]
    for i, (low, high) in enumerate(box, 1):
        if not (math.isfinite(low) and math.isfinite(high)):
            raise ValueError(f"plausible, parameter {i}: both ends must be finite; they are {low:g} and {high:g}.")
        if not low < high:
            raise ValueError(
                f"plausible, parameter {i}: the low end must be below the high end; they are {low:g} and {high:g}."
            )
        if not math.isfinite(high - low):
            raise ValueError(f"plausible, parameter {i}: {low:g} to {high:g} is too wide to compute with.")
    hard = [(-math.inf, math.inf)] * len(box) if bounds is None else _bounds(bounds, len(box))
    for i, ((low, high), (lower, upper)) in enumerate(zip(box, hard, strict=True), 1):
        if low < lower or high > upper:
            raise ValueError(
                f"plausible, parameter {i}: {low:g} to {high:g} must lie inside the bounds, {lower:g} to {upper:g}."
            )
    return ParameterSpace.from_bounds(
        _names(names, len(box)), [b[0] for b in hard], [b[1] for b in hard], [b[0] for b in box], [b[1] for b in box]
    )


def _bounds(bounds: object, count: int) -> list[tuple[float, float]]:
    found = []
    for low, high, where in _pairs(bounds, "bounds"):
        lower = -math.inf if low is None else _number(low, where)
        upper = math.inf if high is None else _number(high, where)
        if not lower < upper or lower == math.inf or upper == -math.inf:
            raise ValueError(
                f"{where}: the lower bound must be below the upper bound; they are {lower:g} and {upper:g}."
            )
        found.append((lower, upper))
    if len(found) != count:
        raise ValueError(f"bounds has {len(found)} pairs, plausible has {count}: one pair per parameter in both.")
    return found


def _pairs(value: object, name: str) -> list[tuple[Any, Any, str]]:
    """(low, high, where it stands) of each parameter."""
    wanted = f"{name} must be one pair (low, high) per parameter, such as [(-3, 3), (0.1, 2)]"
    rows = _listed(value)
    if rows is None:
        raise ValueError(f"{wanted}; it is {_shown(value)}.")
    if not rows:
        raise ValueError(f"{wanted}; it is empty.")
    found = []
    for i, row in enumerate(rows, 1):
        pair = _listed(row)
        if pair is None or len(pair) != 2:
            raise ValueError(f"{wanted}; for parameter {i} it has {_shown(row)}.")
        found.append((pair[0], pair[1], f"{name}, parameter {i}"))
    return found


def _listed(value: object) -> list[Any] | None:
    """The entries of a sequence or an array; None for what is neither, strings and sets included."""
    if isinstance(value, str | bytes | bytearray | Mapping | Set) or (isinstance(value, np.ndarray) and not value.ndim):
        return None
    return list(value) if isinstance(value, Collection) else None


def _number(value: object, where: str) -> float:
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value.item()
    if isinstance(value, bool | np.bool_) or not isinstance(value, numbers.Real):
        raise ValueError(f"{where}: {_shown(value)} is not a number.")
    found = float(value)
    if math.isnan(found):
        raise ValueError(f"{where}: nan is not a number.")
    return found


def _names(names: object, count: int) -> list[str]:
    if names is None:
        return [f"x{i + 1}" for i in range(count)]
    found = _listed(names)
    if found is None or not all(isinstance(name, str) and name.strip() for name in found):
        raise ValueError(f'names must be one word per parameter, such as ["rate", "width"]; it is {_shown(names)}.')
    if len(found) != count:
        raise ValueError(f"names has {len(found)} entries for {count} parameters.")
    twice = next((name for name in found if found.count(name) > 1), None)
    if twice is not None:
        raise ValueError(f"names: “{twice}” stands for two parameters.")
    return [str(name) for name in found]


def flag(value: object, name: str) -> bool:
    """True or False, of any boolean type; no other value counts as one."""
    if not isinstance(value, bool | np.bool_):
        raise ValueError(f"{name} must be True or False; it is {_shown(value)}.")
    return bool(value)


def whether_noisy(noisy: object) -> None:
    if noisy is not None and not isinstance(noisy, bool | np.bool_):
        raise ValueError(f"noisy must be True, False or None (seen from the first value); it is {_shown(noisy)}.")


def options_of(options: object) -> dict[str, Any]:
    """Whether the method has them, it says itself."""
    if options is None:
        return {}
    if not isinstance(options, Mapping):
        raise ValueError(f"options must be a dictionary of names and values; it is {_shown(options)}.")
    return {str(name): value.item() if isinstance(value, np.generic) else value for name, value in options.items()}


def device_name(device: object) -> Device:
    for known in get_args(Device):
        if device == known:
            return known  # type: ignore[no-any-return]
    raise ValueError(f'device must be "auto", "cpu" or "cuda"; it is {_shown(device)}.')


def start_of(start: object, space: ParameterSpace) -> Array | None:
    """A first guess, in inference space."""
    if start is None:
        return None
    point = numeric(start, "start")
    if point.shape != (space.dimension,) or not np.all(np.isfinite(point)):
        raise ValueError(f"start must be {space.dimension} finite numbers; it is {_shown(start)}.")
    if not np.all((point > space.lower) & (point < space.upper)):
        raise ValueError(f"start must lie inside the bounds; it is {_shown(start)}.")
    return space.to_inference(point)


def numeric(value: object, name: str) -> Array:
    """An array of numbers, nan allowed."""
    try:
        found = np.asarray(value)
        if found.dtype.kind not in "iuf":
            raise ValueError("it holds something else")
        return found.astype(float)
    except ValueError as error:
        raise ValueError(f"{name} must be made of real numbers; it is {_shown(value)} ({error}).") from error


def archive_in_inference(space: ParameterSpace, archive: Sequence[ArrayLike]) -> Archive:
    """Points, log densities and sds of the user's units in inference space, the Jacobian added; points on or beyond a bound
    are left out. Raises ValueError, in words, if the arrays do not fit together."""
    if not isinstance(archive, Sequence) or isinstance(archive, str | bytes) or len(archive) not in (2, 3):
        raise ValueError("archive is (X, y) or (X, y, sd): points, log densities, their standard deviations.")
    x, y = numeric(archive[0], "X of the archive"), numeric(archive[1], "y of the archive")
    sd = numeric(archive[2], "sd of the archive") if len(archive) == 3 else np.zeros(y.shape)
    if x.ndim != 2 or x.shape[1] != space.dimension:
        raise ValueError(
            f"X of the archive must have one row per evaluation and {space.dimension} columns; it is {x.shape}."
        )
    if y.shape != (len(x),) or sd.shape not in ((), (len(x),)):
        raise ValueError(f"The archive has {len(x)} points, but y is {y.shape} and sd {sd.shape}.")
    sd = np.broadcast_to(sd, y.shape)
    if not np.all(sd >= 0):
        raise ValueError("A standard deviation of the archive is negative or not a number.")
    inside = np.all((x > space.lower) & (x < space.upper), axis=1)
    points = space.to_inference(x[inside])
    return Archive(points, y[inside] + np.asarray(space.log_jacobian(points)), sd[inside].copy())


def is_noisy_archive(archive: Sequence[ArrayLike]) -> bool:
    return len(archive) == 3 and bool(np.any(numeric(archive[2], "sd of the archive") > 0))


_LONGEST = 80  # characters of a wrong value that are shown


def _shown(value: object) -> str:
    """A value as a programmer would write it, cut short."""
    text = getattr(value, "__name__", None) if isinstance(value, Callable) else repr(value)  # type: ignore[arg-type]
    text = repr(value) if text is None else text
    return " ".join((text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…").split())
