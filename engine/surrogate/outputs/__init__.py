"""Surrogates of the outputs of a run: principal components, each with a Gaussian process."""
