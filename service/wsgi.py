"""What gunicorn serves: `service.wsgi:app`, built from the environment."""

from service.app import build
from service.settings import Settings

app = build(Settings.from_env())
