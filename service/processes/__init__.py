"""What the processes stand on: the server program of Redis and its files, gunicorn's worker, descriptors."""
