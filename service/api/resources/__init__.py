"""The resources of the API, one in a file."""
