"""The stages of the loop for noisy log densities (shared/RECIPE.md, last part); ``inference/noisy.py`` is the loop."""
