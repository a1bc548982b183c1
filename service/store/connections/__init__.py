"""Clients of Redis, and discovery of its servers."""
