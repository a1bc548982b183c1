"""The service's worker for gunicorn with a shorter deadline; tests select it with `--worker-class`."""

from service.processes import gunicorn_worker

gunicorn_worker.DEADLINE_S = 1.0
Worker = gunicorn_worker.Worker
