"""Write `openapi.yaml` to standard output: `python -m service.api.openapi`."""

import sys

from service.api.openapi.document import document, to_yaml
from service.api.resources import RESOURCES

sys.stdout.write(to_yaml(document(RESOURCES)))
