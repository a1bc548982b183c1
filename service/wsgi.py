"""The WSGI application, `service.wsgi:app`, built from the environment."""

from gunicorn import util  # type: ignore[import-untyped] # it has no types

from service.api.http import gunicorn_errors
from service.app import build
from service.common.settings import Settings

util.write_error = gunicorn_errors.write_error
app = build(Settings.for_processes())
# From now on this process gives signs of life, whether it is asked for anything or not (decision 63).
app.extensions["services"].tables.now()
