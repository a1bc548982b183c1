"""The games: pure rules, standard library only. No I/O, no clock, no randomness but what is handed in."""
