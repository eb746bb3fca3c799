"""Slice sampling by simulator runs."""
