"""What directors and captains do in team events: entries, rounds, rulings, and the log of all of it."""
