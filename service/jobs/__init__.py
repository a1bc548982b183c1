"""Jobs, shared by API, workers and clock: the queues, and the state of the processes that serve them."""
