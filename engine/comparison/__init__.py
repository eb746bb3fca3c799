"""Other answers beside ours."""
