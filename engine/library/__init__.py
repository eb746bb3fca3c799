"""``infer``: the methods for programmers, without a problem file."""
