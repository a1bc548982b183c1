"""Notices: whom to tell of what when nobody looks, when, and by which carrier (decision 151).

Tables know nothing of this room, and it knows nothing of the API.
"""
