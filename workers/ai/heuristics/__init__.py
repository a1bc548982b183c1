"""Decisions by rules, without a search."""
