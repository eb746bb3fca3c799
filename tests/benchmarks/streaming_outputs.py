"""Runs with outputs that arrive a few at a time, against all of them at once: how far the answers are apart.

    nice -n 10 python tests/benchmarks/streaming_outputs.py [--problems 0,1,2] [--first 100] [--batches 50] [--size 8]

Problems of ``honest_outputs.py`` by seed; their points are drawn around the truth, nearer and nearer. The seconds are those of a
whole ``take_in``: reading, learning, answer, commit.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from msgspec import structs

sys.path.insert(0, str(Path(__file__).resolve().parent))

from best_fit import drawn
from honest_outputs import Drawn, truth_of

from bayescope.engine.again.imported_runs import answer_imported
from bayescope.engine.answer.posterior import StoredPosterior
from bayescope.engine.archive.additions import arriving, known_of
from bayescope.engine.archive.output_columns import MappedOutputs
from bayescope.engine.archive.output_runs import interpret_outputs
from bayescope.engine.archive.store import store_addition, store_runs
from bayescope.engine.archive.table import Table
from bayescope.engine.diagnostics.metrics import mmtv
from bayescope.engine.machine.threads import use_one_thread
from bayescope.engine.problem.definition import Problem
from bayescope.engine.problem.transforms import ParameterSpace
from bayescope.engine.run.control import Control
from bayescope.engine.run.taking_in import TakingIn
from bayescope.engine.session.records import IterationRecord
from bayescope.engine.session.store import SessionStore

DRAWS = 200_000
SPREAD = 8.0  # posterior sds of the first points; the last are an eighth of it apart


def archive(seed: int, count: int) -> tuple[Problem, Table, MappedOutputs, float]:
    """The problem, its runs as a table in order of arrival, what its columns are, and the true log evidence."""
    problem, program = drawn(seed)
    truth, rng = truth_of(Drawn.of(seed), seed), np.random.default_rng([29, seed])
    names = [p.name for p in problem.parameters]
    box = np.array(Drawn.of(seed).box)
    middle = truth.weights @ truth.points
    sd = np.sqrt(truth.weights @ (truth.points - middle) ** 2)
    wide = np.exp(-np.log(SPREAD) * rng.random(count))[:, None] * SPREAD
    x = middle + wide * sd * rng.standard_normal((count, len(names)))
    x = np.where((x > box[:, 0]) & (x < box[:, 1]), x, rng.uniform(box[:, 0], box[:, 1], x.shape))
    name = problem.outputs[0].name
    outputs = np.array([np.asarray((program(dict(zip(names, p.tolist(), strict=True))) or {})[name]) for p in x])
    columns = [f"{name}_{i}" for i in range(outputs.shape[1])]
    table = Table((*names, *columns), np.column_stack([x, outputs]), f"runs{seed}.csv")
    return problem, table, MappedOutputs({n: n for n in names}, {name: tuple(columns)}), truth.log_evidence


def part(table: Table, start: int, stop: int) -> Table:
    return Table(table.columns, table.values[start:stop], f"{start}_{table.source}")


def session(folder: Path, name: str, problem: Problem, table: Table, mapped: MappedOutputs) -> SessionStore:
    """A session whose imported runs are answered from."""
    store = SessionStore.create(folder / f"{name}.bayescope", problem, own=True)
    store_runs(store, interpret_outputs(table, problem, mapped))
    answer_imported(store, lambda _: None)
    return store


def last(store: SessionStore) -> IterationRecord:
    found = store.last_iteration()
    assert found is not None
    return found


def stream(seed: int, first: int, batches: int, size: int) -> None:
    count = first + batches * size
    problem, table, mapped, truth = archive(seed, count)
    with tempfile.TemporaryDirectory() as folder:
        one, taking, cpu = (
            session(Path(folder), "grown", problem, part(table, 0, first), mapped),
            TakingIn(),
            list[float](),
        )
        for start in range(first, count, size):
            clock = time.process_time()
            more = part(table, start, start + size)
            store_addition(one, arriving(more, one.problem, mapped, known_of(one)))
            taking.take_in(one, Control(), lambda _: None)
            cpu.append(time.process_time() - clock)
        clock = time.process_time()
        whole = session(Path(folder), "whole", problem, table, mapped)
        once = time.process_time() - clock
        again = structs.replace(problem, settings=structs.replace(problem.settings, seed=problem.settings.seed + 1))
        other = session(Path(folder), "other", again, table, mapped)
        a, b, c = last(one), last(whole), last(other)
        space = ParameterSpace(problem.parameters)
        draws = [StoredPosterior.of_iteration(space, r).sample(DRAWS, k) for r, k in ((a, 1), (b, 2), (c, 3))]
        apart, floor = (mmtv(draws[i], None, draws[j], None) for i, j in ((0, 1), (1, 2)))
        print(
            f"| {Drawn.of(seed).name} {seed} | {one.evaluation_count} | {np.median(cpu):.2f} (at most {max(cpu):.2f}) | "
            f"{once:.1f} | "
            f"{a.log_evidence - truth:.4f} ± {a.log_evidence_sd:.4f} | {b.log_evidence - truth:.4f} ± {b.log_evidence_sd:.4f} | "
            f"{abs(a.log_evidence - b.log_evidence):.4f} | {apart:.4f} ({floor:.4f}) |",
            flush=True,
        )
        for store in (one, whole, other):
            store.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--problems", default="0,1,2", help="seeds of honest_outputs.py")
    parser.add_argument("--first", type=int, default=100)
    parser.add_argument("--batches", type=int, default=50)
    parser.add_argument("--size", type=int, default=8)
    given = parser.parse_args()
    use_one_thread()
    print(
        "| problem | runs | CPU s of a batch | at once | dLML streamed | at once | apart | MMTV apart (at once, two seeds) |"
    )
    print("|---|---|---|---|---|---|---|---|", flush=True)
    for seed in (int(s) for s in given.problems.split(",")):
        stream(seed, given.first, given.batches, given.size)


if __name__ == "__main__":
    main()
