"""Evaluation: prices of cards, and weights of features of plays and burials."""
