"""Authentication of operators."""

import hmac

from flask import Request

from service.api.http.problems import OperatorsOnly
from service.api.http.rate_limits import RateLimiter, client_of, is_from_here
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
    elif reads and is_from_here(raw, settings.host):
        return
    limiter.charge("failed", client_of(raw))
    raise OperatorsOnly
