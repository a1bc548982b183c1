"""Shared by tests and benchmarks: in-memory stores, players for whole games, the service as processes, regressions."""
