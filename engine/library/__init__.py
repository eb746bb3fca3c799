"""``infer``: the methods for programmers, without a problem file; ``open_session``: a saved analysis, read again."""
