"""Client of the Sheng Ji game service: requests, tables, event streams, folding events into views."""

from shengji_client.client import Client, follow
from shengji_client.examples import Action, example
from shengji_client.folding import fold
from shengji_client.models import View
from shengji_client.problems import Problem, ServiceError, Unreachable
from shengji_client.protocol import Reply
from shengji_client.streams import Message
from shengji_client.table import Table

__all__ = [
    "Action",
    "Client",
    "Message",
    "Problem",
    "Reply",
    "ServiceError",
    "Table",
    "Unreachable",
    "View",
    "example",
    "fold",
    "follow",
]
