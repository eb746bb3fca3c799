"""The pairs of points a training matrix needs: of a symmetric matrix only those above the diagonal."""

from __future__ import annotations

import torch
from torch import Tensor


class Pairs:
    """Differences x1_i - x2_j as P rows; ``unpack`` makes the (n1, n2) matrix of a stationary kernel, ``pack`` its dual."""

    def __init__(self, x1: Tensor, x2: Tensor | None) -> None:
        self.symmetric = x2 is None
        if x2 is not None:
            self.shape = (x1.shape[0], x2.shape[0])
            self.differences = (x1.unsqueeze(1) - x2).flatten(0, 1)
            return
        n = x1.shape[0]
        self.shape = (n, n)
        self.rows, self.columns = torch.triu_indices(n, n, 1, device=x1.device)
        self.differences = x1[self.rows] - x1[self.columns]
        count = self.rows.shape[0]
        slot = torch.full((n, n), count, dtype=torch.long, device=x1.device)
        order = torch.arange(count, device=x1.device)
        slot[self.rows, self.columns] = order
        slot[self.columns, self.rows] = order
        self.slot = slot

    def unpack(self, values: Tensor, diagonal: Tensor) -> Tensor:
        """(n1, n2) from the pairs' values (P,) and the kernel's value () at distance zero."""
        if not self.symmetric:
            return values.reshape(self.shape)
        return torch.cat([values, diagonal.reshape(1)])[self.slot]

    def pack(self, g: Tensor) -> tuple[Tensor, Tensor]:
        """g (n1, n2) summed into the pairs (P,) and into the diagonal ()."""
        if not self.symmetric:
            return g.reshape(-1), g.new_zeros(())
        return g[self.rows, self.columns] + g[self.columns, self.rows], g.diagonal().sum()
