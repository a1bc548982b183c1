"""Authentication of operators."""

import hmac
from contextlib import suppress
from ipaddress import ip_address

from flask import Request

from service.api.http.problems import OperatorsOnly
from service.api.http.rate_limits import RateLimiter
from service.common.settings import Settings


def check_operator(settings: Settings, limiter: RateLimiter, raw: Request, *, reads: bool = False) -> None:
    """Check that a request comes from an operator.

    If the settings have no token, requests from the machine itself may read (`reads`). They may not change anything,
    since web pages in a browser of that machine can send requests too.

    Raises:
        OperatorsOnly: the request lacks the operator's token.
        RateLimited: there have been too many such requests from its address.
    """
    if settings.operator_token:
        sent = (raw.headers.get("Authorization") or "").encode()
        if hmac.compare_digest(sent, f"Bearer {settings.operator_token}".encode()):
            return
    elif reads and "X-Forwarded-For" not in raw.headers and _is_own_address(raw.remote_addr or "", settings.host):
        return
    limiter.charge("failed", f"ip:{raw.remote_addr}")
    raise OperatorsOnly


def _is_own_address(address: str, host: str) -> bool:
    with suppress(ValueError):
        found = ip_address(address)
        return (getattr(found, "ipv4_mapped", None) or found).is_loopback or address == host
    return False
