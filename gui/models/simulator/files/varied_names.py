"""Files that a script names with a variable in it: ``conf_$rho.gro``, ``${x}.dat``, ``mesh_%d.msh``, ``f"{i}.in"``. Pure."""

from __future__ import annotations

import re

from bayescope.gui.models.simulator.files.written_names import written_names

_VARIABLE = re.compile(
    r"\$\{\w+[^{}\s]*\}|\$\w+|\{\w*(?::[\w.+-]*)?\}|%[-+0#]*\d*(?:\.\d+)?[dsfgeiu](?![A-Za-z])|%%\w|%\w+%"
)
_STANDS = "\u01c2"  # a letter in place of a variable: what finds names finds those with one, too
_WORD = re.compile(r"(?<![\w./\\-])(?:\./)?([\w+-][\w.+-]*\.[A-Za-z]\w{0,7})(?![\w/])")


def varied_names(text: str) -> tuple[str, ...]:
    """Such names in the text of a script, ``*`` for each variable, in their order; not those that it opens for writing."""
    said = _VARIABLE.sub(_STANDS, text.replace(_STANDS, " "))
    written = written_names(said)
    names = (name for name in _WORD.findall(said) if _STANDS in name and name not in written)
    return tuple(re.sub(f"{_STANDS}+", "*", name) for name in dict.fromkeys(names))


def fits(pattern: str, name: str) -> bool:
    """Whether a file is called like that, with anything but nothing in place of each ``*``."""
    return re.fullmatch("[^/]+".join(re.escape(part) for part in pattern.split("*")), name) is not None
