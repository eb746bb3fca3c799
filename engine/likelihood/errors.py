"""The error of the likelihood room."""

from __future__ import annotations


class LikelihoodError(Exception):
    """A finished run gives no log-likelihood; ``str()`` is a sentence that says why.

    ``impossible`` True: not a failure of the run; the likelihood is exactly zero there.
    """

    def __init__(self, sentence: str, impossible: bool = False) -> None:
        super().__init__(sentence)
        self.impossible = impossible
