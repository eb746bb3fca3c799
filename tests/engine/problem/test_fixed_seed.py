"""Where a random seed is given by number, and the placeholder in its place."""

from __future__ import annotations

import msgspec
import pytest

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.fixed_seed import fixed_seed, with_seed_marked


def problem(command: tuple[str, ...] = ("mc", "@k@"), text: str = "k @k@\n", stdin: str | None = None) -> d.Problem:
    return d.Problem(
        name="mc", parameters=(d.Parameter(name="k", prior=d.Uniform(low=0.0, high=1.0)),),
        simulator=d.Simulator(command=command, templates=(d.TemplateFile(target="in.txt", text=text),), stdin=stdin),
        outputs=(d.Output(name="y", source="stdout", extractor=d.LastNumber()),),
        meaning=d.Predictions(matches=(d.Match(output="y", column="y"),), noise=d.GaussianKnown(sd=1.0)),
    )  # fmt: skip


@pytest.mark.parametrize(("given", "words", "command", "text", "stdin"), [
    (problem(text="k @k@\nrandom_seed = 7 ! fixed\n"), "in.txt, line 2: “random_seed = 7 ! fixed”", None,
     "k @k@\nrandom_seed = @seed@ ! fixed\n", None),
    (problem(stdin="10\nseed 42\n@k@\n"), "standard input, line 2: “seed 42”", None, None, "10\nseed @seed@\n@k@\n"),
    (problem(("mc", "--seed", "42", "@k@")), "the command: “--seed 42”", ("mc", "--seed", "@seed@", "@k@"), None, None),
    (problem(("mc", "-rseed=42", "@k@")), "the command: “-rseed=42”", ("mc", "-rseed=@seed@", "@k@"), None, None),
])  # fmt: skip
def test_a_seed_given_by_number_is_found_and_marked_where_it_stands(
    given: d.Problem, words: str, command: tuple[str, ...] | None, text: str | None, stdin: str | None
) -> None:
    found = fixed_seed(given)
    assert found is not None
    assert found.words == words
    marked = with_seed_marked(given, found).simulator
    assert marked.command == (command or given.simulator.command)
    assert marked.templates[0].text == (text or given.simulator.templates[0].text)
    assert marked.stdin == (stdin or given.simulator.stdin)
    assert fixed_seed(msgspec.structs.replace(given, simulator=marked)) is None


@pytest.mark.parametrize("given", [
    problem(), problem(("mc", "--seed", "@seed@", "@k@")), problem(("mc", "--seeds", "4")), problem(("mc", "--grass-seed=4")),
    problem(("mc", "--seed", "clock")), problem(("seed", "42")), problem(text="seeds 4\nseed 1.5\n"), problem(stdin="speed 42\n"),
    problem(text="RNG = 2\n"), problem(text="range 100\nbrand 123\n"), problem(text="seed_density 40\nrand(3, 4)\n"),
])  # fmt: skip
def test_what_is_no_seed_or_no_number_is_left(given: d.Problem) -> None:
    assert fixed_seed(given) is None


@pytest.mark.parametrize("line", [
    "random_state: {}", "seed_value = {};", "set.seed({})", "np.random.seed({})", "rng = default_rng({})", "RandomState({})",
    "srand({});", "variable seed equal {}", "RNG {}", "\"random_state\": {},", "init_seed={}", "torch.manual_seed({})",
])  # fmt: skip
def test_seeds_are_known_by_other_names_and_in_calls(line: str) -> None:
    given = problem(text=f"k @k@\n{line.format(20261)}\n")
    found = fixed_seed(given)
    assert found is not None
    assert found.words.startswith("in.txt, line 2: “")
    assert with_seed_marked(given, found).simulator.templates[0].text == f"k @k@\n{line.format('@seed@')}\n"
