"""Runs a bot: `python -m shengji_client bot --config bot.toml`."""
