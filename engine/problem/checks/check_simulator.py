"""The simulator's description: placeholders, files, formats, limits, failure rules."""

from __future__ import annotations

import difflib
import math
import os
from collections.abc import Iterator
from pathlib import Path

import msgspec

from .. import definition as d
from .. import priors
from ..command_list import command_list
from ..errors import ProblemError
from ..findings import Findings, file_name_trouble, shorten
from ..numbers.number_format import format_number
from ..numbers.shown_digits import spoken
from ..placeholders import RESERVED, SEED, almost, find, normal, with_formats

MAX_TEMPLATE_CHARACTERS = 8_000_000


def texts_with_placeholders(simulator: d.Simulator) -> Iterator[tuple[str, str, str]]:
    """Every text of ``simulator`` that is filled in: (where, the place in words, text)."""
    for i, word in enumerate(simulator.command):
        yield f"simulator.command[{i}]", "the program" if i == 0 else f"argument {i}", word
    for i, template in enumerate(simulator.templates):
        yield f"simulator.templates[{i}].text", f"template “{shorten(template.target, 30)}”", template.text
    if simulator.stdin is not None:
        yield "simulator.stdin", "standard input", simulator.stdin
    for name, value in simulator.environment.items():
        yield f"simulator.environment.{name}", f"environment variable {shorten(name, 30)}", value


def noise_parameters(problem: d.Problem) -> set[str]:
    """Names of parameters that the noise model uses; they need no placeholder."""
    meaning = problem.meaning
    if not isinstance(meaning, d.Predictions):
        return set()
    noises = [meaning.noise, *(match.noise for match in meaning.matches if match.noise is not None)]
    values = [getattr(noise, field, None) for noise in noises for field in ("parameter", "sd", "rho")]
    return {normal(value) for value in values if isinstance(value, str)}


def simulator_parameters(problem: d.Problem) -> set[str]:
    """Names that occur as placeholders: what the program is given."""
    return {normal(name) for _, _, text in texts_with_placeholders(problem.simulator) for name, _, _ in find(text)}


def check_simulator(findings: Findings, problem: d.Problem, folder: Path | None) -> None:
    simulator = problem.simulator
    _check_command(findings, simulator)
    _check_placeholders(findings, problem)
    _check_formats(findings, problem)
    _check_files(findings, simulator, folder)
    _check_limits(findings, simulator.limits)
    _check_failures(findings, simulator.failures)


def _check_command(findings: Findings, simulator: d.Simulator) -> None:
    if not simulator.command or not simulator.command[0].strip():
        findings.error("simulator.command", "No program is given.", "Choose the program that is to be run.")
    elif simulator.command[0] == "bayescope:":
        findings.error("simulator.command[0]", "The name of the bundled program is missing after “bayescope:”.")
    elif (several := command_list(simulator.command)) is not None:
        findings.warning(
            "simulator.command", f"“{several.sign}” is for a shell, and none reads this command: all behind it are arguments of "
            f"“{shorten(simulator.command[0])}”.", "The Simulator page, tab Program, has a button that runs one after the other.",
        )  # fmt: skip
    for where, place, text in texts_with_placeholders(simulator):
        if "\0" in text:
            findings.error(where, f"There is a zero character in {place}; no program can be given one.", "Remove it.")
        if len(text) > (MAX_TEMPLATE_CHARACTERS if "templates" in where else 100_000):
            findings.error(where, f"The text of {place} is too long.", "Put it into a file beside the program.")
    for name in simulator.environment:
        if not name or "=" in name or "\0" in name or name != name.strip():
            findings.error("simulator.environment", f"“{shorten(name)}” cannot be the name of an environment variable.")


def _check_placeholders(findings: Findings, problem: d.Problem) -> None:
    simulator = problem.simulator
    declared = {normal(p.name): p for p in problem.parameters}
    used: dict[str, list[str]] = {}
    for where, place, text in texts_with_placeholders(simulator):
        for name, start, _ in find(text):
            line = f", line {text.count(chr(10), 0, start) + 1}" if "\n" in text else ""
            used.setdefault(name, []).append(place + line)
            if name not in declared and name not in RESERVED and used[name].count(place + line) == 1:
                hint = _unknown(name, list(declared))
                findings.error(where, f"@{shorten(name)}@ in {place}{line} is not the name of a parameter.", hint)
        asked = {f"{name}:{form}": name for name, form, _, _ in with_formats(text)}
        for wrong in almost(text):
            if wrong in asked:
                findings.warning(
                    where, f"'@{shorten(wrong, 30)}@' in {place} asks for a number format, and is left as it is.",
                    f"Write @{asked[wrong]}@ and set the format on the Simulator page, tab Inputs, under Where each parameter "
                    "goes (in a problem file: “formats”).",
                )  # fmt: skip
                continue
            findings.warning(
                where, f"'@{shorten(wrong, 30)}@' in {place} looks like a placeholder but is none, and is left as it is.",
                "Between the at signs only a name may stand: letters, digits and underscores, no spaces.",
            )  # fmt: skip
    in_noise = noise_parameters(problem)
    predicts = isinstance(problem.meaning, d.Predictions)
    other = " Or, if it is the size of the errors, choose it on the Data page, tab Errors." if predicts else ""
    for name, parameter in declared.items():
        if name in used or name in in_noise or not simulator.command:  # no program yet: one complaint is enough
            continue
        where = f"parameters.{parameter.name}.name"
        if parameter.fixed is not None:
            findings.warning(
                where, f"The fixed parameter “{shorten(name)}” has no placeholder, so it has no effect.",
                f"Write @{shorten(name)}@ where the program reads it, or remove the parameter.{other}",
            )  # fmt: skip
        else:
            findings.error(
                where, f"The parameter “{shorten(name)}” has no placeholder, so the program never learns its value.",
                f"Write @{shorten(name)}@ into an argument, a template, standard input or an environment variable.{other}",
            )  # fmt: skip
    _check_uses(findings, simulator, used)


