"""What a trial run and a noise check found out, as the window shows it."""

from __future__ import annotations

from typing import Literal

import msgspec

from ..problem.binary_files import BinaryFile

# what a person has to correct first: the form of a place, the program there, or which place was chosen
Correct = Literal["", "place", "program", "where", "random"]


class TrialFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file of the run folder: filled in from a template, copied in, or written by the program; long text is cut."""

    name: str
    role: Literal["template", "extra", "produced"]
    size: int = 0  # bytes on disk
    text: str | None = None  # None: not text, or there was no more room for it
    binary: BinaryFile | None = None  # what kind it is, where it is no text
    cut: bool = False


class TrialOutput(msgspec.Struct, frozen=True, kw_only=True):
    """One declared output as it was read; ``spans`` are the characters (start, end) of ``source`` the numbers came from."""

    name: str
    source: str
    values: tuple[float | None, ...] = ()  # None: not a number
    problem: str = ""  # why it could not be read, a sentence
    spans: tuple[tuple[int, int], ...] = ()
    texts: tuple[str, ...] = ()  # of an output of labels: as read; ``values`` are what stands for them


class TrialPrediction(msgspec.Struct, frozen=True, kw_only=True):
    """Predicted against measured values of one data column, paired as the likelihood pairs them."""

    column: str
    key_column: str = ""  # empty: paired in order
    key: tuple[float | None, ...] = ()
    measured: tuple[float | None, ...] = ()
    predicted: tuple[float | None, ...] = ()
    sd: tuple[float | None, ...] = ()


class TrialBeside(msgspec.Struct, frozen=True, kw_only=True):
    """What a run wrote into the ``folder`` of its ``script`` or program instead of its own; ``names``: from there, with /.

    ``line``: of the script, by which it changes the folder, and its ``number`` from 1; empty and 0 if none is seen.
    ``started_by``: the words that its first line names to run it; () if none. ``read``: the files that lay there and were left as
    they were, which it may read; () where they are too many or too large to be put into every run. ``also``: the other scripts of
    a list of commands that lie there, each with the words that its first line names.
    """

    folder: str
    names: tuple[str, ...]
    script: str
    line: str = ""
    number: int = 0
    started_by: tuple[str, ...] = ()
    read: tuple[str, ...] = ()
    also: tuple[tuple[str, tuple[str, ...]], ...] = ()


class TrialTold(msgspec.Struct, frozen=True, kw_only=True):
    """A line by which a file that a run wrote tells why it failed; ``line``: its number from 1."""

    name: str
    line: int
    words: str


class TrialRunReport(msgspec.Struct, frozen=True, kw_only=True):
    """Everything of one trial evaluation, for the window's Test run; travels as JSON in ``TrialRunResult``.

    Written by ``engine/simulator/trial_run.py``; the worker adds the likelihood. Missing parts keep their defaults.
    """

    outcome: Literal["ok", "failed", "impossible", "cancelled"]
    reason: str = ""  # why not ok: what happened, where, what to try
    values: dict[str, float] = {}
    command: tuple[str, ...] = ()  # filled
    program: str = ""  # the file that was started
    working_folder: str = ""
    run_folder: str = ""
    stdin: str | None = None  # filled
    environment: dict[str, str] = {}  # only what the user declared, filled
    exit_code: int | None = None
    duration_s: float = 0.0
    again_s: float | None = None  # the median of further runs at the same values; a first one may be slower
    stdout: str = ""
    stderr: str = ""
    stdout_cut: bool = False
    stderr_cut: bool = False
    files: tuple[TrialFile, ...] = ()
    outputs: tuple[TrialOutput, ...] = ()
    log_likelihood: float | None = None
    log_prior: float | None = None
    noise_sd: float = 0.0
    predictions: tuple[TrialPrediction, ...] = ()
    repeats_agree: bool | None = None  # None: run once
    repeats_words: str = ""  # how much the outputs changed from run to run
    again: tuple[TrialFile, ...] = ()  # texts that a second run at the same values wrote otherwise; stdout and stderr are two
    idle: tuple[str, ...] | None = None  # parameters that change nothing in the outputs; None: that was not looked at
    warnings: tuple[str, ...] = ()
    correct: Correct = ""  # what has to be corrected first, where the run did not even begin
    beside: TrialBeside | None = None  # None: nothing was written there
    told: TrialTold | None = None  # None: no file tells more than what was printed


class SummaryFault(msgspec.Struct, frozen=True, kw_only=True):
    """Why every point would fail with these summaries (places among the declared ones). ``leave_out``: which one mends it;
    None: none alone. ``certain``: at every point, not only at the one looked at. ``missed``: another value was measured.
    """

    words: str
    summaries: tuple[int, ...]
    leave_out: int | None = None
    certain: bool = True
    missed: bool = False


class NoiseReport(msgspec.Struct, frozen=True, kw_only=True):
    """How random the simulator is at one point (engine/simulator/noise_check.py). ``words`` say all of it in sentences."""

    runs: int
    good: int
    words: tuple[str, ...] = ()
    values: tuple[float, ...] = ()  # log-likelihoods, of each run where a run has one
    sd: float | None = None  # of one evaluation's log-likelihood
    sd_low: float | None = None  # 95 % interval of the sd
    sd_high: float | None = None
    gaussian: bool | None = None  # None: cannot be told
    repeats_needed: int | None = None  # for an sd near 1
    identical: bool = False
    summary_names: tuple[str, ...] = ()
    summary_spread: tuple[float, ...] = ()
    summary_counts: tuple[int, ...] = ()  # how many of these numbers each declared summary has
    faults: tuple[SummaryFault, ...] = ()
    stated: float | None = None  # standard error by the program's own output, rms over the runs
    stated_off: str = ""  # that it is another one than the spread of the runs, a sentence
    scatter: str = ""  # of predictions with a statistical error of their own: how large it is, a sentence
    scatter_is_large: bool = False  # so that it, rather than the measurement's error, decides how many runs are needed
    duration_s: float = 0.0
