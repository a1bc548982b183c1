"""gunicorn's worker as the service runs it, but less patient: what tests start with `--worker-class`."""

from service.processes import gunicorn_worker

gunicorn_worker.DEADLINE_S = 0.5
Worker = gunicorn_worker.Worker
