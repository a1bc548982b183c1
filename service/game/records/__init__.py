"""Records of finished rounds: made from the log of a table, and played again to check them."""
