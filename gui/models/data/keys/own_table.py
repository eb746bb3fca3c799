"""Which outputs are read from one table of the program's text: a key stands beside the values that it pairs. Pure."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from bayescope.engine.problem import definition as d


def same_table(one: d.Output, other: d.Output) -> bool:
    """Whether two outputs are columns of the same table or tables."""
    mine = _table(one)
    return mine is not None and mine == _table(other)


def of_another_table(one: d.Output, other: d.Output) -> bool:
    """Whether two outputs are columns of two tables of one text, each with rows of its own."""
    mine, its = _table(one), _table(other)
    alike = one.source == other.source and type(one.extractor) is type(other.extractor)
    return mine is not None and its is not None and alike and mine != its


def own_first(problem: d.Problem, output: str, names: Iterable[str]) -> list[str]:
    """``names`` of outputs, those that stand in the table of ``output`` first."""
    declared = {o.name: o for o in problem.outputs}
    mine = declared.get(output)
    return sorted(names, key=lambda n: mine is None or n not in declared or not same_table(mine, declared[n]))


def counterpart(problem: d.Problem, key: str, output: str) -> str | None:
    """The output that stands in the table of ``output`` where ``key`` stands in a table of its own; None: there is none."""
    declared = {o.name: o for o in problem.outputs}
    if key not in declared or output not in declared:
        return None
    mine, column = declared[output], _column(declared[key])
    return next((o.name for o in problem.outputs if same_table(o, mine) and _column(o) == column), None)


def _table(output: d.Output) -> object:
    """What tells the table from others; None: the output is no column of one."""
    extractor = output.extractor
    if isinstance(extractor, d.Region):
        return output.source, msgspec.structs.replace(extractor, columns=(), title=None, form="")
    if isinstance(extractor, d.TableBlock):
        return output.source, msgspec.structs.replace(extractor, columns=())
    if isinstance(extractor, d.CsvColumn):
        return output.source, msgspec.structs.replace(extractor, column=0)
    return None


def _column(output: d.Output) -> object:
    extractor = output.extractor
    title = extractor.title if isinstance(extractor, d.Region) else None
    return getattr(extractor, "columns", getattr(extractor, "column", None)), title
