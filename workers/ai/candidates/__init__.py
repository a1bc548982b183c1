"""Candidate plays of a seat."""
