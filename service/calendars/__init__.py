"""Calendars: when the clock of a player stands still in games of days, for quiet hours, weekends and holidays.

A table knows nothing of calendars. When a decision has been opened, a worker asks `Calendars` when its time ends, and
appends a `deadline_moved` if that is not the deadline that it has (`service.tables.ports.Standing`).
"""

from service.calendars.calendars import Calendars

__all__ = ["Calendars"]
