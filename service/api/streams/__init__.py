"""Event streams: what a table's streams in this process share, and the messages of one stream (decision 80)."""
