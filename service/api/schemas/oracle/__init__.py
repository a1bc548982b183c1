"""The questions of the rule oracle and their answers."""
