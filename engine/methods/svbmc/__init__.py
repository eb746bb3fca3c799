"""Sparse variational Bayesian Monte Carlo, one stage per file (seed 001)."""
