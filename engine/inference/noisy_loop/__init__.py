"""The stages of the loop for noisy log densities (shared/RECIPE.md, "Noisy log densities"); ``inference/noisy.py`` is the loop."""
