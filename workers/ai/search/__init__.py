"""Choosing by simulation: possible deals are played to their end with each candidate."""
