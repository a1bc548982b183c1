"""Clients of Redis, and where its servers are."""
