"""Makes a process one of the release to come. Python imports this at its start if the folder is in PYTHONPATH."""

from tools.faults.release_to_come import know

know()
