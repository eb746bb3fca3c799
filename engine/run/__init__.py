"""One run of a method on a problem: evaluations collected and committed, resumed, paced, made again."""
