"""Deciding by rules, without a search."""
