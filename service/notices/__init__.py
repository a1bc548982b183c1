"""Notices: which player to notify of what and when, and by which carrier (decision 151).

Tables know nothing of this room, and it knows nothing of the API.
"""
