"""Priors that were only made from a number in an input file: the user should say what is really known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bayescope.engine.problem.definition import Parameter
from bayescope.gui.models.parameters import around, doubled_words
from bayescope.gui.models.plain import one_line
from bayescope.gui.models.simulator.set_up_answers import SetUpAnswers
from bayescope.gui.widgets.notices import Notice

MOST_LISTED = 6  # names in one line


def tell_guesses(notice: Notice, rows: Sequence[Parameter], chosen: str, answers: SetUpAnswers, locked: bool) -> None:
    """``chosen``: the parameter whose prior is shown; the notice's first button leaves it as it is, the second all."""
    names, unsure = answers.guessed(), answers.open_guesses()
    if not names or locked:
        notice.clear()
        return
    told = unsure or names
    listed = ", ".join(one_line(n, 30) for n in told[:MOST_LISTED]) + (" …" if len(told) > MOST_LISTED else "")
    one = len(names) == 1
    if not unsure:
        words = f"{len(names)} guessed prior{'' if one else 's'}, used as {'it is' if one else 'they are'}: {listed}."
        notice.say("ok", words, f"{'It' if one else 'Each'} can still be changed below.")
        return
    still = "not settled yet" if len(unsure) == len(names) else f"{len(unsure)} not settled yet"
    notice.say(
        "info",
        f"{len(names)} guessed prior{'' if one else 's'}, {still}: {listed}. "
        f"{_how_guessed(rows, told, answers.settled.numbers)}",
        f"Type below what you know of {'it' if one else 'each'} before the data, for example 0.5 to 2, 5 ± 1 or "
        "log-uniform 0.1 to 10, and Return; or use it as it is.",
        f"&Use {one_line(chosen, 16)} as it is" if chosen in unsure else "",
        f"Use a&ll {len(unsure)} as they are" if len(unsure) > 1 else "",
    )


def _how_guessed(rows: Sequence[Parameter], names: Sequence[str], values: Mapping[str, float]) -> str:
    """What the guessed priors of ``names`` are, a sentence. ``values``: the numbers in the input file, by parameter."""
    priors = {p.name: p.prior for p in rows}
    said = [n for n in names if n in values and priors.get(n) != around(values[n])]
    if not said:
        return doubled_words(names, [n for n in names if values.get(n) == 0.0])
    few = " and ".join(one_line(n, 20) for n in said) if len(said) <= 2 else f"{len(said)} of them"
    has, remark = ("has", "remark in your file says") if len(said) == 1 else ("have", "remarks in your file say")
    others = len(names) - len(said)
    rest = f"; the other{'s go' if others > 1 else ' goes'} from nothing to twice the number there" if others else ""
    return f"{few if others else ('It' if len(said) == 1 else 'They')} {has} what the {remark}{rest}."
