"""Tricks: how leads are read, throws are tested, plays follow and win. `trick_rules` is the interface."""
