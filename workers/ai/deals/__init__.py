"""Deals of the hidden cards that are possible, and how likely they are."""
