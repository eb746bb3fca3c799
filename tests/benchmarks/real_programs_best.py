"""Real programs: evaluations until the best run is within 2 nats of the optimum; their outputs learnt against their score learnt.

    python tests/benchmarks/real_programs_best.py [STUDIES...] [--seeds 5] [--budget 60] [--learn auto] [--whole]
        [--python PYTHON]
    python tests/benchmarks/real_programs_best.py --table

Programs of Debian (calculix-ccx, gnucap, getdp with gmsh, nec2c, ngspice) and of PyPI (owa-epanet, swmm-toolkit, which
``PYTHON`` can import), with the files of tests/gui/real_programs or a deck of this file. Uniform priors much wider than the peak,
data made at a truth with known normal noise. A run without all its outputs has failed: ``sagging`` where a wire touches the
ground, ``crossings`` where a voltage, ``levels`` where an epidemic never crosses a threshold; those it has are told, unless
``--whole``. The optimum: least squares on the program itself from the truth, not counted.
"""

from __future__ import annotations

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"

import argparse  # noqa: E402
import json  # noqa: E402
import re  # noqa: E402
import shutil  # noqa: E402
import subprocess  # noqa: E402
import sys  # noqa: E402
import tempfile  # noqa: E402
import time  # noqa: E402
from collections.abc import Callable, Mapping, Sequence  # noqa: E402
from dataclasses import dataclass  # noqa: E402
from pathlib import Path  # noqa: E402

import msgspec  # noqa: E402
import numpy as np  # noqa: E402
from scipy import optimize  # noqa: E402

from bayescope.engine.library.outputs_problem import problem_of  # noqa: E402
from bayescope.engine.likelihood.evaluate import log_likelihood  # noqa: E402
from bayescope.engine.loop_interface import InferenceLoop, Tell  # noqa: E402
from bayescope.engine.methods.ask_tell import AskTellLoop  # noqa: E402
from bayescope.engine.methods.best_fit import BestFitMethod  # noqa: E402
from bayescope.engine.methods.loops import loop_settings, make_loop  # noqa: E402
from bayescope.engine.problem import definition as d  # noqa: E402
from bayescope.engine.problem.transforms import ParameterSpace  # noqa: E402

HERE = Path(__file__).resolve().parent
FILES = HERE.parent / "gui" / "real_programs"
RESULTS = HERE / "results" / "real_programs_best.jsonl"
NEAR = 2.0  # nats
SECONDS = 60.0  # of one run
STEP = 1e-3  # of the ranges, for the differences of least squares
Array = np.ndarray
Values = Mapping[str, float]


@dataclass(frozen=True)
class Study:
    """``edits``: pieces of ``deck`` that become a number (with @ for it); ``read``: the folder of a run -> what it returned."""

    command: Sequence[str]
    deck: str
    edits: Sequence[tuple[str, str]]
    ranges: Mapping[str, tuple[float, float]]
    truth: Values
    sd: float | Sequence[float]
    read: Callable[[Path], Sequence[float]]
    files: str = ""  # folder under FILES
    text: str = ""  # of the deck, where there is no such folder
    prepare: Sequence[str] = ()  # once, in the folder that every run is a copy of

    def run(self, values: Values, source: Path) -> Array | None:
        """None: it failed."""
        with tempfile.TemporaryDirectory() as made:
            place = Path(made) / "run"
            shutil.copytree(source, place)
            text = (place / self.deck).read_text()
            for piece, name in self.edits:
                head, tail = piece.split("@")
                if not re.search(re.escape(head) + r"[^\s,;]+" + re.escape(tail), text):
                    raise ValueError(f"“{piece}” is not in {self.deck}")
                number = f"{values[name]:#.9g}"  # ccx reads no 13800 without a point
                text = re.sub(re.escape(head) + r"[^\s,;]+" + re.escape(tail), lambda _: head + number + tail, text)  # noqa: B023
            (place / self.deck).write_text(text)
            try:
                subprocess.run(self.command, cwd=place, timeout=SECONDS, capture_output=True, check=False)
                found = np.array(self.read(place), dtype=float)
            except (subprocess.TimeoutExpired, OSError, ValueError, IndexError):
                return None
        return found if found.size and np.isfinite(found).any() else None

    def folder(self, at: Path) -> Path:
        if self.files:
            shutil.copytree(FILES / self.files, at)
        else:
            at.mkdir()
            (at / self.deck).write_text(self.text)
        if self.prepare:
            subprocess.run(self.prepare, cwd=at, check=True, capture_output=True)
        return at


