"""What the processes run on: the Redis server and its files, gunicorn's worker, file descriptors."""
