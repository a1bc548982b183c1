"""Tournaments of teams."""
