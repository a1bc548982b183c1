"""Who plays with whom: quick play, challenges, and joining a table."""
