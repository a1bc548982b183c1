"""What API, workers and clock know of jobs: the queues, and who is alive to take from them."""
