"""The command that tells whether this release understands the data: `python -m service.needs`.

`deploy/upgrade --check` runs it before an upgrade or a rollback. Exit status: 0 it does, 3 it does not understand some
tables, 1 Redis does not answer. It changes nothing.
"""

import sys
from typing import Final

from redis.exceptions import RedisClusterException, RedisError

from service.common.settings import VERSION, Settings, SettingsError
from service.store.connections.clients import command_client
from service.store.connections.opening import NEWER, CannotStartError, answering, newer_release

#: Exit status if some tables need a newer release.
NEEDS_NEWER: Final = 3


def main() -> int:
    """Print the answer, and return the exit status."""
    try:
        settings = Settings.for_processes()
        client = answering("REDIS_URL", settings.redis_url, command_client, 0)
        try:
            needed = newer_release(client)
        finally:
            client.close()
    except (SettingsError, CannotStartError, RedisError, RedisClusterException) as error:
        sys.stderr.write(f"needs: {error}\n")
        return 1
    sys.stderr.write(f"needs: {NEWER.format(release=needed) if needed else f'{VERSION} understands these data'}\n")
    return NEEDS_NEWER if needed else 0


if __name__ == "__main__":
    sys.exit(main())
