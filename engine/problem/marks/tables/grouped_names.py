"""Columns with one heading in several groups, theta below Node( 11) and below Node( 31): the group tells them apart. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...extract.reading import Line
from ...extract.row_cells import is_rule

MOST_GROUPED = 60  # columns of a table whose headings are compared
MOST_UP = 3  # lines from the headings to their groups, blank ones and rules among them
_GROUP = re.compile(r"(?:[^\s()\[\]]|[(\[][^()\[\]]*[)\]])+(?: (?:[^\s()\[\]]|[(\[][^()\[\]]*[)\]])+)*")


def group_of(names: Sequence[str], at: int, lines: Sequence[Line], first: int) -> str:
    """What stands above the group of column ``at`` of those called ``names``, whose rows begin in line ``first``; '': its name is
    the only one, or there are not as many groups as columns of that name, each with something else above."""
    alike = [k for k, name in enumerate(names) if name and name == names[at]]
    if at not in alike or len(alike) < 2:
        return ""
    above = [line for line in lines[max(first - MOST_UP - 3, 0) : first] if line.text.strip() and not is_rule(line.text)]
    heading = next((k for k in range(len(above) - 1, -1, -1) if _says_all(above[k].text, names)), 0)
    groups = [m.group() for m in _GROUP.finditer(above[heading - 1].text.lstrip("#%! "))] if heading else []
    told = len(groups) == len(alike) and len(set(groups)) == len(groups) and all(any(x.isalpha() for x in g) for g in groups)
    return re.sub(r"\s+", "", groups[alike.index(at)]) if told else ""


def _says_all(text: str, names: Sequence[str]) -> bool:
    """Whether a line has every one of the names, as often as they are there."""
    return all(text.count(name) >= list(names).count(name) for name in set(names) if name)