def _numbers(lines: Sequence[str], column: int) -> list[float]:
    return [float(line.split()[column]) for line in lines]


def _arm(at: Path) -> list[float]:
    """Seven displacements, two frequencies."""
    lines = (at / "arm.dat").read_text().splitlines()
    table = next(i for i, line in enumerate(lines) if "displacements" in line)
    modes = next(i for i, line in enumerate(lines) if "(RAD/TIME)" in line)
    return _numbers(lines[table + 2 : table + 9], 3) + _numbers(lines[modes + 2 : modes + 4], 3)


def _wall(at: Path) -> list[float]:
    return [float(line.split()[-1]) for name in ("joint.txt", "through.txt") for line in (at / name).read_text().splitlines()]


def _impedances(at: Path) -> list[float]:
    lines = (at / "found.out").read_text().splitlines()
    rows = [lines[i + 3].split() for i, line in enumerate(lines) if "ANTENNA INPUT PARAMETERS" in line]
    found = [float(row[k]) for row in rows for k in (6, 7)]
    return found if len(rows) == 7 else []


def _bode(at: Path) -> list[float]:
    """Gain and phase."""
    lines = (at / "found.txt").read_text().splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("#Freq")) + 1
    rows = [line.replace("K", "e3").split() for line in lines[first : first + 61]]
    return [float(row[k]) for row in rows[::4] for k in (1, 2)]


def _pressures(at: Path) -> list[float]:
    """Of six nodes at every second hour."""
    text = (at / "hillside.rpt").read_text()
    return [float(row.split()[3]) for row in re.findall(r"^ +(?:J[1-6]) +.*$", text, re.M)]


def _flow(at: Path) -> list[float]:
    """At the culvert, every ten minutes of the first five hours."""
    lines = (at / "catchment.rpt").read_text().splitlines()
    first = next(i for i, line in enumerate(lines) if "<<< Link C2 >>>" in line)
    return _numbers([line for line in lines[first:] if "06/14/2023" in line][3:30:2], 2)


def _crossings(at: Path, unit: float = 1e-6) -> list[float]:
    """Ten crossing times in microseconds; a threshold that is not reached has none."""
    found = dict(re.findall(r"^(t\d+)\s*=\s*(\S+)", (at / "found.txt").read_text(), re.M))
    return [float(found.get(f"t{k + 1}", "nan")) / unit for k in range(10)]


def _days(at: Path) -> list[float]:
    return _crossings(at, 1.0)


DIPOLE = """CM dipole over poor ground, its ends let down
CE
GW 1 21 0.0 -5.02 8.50 0.0 5.02 8.50 0.0010
GE 1
GN 2 0 0 0 13.0 0.0050
EX 0 1 11 0 1.0 0.0
FR 0 7 0 0 13.80 0.10
XQ
EN
"""
CROSSINGS = """A line driver behind a filter: when its output crosses five thresholds, rising and falling
V1 1 0 PULSE(0 5 1u 0.1u 0.1u 20u 60u)
Rs 1 2 100
L1 2 3 100u
C1 3 0 4n
D1 3 0 clamp
R1 3 0 1k
.model clamp D(Is=1e-9 N=1.6 Rs=40)
.tran 0.02u 45u
.meas tran t1 WHEN v(3)=0.2 RISE=1
.meas tran t2 WHEN v(3)=0.4 RISE=1
.meas tran t3 WHEN v(3)=0.6 RISE=1
.meas tran t4 WHEN v(3)=0.8 RISE=1
.meas tran t5 WHEN v(3)=1.0 RISE=1
.meas tran t6 WHEN v(3)=1.0 FALL=LAST
.meas tran t7 WHEN v(3)=0.8 FALL=LAST
.meas tran t8 WHEN v(3)=0.6 FALL=LAST
.meas tran t9 WHEN v(3)=0.4 FALL=LAST
.meas tran t10 WHEN v(3)=0.2 FALL=LAST
.end
"""


