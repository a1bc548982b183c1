"""Possible deals of the hidden cards, and their likelihood."""
