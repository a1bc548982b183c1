"""The rules of a round except for its tricks: declaring, kitty, friends, scores and levels; and Arm's Length."""
