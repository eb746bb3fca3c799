"""Leave to run a simulator, given as its own user does who has just declared it; and the runs themselves, with that leave."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bayescope.engine.problem.definition import Output, Problem, Simulator
from bayescope.engine.problem.files import dumps
from bayescope.engine.protocol import NoiseReport, TrialRunReport
from bayescope.engine.session.trust.consent import Permit, permit_for, sign
from bayescope.engine.simulator import noise_check as _noise_check
from bayescope.engine.simulator import repeated, runner
from bayescope.engine.simulator import trial_run as _trial_run
from bayescope.engine.simulator.run_result import RunResult


def agreed(declared: Simulator | Problem, folder: Path, *, confined: bool = False) -> Permit:
    """A permit for ``declared`` with relative paths from ``folder``."""
    simulator = declared.simulator if isinstance(declared, Problem) else declared
    return permit_for(sign(simulator, folder, confined=confined), simulator, folder)


def command_fields(problem: Problem, folder: Path) -> dict[str, Any]:
    """What the window puts into a command to the engine that runs ``problem``."""
    signed = sign(problem.simulator, folder)
    return {"problem_json": dumps(problem), "folder": str(folder), "consent": signed.content, "signature": signed.signature}


def run_once(
    simulator: Simulator, outputs: Sequence[Output], values: Mapping[str, float], *, base: Path, **options: Any
) -> RunResult:
    """``runner.run_once`` by the simulator's own user."""
    return runner.run_once(simulator, outputs, values, permit=agreed(simulator, base), base=base, **options)


def run_repeated(
    simulator: Simulator, outputs: Sequence[Output], values: Mapping[str, float], *, base: Path, **options: Any
) -> RunResult:
    """``repeated.run_repeated`` by the simulator's own user."""
    return repeated.run_repeated(simulator, outputs, values, permit=agreed(simulator, base), base=base, **options)


def trial_run(problem: Problem, values: Mapping[str, float], base: Path, *rest: Any, **options: Any) -> TrialRunReport:
    """``trial_run.trial_run`` by the problem's own user."""
    return _trial_run.trial_run(problem, values, base, *rest, permit=agreed(problem, base), **options)


def noise_check(problem: Problem, values: Mapping[str, float], base: Path, *rest: Any, **options: Any) -> NoiseReport:
    """``noise_check.noise_check`` by the problem's own user."""
    return _noise_check.noise_check(problem, values, base, *rest, permit=agreed(problem, base), **options)
