"""What gunicorn serves: `service.wsgi:app`, built from the environment."""

from gunicorn import util  # type: ignore[import-untyped] # it has no types

from service.api import malformed
from service.app import build
from service.settings import Settings

util.write_error = malformed.write_error
app = build(Settings.from_env())
