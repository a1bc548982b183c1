"""The environment of processes: the Redis server and its files, gunicorn's worker, file descriptors."""
