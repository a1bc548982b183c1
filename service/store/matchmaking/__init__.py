"""Tickets of quick play, and challenges."""
