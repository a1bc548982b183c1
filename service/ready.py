"""The command that tells what is missing: `python -m service.ready`, beside an API process.

It asks `/readyz` of that process, past any gateway, with the OPERATOR_TOKEN of the environment. Exit status: 0 if all
is there, 1 if something is missing or nobody answers.
"""

import http.client
import sys

from service.common.settings import Settings, SettingsError


def main() -> int:
    """Print the answer, and return the exit status."""
    try:
        settings = Settings.from_env()
        token = settings.operator_token
        api = http.client.HTTPConnection("127.0.0.1", settings.port, timeout=10)
        api.request("GET", "/readyz", headers={"Authorization": f"Bearer {token}"} if token else {})
        answer = api.getresponse()
        text = answer.read().decode()
    except (SettingsError, OSError, http.client.HTTPException) as error:
        sys.stderr.write(f"ready: {error}\n")
        return 1
    if answer.status < http.client.BAD_REQUEST:
        sys.stdout.write("ready: nothing is missing\n")
        return 0
    sys.stdout.write(f"{text}\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
