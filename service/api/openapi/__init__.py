"""Generator of `openapi.yaml`, from the declared operations, their schemas and the problems."""
