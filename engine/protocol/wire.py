"""What messages are made of: their base, and arrays as bytes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Blob(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A float64 array on the wire."""

    shape: tuple[int, ...]
    data: bytes

    @classmethod
    def of(cls, array: NDArray[np.float64]) -> Blob:
        import numpy as np

        a = np.ascontiguousarray(array, dtype="<f8")
        return cls(tuple(a.shape), a.tobytes())

    def array(self) -> NDArray[np.float64]:
        """The array, read-only. Raises ValueError if shape and bytes disagree."""
        import numpy as np

        if any(s < 0 for s in self.shape) or math.prod(self.shape) * 8 != len(self.data):
            raise ValueError(f"array of shape {self.shape} cannot be made of {len(self.data)} bytes")
        return np.frombuffer(self.data, dtype="<f8").reshape(self.shape)


class Message(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", kw_only=True):
    """Base of all messages."""
