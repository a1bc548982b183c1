"""What surrounds the tricks of a round: declaring, the kitty, friends, scores and levels; and Arm's Length."""
