"""Storage in Redis: event logs, snapshots, and everything else that outlasts a process."""
