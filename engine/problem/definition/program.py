"""The simulator: how parameters get into it, its limits, and when a run has failed."""

from __future__ import annotations

from typing import Literal

from .record import Record


class NumberFormat(Record, frozen=True):
    """How a number is written into a placeholder. ``digits`` left out: as many as keep the number exact; of the general style
    they are significant digits, zeros at the end left out. Some programs keep 20 characters of a number and drop the rest,
    exponent and all, without a word: 12 digits of the general style take at most 19."""

    style: Literal["general", "exponent", "fixed", "integer"] = "general"
    digits: int | None = None
    width: int | None = None  # right-aligned to this many characters
    max_width: int | None = None  # longer text is an error before the run, never a cut number


class TemplateFile(Record, frozen=True):
    """A text with ``@name@`` placeholders, written filled into the run folder as ``target``."""

    target: str
    text: str
    original: str | None = None  # as it was when the file was opened: to say what differs; null: not known


class ExtraFile(Record, frozen=True):
    """A fixed input file copied (or linked) into each run folder as ``target`` (default: its own name)."""

    path: str
    target: str = ""
    link: bool = False


class Limits(Record, frozen=True):
    """Limits of one run. ``relative_time`` times the median duration of the good runs so far. null: no limit."""

    time_s: float | None = 3600.0
    relative_time: float | None = None
    memory_mb: float | None = None
    output_mb: float = 64.0  # stdout and stderr, each
    files_mb: float = 2048.0  # run folder


class FailurePattern(Record, frozen=True):
    """The run failed if ``pattern`` is found in ``source`` ('stdout', 'stderr' or a file in the run folder)."""

    source: str
    pattern: str
    regex: bool = False
    when: Literal["found", "missing"] = "found"


class FailureRules(Record, frozen=True):
    exit_code: bool = True  # a non-zero exit status is a failure
    stderr: bool = False  # any text on stderr is a failure
    signal: bool = True  # death by a signal is a failure, even where the exit status is not looked at
    non_finite: bool = True  # NaN or infinite outputs are a failure (a single -inf is left to the likelihood)
    patterns: tuple[FailurePattern, ...] = ()
    meaning: Literal["unknown", "impossible"] = "unknown"  # impossible: likelihood 0 there
    retries: int = 0


class Simulator(Record, frozen=True):
    """A program run from a command line; described, never coded.

    ``command``: argument list, first the program. Placeholders ``@name@`` may stand in any argument, template,
    ``stdin`` and environment value; ``@seed@`` is a fresh integer for programs that are random. A program that
    starts with ``bayescope:`` is one that comes with Bayescope.
    Relative paths are from the session file's folder; the program and its script are also looked for in ``working_folder``.
    """

    command: tuple[str, ...]
    templates: tuple[TemplateFile, ...] = ()
    stdin: str | None = None
    environment: dict[str, str] = {}
    extra_files: tuple[ExtraFile, ...] = ()
    working_folder: str | None = None  # None: the run folder
    formats: dict[str, NumberFormat] = {}
    expected_uses: dict[str, int] = {}  # placeholder -> how often the user expects it
    limits: Limits = Limits()
    failures: FailureRules = FailureRules()
    keep_runs: Literal["failures", "all", "none"] = "failures"
