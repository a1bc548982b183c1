"""Storage of players: records, tables, tokens, results and more."""
