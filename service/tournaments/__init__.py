"""Tournaments of teams: entries, rounds by a director, tables of their matches, standings."""
