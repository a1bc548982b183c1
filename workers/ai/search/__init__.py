"""Search by simulation: possible deals are played out with each candidate."""