EPIDEMIC = """# when the cases seen of an epidemic cross five levels, rising and falling
beta = 0.42
gamma = 0.17
first = 2e-4
seen = 0.35
STEP, DAYS, LEVELS = 0.05, 250, (0.003, 0.01, 0.02, 0.03, 0.045)
s, i, before, ups, downs = 1.0 - first, first, 0.0, {}, {}
for k in range(round(DAYS / STEP)):
    a, b = -beta * s * i, beta * s * i - gamma * i
    s1, i1 = s + 0.5 * STEP * a, i + 0.5 * STEP * b
    s, i = s - STEP * beta * s1 * i1, i + STEP * (beta * s1 * i1 - gamma * i1)
    now = seen * i
    for n, level in enumerate(LEVELS):
        if (before < level) != (now < level):
            (ups if now > before else downs).setdefault(n, STEP * (k + (level - before) / (now - before)))
    before = now
for n in range(5):
    for m, found in ((2 * n + 1, ups), (2 * n + 2, downs)):
        if n in found: print(f"t{m} = {found[n]!r}")
"""


def studies(python: str) -> dict[str, Study]:
    return {
        "arm (ccx)": Study(
            ("ccx", "arm"), "arm.inp",
            (("*ELASTIC\n@,0.3", "E"), ("*DENSITY\n@\n", "rho"), ("*SPRING, ELSET=CLAMP\n3\n@\n", "spring")),
            {"E": (1e5, 3e5), "rho": (5e-9, 12e-9), "spring": (3e3, 6e4)}, {"E": 193500.0, "rho": 7.52e-9, "spring": 13800.0},
            (0.002, 0.002, 0.003, 0.0056, 0.008, 0.011, 0.015, 0.1, 0.6), _arm, "calculix_arm",
        ),
        "filter (gnucap)": Study(
            ("sh", "-c", "gnucap -b filter.ckt > found.txt"), "filter.ckt",
            (("L1 2 3 @\n", "L"), ("C2 3 0 @\n", "C"), ("R2 3 0 @\n", "R")),
            {"L": (0.3e-3, 10e-3), "C": (3e-9, 100e-9), "R": (500.0, 20e3)}, {"L": 1.95e-3, "C": 26e-9, "R": 3300.0},
            (0.1, 1.0) * 16, _bode, "gnucap",
        ),
        "wall (getdp)": Study(
            ("getdp", "wall.pro", "-msh", "wall.msh", "-solve", "Heat", "-pos", "Report"), "wall.pro",
            (("k[ Brick ]      = @;", "brick"), ("k[ Insulation ] = @;", "ins"), ("k[ Bracket ]    = @;", "steel")),
            {"brick": (0.2, 2.5), "ins": (0.01, 0.2), "steel": (2.0, 80.0)}, {"brick": 0.62, "ins": 0.038, "steel": 17.0},
            0.05, _wall, "getdp_wall", prepare=("gmsh", "-2", "wall.geo", "-format", "msh2", "-o", "wall.msh"),
        ),
        "network (EPANET)": Study(
            (python, "run.py"), "hillside.inp",
            ((" P2  J1     J2     420     200       @ ", "rough2"), (" P5  J1     J5     640     200       @ ", "rough5"),
             (" Hydrant  @  ", "hydrant"), (" Demand Multiplier  @\n", "times")),
            {"rough2": (40.0, 160.0), "rough5": (40.0, 160.0), "hydrant": (2.0, 60.0), "times": (0.3, 2.5)},
            {"rough2": 96.0, "rough5": 131.0, "hydrant": 21.0, "times": 1.15}, 0.1, _pressures, "epanet",
        ),
        "runoff (SWMM)": Study(
            (python, "run.py"), "catchment.inp",
            (("S1       RG1        J1      12.5   @ ", "share"), ("S1       @     0.15    1.5", "rough"),
             ("J1    J2    240     @ ", "pipe")),
            {"share": (5.0, 90.0), "rough": (0.004, 0.06), "pipe": (0.008, 0.07)}, {"share": 31.0, "rough": 0.018, "pipe": 0.027},
            0.005, _flow, "swmm",
        ),
        "sagging (nec2c)": Study(
            ("nec2c", "-i", "dipole.nec", "-o", "found.out"), "dipole.nec",
            (("GW 1 21 0.0 -5.02 @ 0.0", "low"), ("0.0 5.02 @ 0.0010", "high"), ("GN 2 0 0 0 13.0 @\n", "loss"),
             ("GN 2 0 0 0 @ ", "eps")),
            {"low": (-4.0, 14.0), "high": (-4.0, 14.0), "eps": (2.0, 40.0), "loss": (0.0005, 0.05)},
            {"low": 2.6, "high": 7.3, "eps": 11.0, "loss": 0.006}, 0.5, _impedances, text=DIPOLE,
        ),
        "crossings (ngspice)": Study(
            ("sh", "-c", "ngspice -b driver.cir > found.txt"), "driver.cir",
            (("Rs 1 2 @\n", "Rs"), ("L1 2 3 @\n", "L"), ("C1 3 0 @\n", "C"), ("R1 3 0 @\n", "R")),
            {"Rs": (20.0, 1500.0), "L": (1e-5, 1e-3), "C": (1e-9, 3e-8), "R": (100.0, 5000.0)},
            {"Rs": 180.0, "L": 1.6e-4, "C": 5.2e-9, "R": 620.0}, 0.02, _crossings, text=CROSSINGS,
        ),
        "levels (Python)": Study(
            ("sh", "-c", f"{python} -I -S epidemic.py > found.txt"), "epidemic.py",
            (("beta = @\n", "beta"), ("gamma = @\n", "gamma"), ("first = @\n", "first"), ("seen = @\n", "seen")),
            {"beta": (0.05, 1.2), "gamma": (0.03, 0.6), "first": (1e-5, 5e-3), "seen": (0.05, 0.9)},
            {"beta": 0.42, "gamma": 0.17, "first": 2e-4, "seen": 0.35}, 0.1, _days, text=EPIDEMIC,
        ),
    }  # fmt: skip


