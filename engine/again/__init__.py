"""Asking again: other noise, data or priors, answered from the runs there are, without new ones."""
