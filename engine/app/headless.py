"""Running an analysis in a terminal: progress bar, Ctrl-C, and the answer as a small table."""

from __future__ import annotations

import math
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tqdm import tqdm

from .. import protocol
from ..answer import latest
from ..answer.best_fit import best_fit_of
from ..answer.checks import checks_of_store
from ..answer.digits import own_step, plain, sd_step, with_error
from ..answer.modes import modes_of_store
from ..answer.predictions.predictive import agreement, emulated, unlikely, with_fit
from ..answer.unseen import claim_of_store
from ..answer.usual_scatter import scatter_words
from ..answer.with_and_without import Evidence, beside_first
from ..answer.words import headline
from ..machine.thread_start import start_thread
from ..problem.checks import validate
from ..problem.command_text import command_text, visible
from ..problem.definition import Problem, evaluation_noun
from ..problem.errors import SetupError
from ..problem.numbers.number_text import NumberError, parse
from ..problem.transforms import ParameterSpace
from ..report import export
from ..run.analysis import Analysis
from ..run.control import Control
from ..run.where import runs_at_once, site_for, site_for_a_while
from ..session import adoption
from ..session.ledger import Ledger
from ..session.store import SUFFIX, SessionStore
from ..session.trust.consent import NotAgreed, Permit, permit_for, sign
from ..session.trust.sheet import sheet_of
from .chosen_settings import aim, choose_method, set_options, sow
from .exit_status import FAILED, INTERRUPTED, OK, Failure
from .interrupts import interrupts
from .order_check import check_order
from .terminal import say, warn
from .where_command import HERE
from .worker_tasks import answer_imported_runs


def run_session(
    path: Path,
    evaluations: int | None,
    workers: int | None,
    trust: bool,
    method: str | None = None,
    confined: bool | None = None,
    seed: int | None = None,
    where: str | None = None,
    goal: str | None = None,
    options: Mapping[str, str] | None = None,
    in_order: bool = False,
) -> int:
    """Start or resume a session; the exit status. Ctrl-C stops in good order, a second one ends the simulators.

    ``where``: a place, HERE for this computer, None: as last time. ``goal``: posterior or best-fit, None: as last time.
    ``options``: of the method, name -> text; empty text: its default. ``in_order``: rows that are compared in order are in the
    right one.
    """
    if path.suffix == ".json":
        made = command_text(["bayescope", "new", path, f"{path.stem}{SUFFIX}"])
        raise Failure(f"{path} is a problem file. Make a session of it first: {made}")
    adoption.become_subreaper()
    with SessionStore.open(path, role="engine") as store:
        if not store.writable:
            raise Failure(f"{store.read_only_reason} A run needs to write into it.")
        if method is not None:
            choose_method(store, method)
        if seed is not None:
            sow(store, seed)
        if options:
            set_options(store, options)
        if goal is not None:
            aim(store, goal)
        if evaluations != 0 and not store.has_started:
            _check(store)
        permit, place = agreed_permit(store, trust, confined), place_of_session(store, where)
        if evaluations != 0:
            check_order(store, middle_values(store.problem), permit, place, in_order)
        ended, interrupted = make_runs(store, evaluations, workers, place)
        useless = show_answer(store) is False
    say(ended.words)
    if interrupted:
        return INTERRUPTED
    return FAILED if ended.outcome == "failed" or useless else OK


def _check(store: SessionStore) -> None:
    """What is contradictory or missing is said before the first run, not by it. Raises Failure."""
    errors = [f for f in validate.check(store.problem, store.path.absolute().parent) if f.level == "error"]
    for finding in errors:
        warn(f"error in {finding.where}: {finding.message} {finding.suggestion}".rstrip())
    if errors:
        raise Failure("nothing was run; correct the errors above first, in the window or by a new session.")


def agreed_permit(store: SessionStore, trust: bool, confined: bool | None = None) -> Permit:
    """Leave to run the session's problem. One from elsewhere, or changed: everything that would run is shown, and asked.

    ``trust``: agreed on the command line. ``confined``: whether the runs are to be in a sandbox (None: as agreed before; what
    comes from elsewhere is, where this computer can). Raises Failure if nobody agrees.
    """
    shown = None
    try:
        permit = store.permit()
        if confined is None or confined == permit.confined:
            return permit
    except NotAgreed as refusal:
        warn(*sheet_of(refusal).lines())
        shown = refusal.found
        if not trust:
            if not sys.stdin.isatty():
                raise Failure("nothing was run. Look at what would run; if you agree, run again with --trust.") from None
            if input("Run it on this computer? [y/N] ").strip().lower() not in ("y", "yes"):
                raise Failure("nothing was run.") from None
        if confined is None:
            confined = store.foreign
    if store.writable:
        store.agree(confined=confined, shown=shown)
        return store.permit()
    simulator, folder = store.problem.simulator, store.path.parent
    return permit_for(sign(simulator, folder, foreign=store.foreign, confined=confined, shown=shown), simulator, folder)


