"""What a seat, or somebody who watches, may see of a table."""
