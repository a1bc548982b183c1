"""The event log and the snapshots, in Redis."""