def place_of_session(store: SessionStore, where: str | None) -> str:
    """The name of the place; "": this computer."""
    if where is not None:
        return "" if where == HERE else where
    last = Ledger(store).where
    if last:
        warn(f"Runs happen at the place “{last}”, as last time (--where {HERE}: on this computer).")
    return last


def make_runs(
    store: SessionStore, evaluations: int | None, workers: int | None, where: str = "", at: Sequence[Mapping[str, float]] = ()
) -> tuple[protocol.RunEnded, bool]:
    """How it ended, and whether by Ctrl-C; ``at``: these runs and no others. Raises Failure where the place cannot be used."""
    control = Control()
    given = store.problem.settings.max_evaluations
    budget = given if evaluations is None else evaluations
    bar: tqdm[Any]
    counted = evaluation_noun(store.problem.meaning)
    with tqdm(total=budget, initial=min(store.evaluation_count, budget), unit=counted, dynamic_ncols=True) as bar:
        show = _Bar(bar)
        if store.awaits_answer:
            answer_imported_runs(store, show)
        try:
            site = site_for(store, where, control, show)
        except SetupError as error:
            raise Failure(str(error)) from None
        if site is not None:
            workers = runs_at_once(site.place.profile, workers)
        wanted = None if budget == given else budget  # the same command again asks for no more
        analysis = Analysis(
            store, control=control, observer=show, max_evaluations=wanted, workers=workers, site=site, at=at, no_others=bool(at)
        )
        results: list[protocol.RunEnded] = []
        over, asked = threading.Event(), 0

        def work() -> None:
            try:
                results.append(analysis.run())
            finally:
                over.set()

        def interrupted() -> None:
            nonlocal asked
            asked += 1

        with interrupts(interrupted):
            start_thread(work, "analysis")
            obeyed = 0
            while not over.wait(0.2):
                if asked > obeyed:
                    obeyed = asked
                    first = "Stopping: runs under way are finishing (Ctrl-C again ends them)."
                    first = first if site is None else f"Stopping: the jobs at “{site.place.profile.name}” are cancelled."
                    bar.write(first if obeyed == 1 else "Ending the runs under way.", file=sys.stderr)
                    control.stop(kill=obeyed > 1)
    if not results:
        raise Failure("the run ended in an unexpected way; everything finished is saved.")
    return results[0], asked > 0


class _Bar:
    """The observer of a run that draws a progress bar."""

    def __init__(self, bar: tqdm[Any]) -> None:
        self._bar = bar
        self._lock = threading.Lock()

    def __call__(self, event: protocol.Event) -> None:
        with self._lock:
            if isinstance(event, protocol.Progress):
                self._bar.total = event.budget
                self._bar.set_description_str(visible(event.activity[:45]), refresh=False)
                self._bar.update(event.evaluations - self._bar.n)
            elif isinstance(event, protocol.SnapshotReady):
                self._bar.set_postfix_str(f"ELBO {with_error(event.elbo, event.elbo_sd)}", refresh=False)
            elif isinstance(event, protocol.Report):
                words = " ".join(part for part in (event.what, event.where, event.suggestion) if part)
                self._bar.write(visible(words), file=sys.stderr)


def show_answer(store: SessionStore) -> bool | None:
    """Print the newest answer; None: there is none yet, False: no run gave a usable value."""
    last = store.last_iteration()
    if last is None:
        return None
    if not math.isfinite(last.log_evidence):
        for reason in last.reasons:
            say(reason)
        return False
    posterior, record = latest.posterior_of(store)
    say(f"\n{'parameter':<16}{'mean':>12}{'sd':>12}{'5 %':>12}{'median':>12}{'95 %':>12}")
    for row in export.summary_rows(posterior):
        numbers = "".join(f"{_number(row, k):>12}" for k in ("mean", "sd", "q05", "q50", "q95"))
        say(f"{row['name'][:15]:<16}{numbers}")
    say(f"log evidence {with_error(record.log_evidence, record.log_evidence_sd)}")
    if said := beside_first(store.problem, Evidence.of(record, store.problem), store.runs_of):
        say(said)
    counted = evaluation_noun(store.problem.meaning)
    checks = checks_of_store(store)
    poor = checks.poor if checks is not None else ()
    best = best_fit_of(store)
    predicted = with_fit(emulated(store.problem, record.slices), None if best is None else best.fit)
    odd = unlikely(predicted)
    say(headline(record.converged, record.warm_up, record.n_evaluations, record.diagnostics, counted, poor=poor, unlikely=odd)[1])
    for title in poor:
        say(f"Not passed: {title}. “bayescope checks” says more.")
    for reason in (*record.reasons, *agreement(predicted)):
        say(reason)
    if (claim := claim_of_store(store)) is not None:
        say(claim.words)
    if (modes := modes_of_store(store)) is not None:
        for words in modes.words:
            say(words)
    return True


