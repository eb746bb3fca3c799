"""The method for noisy log densities, one stage per file (engine/METHODS.md, RECIPE, last part)."""
