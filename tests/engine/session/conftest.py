"""A small problem and rows to fill sessions with: the fixtures of tests/support/session_rows.py."""

from session_rows import _own_home, make_ask, make_evaluation, make_iteration, problem, session_path

__all__ = ["_own_home", "make_ask", "make_evaluation", "make_iteration", "problem", "session_path"]
