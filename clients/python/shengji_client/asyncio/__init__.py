"""The client for asyncio: `Client`, `Table` and `follow` as in `shengji_client`, to be awaited. It needs aiohttp."""

from importlib.util import find_spec

if find_spec("aiohttp") is None:
    raise ImportError("shengji_client.asyncio needs aiohttp: pip install 'shengji-client[asyncio]'")

from shengji_client.asyncio.client import Client, follow
from shengji_client.asyncio.table import Table

__all__ = ["Client", "Table", "follow"]
