"""Authentication of operators."""

import hmac

from flask import Request

from service.api.http.problems import OperatorsOnly
from service.api.http.rate_limits import RateLimiter, client_of, is_from_here
from service.common.settings import Settings


def check_operator(settings: Settings, limiter: RateLimiter, raw: Request, *, reads: bool = False) -> str:
    """Check that a request comes from an operator, and return the operator's name; "": there is none.

    If the settings have no token, requests from the machine itself may read (`reads`). They may not change anything,
    since web pages in a browser of that machine can send requests too.

    Raises:
        OperatorsOnly: the request lacks the token of an operator.
        RateLimited: there have been too many such requests from its address.
    """
    known = settings.operators
    if known:
        sent = (raw.headers.get("Authorization") or "").encode()
        # All are compared, so that the time tells nothing about which one is nearly right.
        names = [each.name for each in known if hmac.compare_digest(sent, f"Bearer {each.token}".encode())]
        if names:
            return names[0]
    elif reads and is_from_here(raw, settings.host):
        return ""
    limiter.charge("failed", client_of(raw))
    raise OperatorsOnly
