"""Tables that sleep (decision 203)."""
