"""The rule oracle: answers questions about the rules without a table."""
