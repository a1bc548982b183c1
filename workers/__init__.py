"""Background processes: workers that run AI moves and timeouts, and the clock that schedules them."""
