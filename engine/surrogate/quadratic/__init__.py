"""The Gaussian process with a full quadratic in its kernel."""
