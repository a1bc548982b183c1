"""Playouts: a round with all hands known, played to its end by simple rules."""
