"""How many right answers are confirmed within small budgets, and whether any wrong one is.

    python tests/benchmarks/small_budgets.py OUT.jsonl [--targets rosenbrock2,lumpy4] [--seeds 3] [--budgets 20,30,40]
    python tests/benchmarks/small_budgets.py --compare BEFORE.jsonl AFTER.jsonl

Runs of the default method, one for each target, seed and budget; a line of OUT for each. Two files, of two versions of the code,
are compared run by run.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

from inference import TARGETS, run_infer

DEFAULT_TARGETS = "rosenbrock2,lumpy2,lumpy4,lumpy6,correlated6,bimodal2,cigar6,student2"
DEFAULT_BUDGETS = "20,25,30,35,40,45,50,60"
WRONG_EVIDENCE, WRONG_MARGINALS = 0.1, 0.05  # as everywhere in this folder


def measure(out: Path, targets: list[str], seeds: int, budgets: list[int]) -> None:
    for name in targets:
        for seed in range(seeds):
            for budget in budgets:
                run = run_infer(TARGETS[name](), seed, budget, "auto")
                line = {"target": name, "seed": seed, "budget": budget, "conv": run["converged"], **run["final"]}
                print(json.dumps(line), flush=True)
                with out.open("a") as file:
                    file.write(json.dumps(line) + "\n")


def wrong(run: dict[str, Any]) -> bool:
    return bool(run["conv"] and (abs(run["dlml"]) > WRONG_EVIDENCE or run["mmtv"] > WRONG_MARGINALS))


def compare(before: Path, after: Path) -> None:
    old, new = ({(r["target"], r["seed"], r["budget"]): r for r in map(json.loads, p.open())} for p in (before, after))
    both = [(old[k], new[k]) for k in old if k in new]
    print("| target | runs | confirmed before / after | wrong before / after |\n|---|---|---|---|")
    for name in [*dict.fromkeys(a["target"] for a, _ in both), "all"]:
        mine = [(a, b) for a, b in both if name in (a["target"], "all")]
        confirmed = " / ".join(str(sum(pair[k]["conv"] for pair in mine)) for k in (0, 1))
        print(f"| {name} | {len(mine)} | {confirmed} | {' / '.join(str(sum(wrong(p[k]) for p in mine)) for k in (0, 1))} |")
    print(f"confirmed before and no longer: {sum(a['conv'] and not b['conv'] for a, b in both)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path, nargs="?", default=Path("small_budgets.jsonl"))
    parser.add_argument("--targets", default=DEFAULT_TARGETS)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--budgets", default=DEFAULT_BUDGETS)
    parser.add_argument("--compare", type=Path, nargs=2)
    options = parser.parse_args()
    if options.compare:
        compare(*options.compare)
    else:
        measure(options.out, options.targets.split(","), options.seeds, [int(b) for b in options.budgets.split(",")])


if __name__ == "__main__":
    main()
