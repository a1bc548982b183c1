"""Records of finished rounds: made from the log of a table, and replayed to check them."""
