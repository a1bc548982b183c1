"""How `openapi.yaml` is generated from the declared operations, their schemas and the problems."""
