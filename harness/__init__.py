"""What tests and benchmarks share: stores in memory, players for whole games, the service as processes."""
