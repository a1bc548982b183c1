"""HTTP only: parse, call a use case, render."""
