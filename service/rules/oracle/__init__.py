"""The oracle: questions about the rules, answered without a table."""
