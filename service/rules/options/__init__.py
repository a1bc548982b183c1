"""The options of a table: definitions, constraints, presets, effective values, and the catalogue for clients."""
