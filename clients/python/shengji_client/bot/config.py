"""The config file of a bot."""

import os
import tomllib
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Self


class ConfigError(Exception):
    """The config file is wrong. The message says where."""


@dataclass(frozen=True)
class Config:
    """Configuration of a bot. Paths are relative to the folder of the file."""

    folder: Path
    #: URL of the service.
    service: str
    #: Name of the player, for registration.
    name: str
    #: `module:function` of the chooser; the module may be in the folder of the config file.
    choose: str = ""
    #: Or the command line of a program that chooses.
    program: list[str] = field(default_factory=list)
    #: File of the token; the bot registers if there is none.
    token_file: str = "bot.token"
    #: Registration code, where one is needed.
    code: str = ""
    #: Settings of tables. A table of each is kept running, with AI players on the other seats.
    tables: list[dict[str, Any]] = field(default_factory=list)
    #: Join codes of tables to sit down at.
    join: list[str] = field(default_factory=list)
    #: Challenges that the bot accepts, as `accepts` of `PATCH /v1/me`; empty: none.
    accepts: dict[str, Any] = field(default_factory=dict)
    #: Whether the bot plays in the nightly ladder of bots.
    ladder: bool = False
    #: Number of concurrent decisions.
    threads: int = 8
    #: Time for running rounds after SIGTERM, s.
    drain_s: float = 600.0

    @classmethod
    def read(cls, file: Path) -> Self:
        """Read a config file.

        Raises:
            ConfigError: it is not valid.
        """
        try:
            values = tomllib.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise ConfigError(f"{file}: {error}") from error
        types = {known.name: known.type for known in fields(cls) if known.name != "folder"}
        for name, value in values.items():
            if name not in types:
                raise ConfigError(f"{file}: unknown setting {name!r}; known are {', '.join(types)}")
            kind = _kind(types[name])
            if not isinstance(value, kind) or (isinstance(value, bool) and kind != (bool,)):
                raise ConfigError(f"{file}: {name} must be {types[name]}")
        for name in ("service", "name"):
            if not values.get(name):
                raise ConfigError(f"{file}: {name} is missing")
        if not values["service"].startswith(("http://", "https://")):
            raise ConfigError(f"{file}: service must begin with http:// or https://, not {values['service']!r}")
        if bool(values.get("choose")) == bool(values.get("program")):
            raise ConfigError(f"{file}: give either choose or program")
        for spec in values.get("tables", []):
            if not isinstance(spec, dict) or not {"ruleset", "players"} <= spec.keys():
                raise ConfigError(f"{file}: each of tables needs ruleset and players")
        if values.get("threads", 1) < 1:
            raise ConfigError(f"{file}: threads must be 1 or more")
        return cls(folder=file.resolve().parent, **values)

    def token(self) -> str:
        """Return the stored token; empty if there is none."""
        file = self.folder / self.token_file
        return file.read_text(encoding="utf-8").strip() if file.exists() else ""

    def keep(self, token: str) -> None:
        """Store a token in a file that only its owner can read."""
        file = os.open(self.folder / self.token_file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(file, "w", encoding="utf-8") as open_file:
            open_file.write(token + "\n")


def _kind(annotation: Any) -> tuple[type, ...]:
    if annotation is float:
        return (int, float)
    return (getattr(annotation, "__origin__", annotation),)
