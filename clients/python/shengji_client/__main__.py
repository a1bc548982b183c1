"""`python -m shengji_client bot --config bot.toml`: run a bot until SIGTERM or Ctrl-C."""

import argparse
import logging
import os
import signal
import sys
from pathlib import Path
from types import FrameType

from shengji_client.bot.choosers import Choose, chooser_of
from shengji_client.bot.config import Config, ConfigError
from shengji_client.bot.runner import Runner
from shengji_client.client import Client
from shengji_client.problems import ServiceError

log = logging.getLogger("shengji_client")


def main() -> int:
    """Run a bot; return the exit status: 0 after draining, 1 if the service refuses the bot, 2 for a wrong config."""
    parser = argparse.ArgumentParser(prog="python -m shengji_client", description=__doc__)
    bot = parser.add_subparsers(required=True).add_parser("bot", help="run a bot")
    bot.add_argument("--config", type=Path, required=True, help="its config file")
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    try:
        config = Config.read(arguments.config)
        return _play(config, chooser_of(config))
    except ConfigError as error:
        log.error("%s", error)  # noqa: TRY400 (only a sentence, without traceback)
        return 2
    except ServiceError as error:
        log.error("%s", error)  # noqa: TRY400
        return 1
    except KeyboardInterrupt:  # before it plays; afterwards a signal lets the rounds end
        return 130


def _play(config: Config, choose: Choose) -> int:
    client = Client(config.service, config.token())
    if not client.token:
        client = Client.register(config.service, config.name, code=config.code)
        config.keep(client.token)
        log.info("registered; the token is in %s", config.token_file)
    runner = Runner(client, choose, config)

    def stop(number: int, _: FrameType | None) -> None:
        # A second signal ends the process at once.
        signal.signal(number, signal.SIG_DFL)
        runner.drain()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
    return runner.run()


if __name__ == "__main__":
    status = main()
    logging.shutdown()
    sys.stdout.flush()
    # Not `sys.exit`, which would wait for a `choose` that hangs.
    os._exit(status)
