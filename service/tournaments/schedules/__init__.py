"""Who meets whom: published movements and schedules, and the pairing of a Swiss. Nothing here knows of events."""
