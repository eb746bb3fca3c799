"""Where runs fail, and where the density is zero."""
