"""The rules of the games: pure functions, standard library only. No I/O, no clock; random generators are passed in."""
