"""Notices: which player to notify of what and when, and by which carrier (decision 151).

Tables do not depend on this package, and it does not depend on the API.
"""
