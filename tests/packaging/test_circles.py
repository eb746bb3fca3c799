"""No module of the program needs itself, however many lie between: not even by an import inside a function or for types."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter

import grimp
import pytest


def circle(imports: dict[str, set[str]]) -> list[str]:
    """One circle among the modules, from a module back to itself; empty: there is none."""
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


@pytest.mark.parametrize("room", ["engine", "gui"])
def test_no_module_imports_itself_by_way_of_others(room: str) -> None:
    graph = grimp.build_graph(f"bayescope.{room}", cache_dir=None)
    imports = {module: set(graph.find_modules_directly_imported_by(module)) for module in graph.modules}
    assert len(imports) > 100
    assert sum(map(len, imports.values())) > 300
    assert circle(imports) == []


def test_the_check_sees_a_circle_of_three() -> None:
    assert circle({"a": {"b"}, "b": {"c"}, "c": set()}) == []
    assert len(circle({"a": {"b"}, "b": {"c"}, "c": {"a"}})) == 4
