"""Importance sampling and population Monte Carlo on a density."""
