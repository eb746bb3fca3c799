"""The stages of the default loop (``inference/default.py``), one per file. Constants and findings: shared/RECIPE.md."""
