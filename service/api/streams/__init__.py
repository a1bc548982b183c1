"""Event streams: the feed shared by a table's streams in a process, and the messages of a stream (decision 80)."""