@dataclass(frozen=True)
class Task:
    study: Study
    problem: d.Problem
    space: ParameterSpace
    source: Path

    def density(self, values: Values) -> tuple[float | None, Array | None]:
        """Log joint in the user's units, and what was returned."""
        found = self.study.run(values, self.source)
        if found is None:
            return None, None
        if not np.isfinite(found).all():
            return None, found
        y = log_likelihood(self.problem, {self.problem.outputs[0].name: found}, values)[0]
        return y + float(self.space.log_prior(np.array([[values[n] for n in self.space.names]]))[0]), found


def task_of(study: Study, at: Path) -> Task:
    source = study.folder(at)
    clean = study.run(study.truth, source)
    assert clean is not None, "the program fails at the truth"
    assert np.isfinite(clean).all(), "the program fails at the truth"
    sd = np.broadcast_to(np.asarray(study.sd, float), clean.shape)
    data = clean + sd * np.random.default_rng(3).standard_normal(len(clean))
    plain = problem_of(data, 1.0, study.ranges, {})
    assert isinstance(plain.meaning, d.Predictions)
    assert plain.data is not None
    columns = {**plain.data.columns, "sd": tuple(sd.tolist())}
    match = msgspec.structs.replace(plain.meaning.matches[0], sd_column="sd")
    problem = msgspec.structs.replace(
        plain, data=d.DataTable(columns=columns), meaning=msgspec.structs.replace(plain.meaning, matches=(match,))
    )
    return Task(study, problem, ParameterSpace(problem.parameters), source)