def _unknown(name: str, declared: list[str]) -> str:
    similar = difflib.get_close_matches(name, declared, n=1) or [n for n in declared if n.lower() == name.lower()]
    hint = f"Did you mean @{similar[0]}@? " if similar else ""
    return f"{hint}Declare a parameter “{shorten(name)}”, or write @@ for a literal at sign."


def _check_uses(findings: Findings, simulator: d.Simulator, used: dict[str, list[str]]) -> None:
    expected = {normal(name): count for name, count in simulator.expected_uses.items()}
    for name, places in used.items():
        wanted = expected.get(name)
        if wanted is None or len(places) == wanted:  # several places are meant, unless a number of them was declared
            continue
        seen = "; ".join(dict.fromkeys(places))
        often = "once" if len(places) == 1 else f"{len(places)} times"
        findings.warning(
            "simulator.expected_uses", f"@{name}@ stands {often} ({shorten(seen, 150)}), expected was "
            f"{'once' if wanted == 1 else f'{wanted} times'}.",
            "Every place is filled with the same value. If that is meant, set the expected number of uses.",
        )  # fmt: skip
    for name, count in expected.items():
        if name not in used and count > 0:
            findings.warning("simulator.expected_uses", f"@{shorten(name)}@ is expected but stands nowhere.")


def _check_formats(findings: Findings, problem: d.Problem) -> None:
    declared = {normal(p.name): p for p in problem.parameters}
    for name, form in problem.simulator.formats.items():
        where = f"simulator.formats.{name}"
        if normal(name) not in declared and normal(name) != SEED:
            findings.warning(where, f"A number format is given for “{shorten(name)}”, which is not a parameter.", "Remove it.")
        if form.digits is not None and not 0 <= form.digits <= 40:
            findings.error(f"{where}.digits", f"{form.digits} digits are not possible.", "Choose 0 to 40, or leave it empty.")
        for field in ("width", "max_width"):
            width = getattr(form, field)
            if width is not None and not 1 <= width <= 1000:
                findings.error(f"{where}.{field}", f"A width of {width} characters is not possible.", "Choose 1 to 1000.")
        if form.width is not None and form.max_width is not None and form.width > form.max_width:
            findings.error(
                f"{where}.width", f"“{shorten(name)}” is written {form.width} characters wide, more than the "
                f"{form.max_width} that are allowed.", "Make the width smaller.",
            )  # fmt: skip
        elif normal(name) in declared and not findings.has_error(where):
            _check_width(findings, where, declared[normal(name)], form)
        if form.style == "integer" and normal(name) != SEED:
            findings.warning(
                where, f"“{shorten(name)}” is rounded to a whole number; the search expects results that change smoothly.",
                "Expect steps in the result, or use a continuous parameter.",
            )  # fmt: skip
        if form.style != "integer" and form.digits is not None and form.digits < 4 and normal(name) != SEED:
            findings.warning(
                where, f"“{shorten(name)}” is written with {form.digits} digits only, so nearby values give the same run.",
                "Use more digits if the program can read them.",
            )  # fmt: skip


def _check_width(findings: Findings, where: str, parameter: d.Parameter, form: d.NumberFormat) -> None:
    """Typical values of the parameter fit into the width that is allowed, or at least into the one that is asked for."""
    most = form.width if form.max_width is None else form.max_width
    if most is None:
        return
    try:
        prior = priors.of_parameter(parameter)
    except ProblemError:
        return  # said where the parameter is checked
    typical = [float(prior.quantile(p)) for p in (0.13, 0.51, 0.87)]
    for value in typical if parameter.fixed is None else [parameter.fixed]:
        try:
            format_number(value, msgspec.structs.replace(form, max_width=most), parameter.name)
        except ProblemError as error:
            if form.max_width is not None:
                findings.error(f"{where}.max_width", error.what, error.suggestion)
            else:
                findings.warning(
                    f"{where}.width", f"“{shorten(parameter.name)}” often needs more than the {most} characters asked for; what "
                    "stands behind it then moves, and a program that reads fixed columns reads wrong numbers.", error.suggestion,
                )  # fmt: skip
            return


