"""Evaluations made elsewhere: read from files, checked against the problem, handed to a session. Light: no torch."""
