"""Commands below a command: ``bayescope where add``, ``bayescope cuda install``."""

from __future__ import annotations

import argparse
from collections.abc import Callable

Work = Callable[[argparse.Namespace], int]


def subcommands(command: argparse.ArgumentParser) -> Callable[[str, str, Work], argparse.ArgumentParser]:
    """What adds one, from its name, its help and what does it."""
    added = command.add_subparsers(title="commands", metavar="COMMAND", required=True)

    def add(name: str, words: str, work: Work) -> argparse.ArgumentParser:
        parser = added.add_parser(name, help=words, description=words)
        parser.set_defaults(work=work)
        return parser

    return add
