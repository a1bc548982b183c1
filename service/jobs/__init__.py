"""What API, workers and clock share about jobs: the queues, and which processes are alive to serve them."""
