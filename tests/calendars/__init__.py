"""Calendars of players in games of days."""
