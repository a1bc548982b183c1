"""Options: what a table can choose, what goes together, presets, rulesets and their catalogue."""
