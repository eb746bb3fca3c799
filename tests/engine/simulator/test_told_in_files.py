"""A run that failed without a word says what the files that it wrote tell of the error."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bayescope.engine.answer.failures.failures import _last_words
from bayescope.engine.answer.failures.kinds import kind_of
from bayescope.engine.problem.definition import Simulator, TemplateFile
from bayescope.engine.simulator.run_result import RunResult
from bayescope.engine.simulator.told_in_files import weight

LOG = """
-------------------------------------------------------
Program:     gmx grompp, version 2022.5-Debian_2022.5_2
Source file: src/gromacs/commandline/cmdlineparser.cpp (line 271)
Function:    void gmx::CommandLineParser::parse(int*, char**)

Error in user input:
Invalid command-line options
  In command-line option -c
    File 'conf_20.5.gro' does not exist or is not accessible.
    The file could not be opened.
      Reason: No such file or directory
      (call to fopen() returned error code 2)

For more information and tips for troubleshooting, please check the GROMACS
website at http://www.gromacs.org/Documentation/Errors
"""
SAYS = " Its file “grompp.log” says: “File 'conf_20.5.gro' does not exist or is not accessible”."


def program(printed: str = "", status: int = 1) -> str:
    files = f"open('grompp.log', 'w').write({LOG!r})\nopen('z.xvg', 'w').write('1 2')"
    return f"import sys\n{files}\nprint({printed!r}, end='')\nsys.exit({status})"


def test_where_nothing_was_printed_the_line_of_the_log_that_tells_is_quoted(
    script: Callable[[str], tuple[str, ...]], run: Callable[..., RunResult]
) -> None:
    result = run(script(program()))
    assert result.reason == f"The program ended with exit status 1, which means failure. It printed nothing.{SAYS}"
    assert result.told is not None
    assert (result.told.name, result.told.line) == ("grompp.log", 10)
    assert kind_of("failed", result.reason) == "crash"
    assert _last_words([result.reason]) == SAYS


def test_so_it_is_where_what_was_printed_tells_nothing_or_an_output_is_lacking(
    script: Callable[[str], tuple[str, ...]], run: Callable[..., RunResult]
) -> None:
    result = run(script(program("### density 20.5 mol/l")))
    assert result.reason.endswith(f" See what it printed. It said last: “### density 20.5 mol/l”.{SAYS}")
    assert _last_words([result.reason]) == SAYS
    assert run(script(program("done", 0))).reason.endswith(SAYS)


def test_an_error_that_was_printed_needs_no_file_and_no_input_is_quoted(
    script: Callable[[str], tuple[str, ...]], run: Callable[..., RunResult]
) -> None:
    assert run(script(program("error: the matrix is singular"))).told is None
    note = TemplateFile(target="note.txt", text="an error in this file: input.dat not found")
    given = Simulator(command=script("import sys\nsys.exit(1)"), templates=(note,))
    assert run(given).told is None


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("FileNotFoundError: [Errno 2] No such file or directory: 'x.dat'", 3),
        ("Fortran runtime error: Cannot open file 'mesh.msh': No such file", 3),
        ("ERROR 4: unknown keyword SOLVR", 2),
        ("ValueError: the matrix is singular", 2),
        ("Fatal error:", 1),
        ("residual error = 1.2e-3", 0),
        ("solved with 0 errors", 0),
        ("Pressure  317.835  11  Err.Est.", 0),
        ('  File "run.py", line 3, in <module>', 0),
        ("please see http://www.gromacs.org/Documentation/Errors", 0),
    ],
)
def test_a_line_that_names_the_lacking_file_tells_most_and_a_small_residual_nothing(line: str, expected: int) -> None:
    assert weight(line) == expected