def _check_files(findings: Findings, simulator: d.Simulator, folder: Path | None) -> None:
    targets: dict[str, str] = {}
    named = [(f"simulator.templates[{i}]", t.target) for i, t in enumerate(simulator.templates)]
    named += [(f"simulator.extra_files[{i}]", f.target or Path(f.path).name) for i, f in enumerate(simulator.extra_files)]
    for where, target in named:
        trouble = file_name_trouble(target)
        if trouble:
            findings.error(f"{where}.target", trouble, "Give a plain file name such as “input.txt”.")
        elif find(target):
            findings.error(
                f"{where}.target", f"The file name “{shorten(target)}” holds a placeholder; file names are not filled in."
            )
        elif target.casefold() in targets:
            findings.error(f"{where}.target", f"Two files of the run folder are called “{shorten(target)}”.", "Rename one.")
        targets[target.casefold()] = where
    for i, template in enumerate(simulator.templates):
        if not find(template.text):
            findings.warning(
                f"simulator.templates[{i}].text", f"The template “{shorten(template.target)}” holds no placeholder, so it is the "
                "same in every run.", "Write @name@ where a parameter's value belongs, or copy it as an extra file.",
            )  # fmt: skip
    for i, extra in enumerate(simulator.extra_files):
        where = f"simulator.extra_files[{i}].path"
        if not extra.path.strip() or "\0" in extra.path:
            findings.error(where, "An extra file has no path.", "Choose the file.")
        elif folder is not None and not os.path.exists(folder / os.path.expanduser(extra.path)):
            findings.error(
                where, f"The file “{shorten(extra.path, 120)}” is not there.",
                f"It is looked for from {folder}. Choose it again, or write its name with its folder.",
            )  # fmt: skip
    working = simulator.working_folder
    if working is not None and ("\0" in working or not working.strip()):
        findings.error("simulator.working_folder", "The working folder has no name.", "Choose a folder, or leave it empty.")
    elif working is not None and folder is not None and not os.path.isdir(folder / os.path.expanduser(working)):
        findings.error("simulator.working_folder", f"The folder “{shorten(working, 120)}” is not there.", "Choose another one.")
    elif working is not None and folder is not None and not os.access(folder / os.path.expanduser(working), os.W_OK | os.X_OK):
        findings.warning(
            "simulator.working_folder", f"Nothing can be written to the folder “{shorten(working, 120)}”.",
            "A program that writes its files there will fail: choose another one.",
        )  # fmt: skip


def _check_limits(findings: Findings, limits: d.Limits) -> None:
    for field, words in (
        ("time_s", "time limit"), ("relative_time", "relative time limit"), ("memory_mb", "memory limit"),
        ("output_mb", "limit on the program's output"), ("files_mb", "limit on the run folder"),
    ):  # fmt: skip
        value = getattr(limits, field)
        if value is not None and not (math.isfinite(value) and value > 0.0):
            findings.error(f"simulator.limits.{field}", f"The {words} is {spoken(value)}; it must be greater than zero.")
    if limits.relative_time is not None and 0.0 < limits.relative_time < 1.5:
        findings.warning(
            "simulator.limits.relative_time",
            f"Runs longer than {spoken(limits.relative_time)} times the median are stopped; half of "
            "all runs are longer than the median.", "Use 5 or more.",
        )  # fmt: skip


def _check_failures(findings: Findings, failures: d.FailureRules) -> None:
    if not 0 <= failures.retries <= 100:
        findings.error("simulator.failures.retries", f"{failures.retries} retries are not possible.", "Choose 0 to 100.")
    for i, rule in enumerate(failures.patterns):
        where = f"simulator.failures.patterns[{i}]"
        check_source(findings, f"{where}.source", rule.source)
        if not rule.pattern:
            findings.error(f"{where}.pattern", "A failure rule has no text to look for.", "Enter the text, or remove the rule.")
        elif rule.regex:
            check_pattern(findings, f"{where}.pattern", rule.pattern)


def check_source(findings: Findings, where: str, source: str) -> None:
    """'stdout', 'stderr' or a file inside the run folder."""
    if source in ("stdout", "stderr"):
        return
    trouble = file_name_trouble(source)
    if trouble:
        findings.error(where, trouble, "Give “stdout”, “stderr” or the name of a file that the program writes.")


def check_pattern(findings: Findings, where: str, pattern: str) -> int:
    """The number of groups of a regular expression; -1 and an error if it is not one."""
    import regex

    try:
        return regex.compile(pattern).groups
    except (regex.error, OverflowError, RecursionError, MemoryError, ValueError) as error:
        findings.error(where, f"The search pattern “{shorten(pattern)}” is not valid: {error}.", "Correct it.")
        return -1
