"""``bayescope methods``: the methods and all their options, for people and for programs."""

from __future__ import annotations

import json
import textwrap
from typing import Any

from ..problem.method_options import METHODS, SOURCES, Option, OptionsRecord, closest, options_of
from .exit_status import OK, Failure
from .terminal import say

WIDTH = 100


def print_methods(method: str | None, as_json: bool) -> int:
    """One method, or all of them; the exit status. Raises Failure for a name that is none."""
    if method is not None and method not in METHODS:
        similar = closest(method, METHODS)
        hint = f" Did you mean “{similar}”?" if similar else ""
        raise Failure(f"there is no method “{method}”.{hint} Methods: {', '.join(METHODS)}.")
    chosen = list(METHODS) if method is None else [method]
    if as_json:
        say(json.dumps({key: _for_programs(key) for key in chosen}, indent=2, ensure_ascii=False))
        return OK
    for key in chosen:
        said = METHODS[key]
        say(f"{key}: {said.title}", *_wrapped(f"{said.words}.", "  "))
        for when, record in _records(key):
            say("", f"  Options{when}:")
            for one in options_of(record):
                say(*_lines(one))
        say("")
    say(*_wrapped(SOURCES, ""), "")
    say("Set them by: bayescope run FILE.bayescope --method NAME --option NAME=VALUE")
    return OK


def _records(key: str) -> list[tuple[str, type[OptionsRecord]]]:
    """When each kind of options holds, in words."""
    said = METHODS[key]
    if said.noisy is None:
        return [("", said.options)]
    return [(" for exact log-likelihoods", said.options), (" for random log-likelihoods", said.noisy)]


def _lines(one: Option) -> list[str]:
    choices = [line for k, words in one.choices for line in _wrapped(f"{k}: {words}", "        ", "          ")]
    return [
        f"    {one.name} = {one.text(one.default)}",
        *_wrapped(one.words, "      "),
        *(choices or _wrapped(f"Can be {one.range_words}.", "      ")),
        *_wrapped(f"Source: {one.source}.", "      "),
    ]


def _wrapped(text: str, indent: str, then: str | None = None) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=indent, subsequent_indent=indent if then is None else then)


def _for_programs(key: str) -> dict[str, Any]:
    said = METHODS[key]
    kinds = {"options": said.options} | ({} if said.noisy is None else {"options_for_random": said.noisy})
    return {
        "title": said.title, "words": said.words,
        **{name: [_record(one) for one in options_of(record)] for name, record in kinds.items()},
    }  # fmt: skip


def _record(one: Option) -> dict[str, Any]:
    made: dict[str, Any] = {
        "name": one.name, "title": one.title.replace("&", ""), "words": one.words, "default": one.default,
        "can_be": one.range_words, "source": one.source, "group": one.group,
    }  # fmt: skip
    if one.choices:
        made["choices"] = dict(one.choices)
    return made
