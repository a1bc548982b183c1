"""Code shared by tests and benchmarks: in-memory stores, random players, the service as processes, regressions."""