def _number(row: Mapping[str, Any], key: str) -> str:
    """A figure of a row of the summary with its digits; the sd has two of its own at least."""
    value, step = row[key], row["resolution"]
    return plain(value, sd_step(value, step) if key == "sd" else own_step(value, step, row["q95"] - row["q05"]))


def test_run(path: Path, trust: bool, at: Mapping[str, str], repeat: int, where: str | None) -> int:
    """One evaluation at ``at`` (parameter -> number; the others in the middle of their plausible range), everything shown.

    ``where`` as for ``run_session``.
    """
    from ..simulator.trial_run import trial_run
    from .trial_text import trial_lines

    with SessionStore.open(path, mode="write" if trust else "read") as store:
        permit = agreed_permit(store, trust)
        problem, place = store.problem, place_of_session(store, where)
    cancel, values = threading.Event(), _chosen_values(problem, at)
    with interrupts(cancel.set), site_for_a_while(problem, place, cancel, "all", warn) as site:
        attempt = None if site is None else site.attempt(0)
        report = trial_run(
            problem, values, permit.folder, repeat, permit=permit, cancel=cancel, attempt=attempt, alone=site is None
        )
    for line in trial_lines(report):
        say(line)
    if cancel.is_set():
        return INTERRUPTED
    return OK if report.outcome == "ok" else FAILED


def middle_values(problem: Problem) -> dict[str, float]:
    """Of the plausible box, in the user's units."""
    import numpy as np

    space = ParameterSpace(problem.parameters)
    return space.values(np.mean(space.plausible_box(), axis=0))


def _chosen_values(problem: Problem, at: Mapping[str, str]) -> dict[str, float]:
    """The middle of the plausible box with the numbers in ``at``. Raises Failure for a wrong name or number."""
    values = middle_values(problem)
    for name, text in at.items():
        if name not in values:
            raise Failure(f"there is no parameter “{name}”. The parameters are: {', '.join(values)}.")
        try:
            values[name] = parse(text)
        except NumberError as error:
            raise Failure(f"for {name}, {error}") from None
        if not math.isfinite(values[name]):
            raise Failure(f"{name} = {text} is not a number that a program can read.")
    return values


def noise_check(path: Path, runs: int, trust: bool, where: str | None = None) -> int:
    """``runs`` runs in the middle of the plausible box, and what they say about the noise. ``where`` as for ``run_session``."""
    from ..simulator.noise_check import noise_check as check

    with SessionStore.open(path, mode="write" if trust else "read") as store:
        permit = agreed_permit(store, trust)
        problem, place, answer = store.problem, place_of_session(store, where), store.last_iteration()
    cancel, values = threading.Event(), _chosen_values(problem, {})
    with interrupts(cancel.set), site_for_a_while(problem, place, cancel, "none") as site:
        attempt = None if site is None else site.attempt(0)
        report = check(problem, values, permit.folder, runs, permit=permit, cancel=cancel, attempt=attempt)
    say("values: " + ", ".join(f"{k} = {v:g}" for k, v in values.items()))
    learnt = "" if answer is None else scatter_words(problem, answer.slices)
    for words in filter(None, (report.scatter, *report.words, learnt)):
        say(words)
    return OK if report.good else FAILED


# ------------------------------------------------------------------ bundled examples


def example_names() -> list[str]:
    """Folders of ``resources/examples`` with a ``problem.json``."""
    from importlib.resources import files

    root = files("bayescope.resources.examples")
    return sorted(d.name for d in root.iterdir() if d.is_dir() and (d / "problem.json").is_file())


def load_example(name: str) -> Problem:
    """Raises Failure when there is no such example."""
    from importlib.resources import as_file, files

    from ..problem.files import load

    if name not in example_names():
        raise Failure(f"there is no example “{name}”. Bundled: {', '.join(example_names())}.")
    with as_file(files("bayescope.resources.examples") / name / "problem.json") as path:
        return load(path)
