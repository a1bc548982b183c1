"""What operators decide and read."""