def optimum(task: Task) -> float:
    """By least squares on the program itself, from the truth."""
    assert task.problem.data is not None
    column, *_, sd = (np.array(c, dtype=float) for c in task.problem.data.columns.values())
    names = list(task.study.ranges)
    low, high = np.array(list(task.study.ranges.values())).T
    best = -np.inf

    def residuals(at: Array) -> Array:
        nonlocal best
        y, found = task.density(dict(zip(names, (low + (high - low) * at).tolist(), strict=True)))
        best = max(best, -np.inf if y is None else y)
        return np.full(len(column), 1e3) if y is None or found is None else (found - column) / sd

    start = (np.array([task.study.truth[n] for n in names]) - low) / (high - low)
    optimize.least_squares(residuals, start, bounds=(0.0, 1.0), diff_step=STEP, x_scale=1.0, max_nfev=25)
    return best


def name_of(problem: d.Problem) -> str:
    return problem.outputs[0].name


def one(
    task: Task, top: float, name: str, seed: int, budget: int, learn: str, best_fit: bool, whole: bool
) -> dict[str, object]:
    settings = d.Settings(seed=seed, max_evaluations=budget, options={"learn": learn})
    problem = msgspec.structs.replace(task.problem, settings=settings)
    known = loop_settings(problem, task.space, budget, 1)
    loop: InferenceLoop = AskTellLoop(BestFitMethod(known)) if best_fit else make_loop("default", known)
    cpu, count, failed, best, within = 0.0, 0, 0, -np.inf, None
    while not loop.finished and within is None:
        start = time.process_time()
        asks = loop.ask(1)
        cpu += time.process_time() - start
        if not asks:
            break
        for ask in asks:
            y, found = task.density(task.space.values(ask.u))
            count, failed = count + 1, failed + (y is None)
            if y is None or found is None:
                given = None if whole or found is None or known.cells is None else known.cells.given({name_of(problem): found})
                loop.tell(Tell(ask.index, ask.u, None, outputs=given))
                continue
            best = max(best, y)
            outputs = None if known.cells is None else known.cells.cells({name_of(problem): found})
            loop.tell(Tell(ask.index, ask.u, y + float(task.space.log_jacobian(ask.u[None])[0]), outputs=outputs))
        if best > top - NEAR:
            within = count
        start = time.process_time()
        loop.update()
        cpu += time.process_time() - start
    how = learn + ", best fit" * best_fit + ", whole runs alone" * whole
    return {
        "study": name, "seed": seed, "learn": how, "d": task.space.dimension, "values": len(task.problem.data.columns["sd"]),
        "within": within, "failed": failed, "n": count, "lacking": top - best, "cpu_ms": 1000.0 * cpu / max(count, 1),
    }  # fmt: skip


def table() -> None:
    rows = [json.loads(line) for line in RESULTS.read_text().splitlines()]
    for study, learn in dict.fromkeys((r["study"], r["learn"]) for r in rows):
        mine = [r for r in rows if (r["study"], r["learn"]) == (study, learn)]
        within = [r["within"] if r["within"] is not None else np.inf for r in mine]
        each = ", ".join(str(r["within"] or f"never in {r['n']}") for r in mine)
        size, failed = f"D {mine[0]['d']}, {mine[0]['values']} values", sum(r["failed"] for r in mine)
        print(f"{study:<20} {learn:<6} {size}: median {np.median(within):.0f}, all {each}; failed runs {failed}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("studies", nargs="*", help="the beginnings of their names")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--budget", type=int, default=60)
    parser.add_argument("--learn", default="auto", choices=("auto", "outputs", "score"))
    parser.add_argument("--best-fit", action="store_true", help="with the goal of a best fit, not of a posterior")
    parser.add_argument("--whole", action="store_true", help="runs that lack some of their outputs tell none")
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--table", action="store_true")
    arguments = parser.parse_args()
    if arguments.table:
        table()
        return
    RESULTS.parent.mkdir(exist_ok=True)
    for name, study in studies(arguments.python).items():
        if arguments.studies and not name.startswith(tuple(arguments.studies)):
            continue
        with tempfile.TemporaryDirectory() as made:
            task = task_of(study, Path(made) / "study")
            top = optimum(task)
            for seed in range(arguments.first, arguments.first + arguments.seeds):
                found = one(task, top, name, seed, arguments.budget, arguments.learn, arguments.best_fit, arguments.whole)
                with RESULTS.open("a") as file:
                    file.write(json.dumps(found) + "\n")
                print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
