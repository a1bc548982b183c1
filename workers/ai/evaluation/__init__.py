"""What a seat values: the prices of cards, and weights for features of plays and of what is buried."""
