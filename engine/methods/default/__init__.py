"""The default method, one stage per file (engine/METHODS.md, RECIPE)."""
