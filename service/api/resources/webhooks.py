"""Webhooks: requests to a player's server when a table waits, signed by Standard Webhooks."""

import os
from typing import Any, Final

from flask import Response

from service.accounts.kept_bytes import NOTHING, NOTICE, WEBHOOK
from service.accounts.scopes import missing
from service.api.http.responses import empty_response, json_response
from service.api.idempotency import HEADER, run_once
from service.api.operations import ApiRequest, Resource
from service.api.schemas import notices as schemas
from service.game.ids import new_id
from service.game.views.fields import timestamp
from service.notices.choices import events_of
from service.notices.errors import NoSuchNotice
from service.notices.webhook_management import Webhook
from service.notices.webhooks import new_secret
from service.store.notices.outbox import Delivery
from service.store.notices.subscriptions import Subscription
from service.store.players.tokens import Token

resource: Final = Resource(
    "Webhooks",
    "Requests to the player's own server when a table waits and the player is not looking, signed as "
    "standardwebhooks.com says. "
    "`webhooks` in this document describes them.",
)


def shown_webhook(webhook: Webhook) -> dict[str, object]:
    """Return a webhook as shown."""
    subscription, health = webhook
    tables, target = subscription["tables"], subscription["target"]
    return {
        "id": subscription["id"],
        "url": target["url"],
        "name": target["name"],
        "events": subscription["events"],
        "format": target["format"],
        "tables": "some" if isinstance(tables, list) else tables,
        "table_ids": tables if isinstance(tables, list) else [],
        "after_ms": subscription["after_ms"],
        "state": subscription["state"],
        "created_at": timestamp(subscription["created_at"]),
        "failures": health["failures"],
        "failing_since": timestamp(health["since"]),
    }


def _with_secret(webhook: Webhook) -> dict[str, object]:
    return shown_webhook(webhook) | {"secret": webhook.subscription["target"]["secrets"][0]["secret"]}


def shown_delivery(delivery: Delivery) -> dict[str, object]:
    """Return a delivery as shown."""
    last = delivery["last"]
    return {
        "id": delivery["id"],
        "type": delivery["type"],
        "at": timestamp(delivery["at"]),
        "outcome": delivery["outcome"],
        "attempts": delivery["attempts"],
        "tried_at": timestamp(last["at"]) if last else None,
        "status": last["status"] if last else None,
        "took_ms": last["ms"] if last else None,
        "error": last["error"] if last else None,
    }


def sees(token: Token, subscription: Subscription) -> bool:
    """Return whether a token may know of a subscription: a helper knows only of those that it made."""
    return not missing(token, ["account"]) or subscription.get("token") == token["id"]


def _known(request: ApiRequest, webhook: str) -> Webhook:
    """Return a webhook that the caller may know of.

    Raises:
        NoSuchNotice: there is none with this id.
    """
    webhook_and_health = request.services.webhooks.get(request.player_id, webhook)
    if not sees(request.token, webhook_and_health.subscription):
        raise NoSuchNotice(what="webhook", id=webhook)
    return webhook_and_health


def _tables(body: dict[str, object]) -> Any:
    return body.get("table_ids", []) if body["tables"] == "some" else body["tables"]


@resource.operation("GET", "/v1/me/webhooks", response=schemas.Webhooks(), scope="push:write")
def list_webhooks(request: ApiRequest) -> Response:
    """List my webhooks.

    At most five. A token without the scope `account` sees and changes only those that it made.
    """
    webhooks = request.services.webhooks.of_player(request.player_id)
    items = [shown_webhook(webhook) for webhook in webhooks if sees(request.token, webhook.subscription)]
    return json_response({"items": items, "next_cursor": None})


@resource.operation(
    "POST",
    "/v1/me/webhooks",
    body=schemas.WebhookRequest(),
    response=schemas.MadeWebhook(),
    status=201,
    scope="push:write",
    budget="create",
    headers=(HEADER,),
    errors=("idempotency-key-reused", "too-many-subscriptions"),
    example={"url": "https://bot.example.net/shengji", "name": "Club server", "events": ["turn"]},
    keeps=WEBHOOK,
)
def create_webhook(request: ApiRequest) -> Response:
    """Create a webhook.

    Its endpoint gets `webhook.verify` with a `challenge`, and must answer with status 200 and `{"challenge": …}` before
    anything else is sent to it. The secret is shown only here.
    """
    webhooks, body = request.services.webhooks, request.body

    def create() -> dict[str, Any]:
        webhook = webhooks.add(
            request.player_id,
            number=new_id("", os.urandom),
            url=body["url"],
            name=body["name"],
            form=body["format"],
            events=events_of(body["events"]),
            tables=_tables(body),
            after_ms=body["after_ms"],
            secret=new_secret(os.urandom),
            token=request.token["id"],
            own_host=request.raw.host,
        )
        return {"webhook": webhook["id"]}

    name = run_once(request, f"webhook of {request.player_id}", create)["webhook"]
    location = f"/v1/me/webhooks/{name}"
    return json_response(_with_secret(webhooks.get(request.player_id, name)), 201, {"Location": location})


@resource.operation("GET", "/v1/me/webhooks/<webhook>", response=schemas.Webhook(), scope="push:write")
def get_webhook(request: ApiRequest, webhook: str) -> Response:
    """Read a webhook."""
    return json_response(shown_webhook(_known(request, webhook)))


@resource.operation(
    "PATCH",
    "/v1/me/webhooks/<webhook>",
    body=schemas.WebhookChanges(),
    response=schemas.Webhook(),
    scope="push:write",
    budget="act",
    example={"active": True},
    keeps=NOTHING,
)
def update_webhook(request: ApiRequest, webhook: str) -> Response:
    """Change a webhook.

    `active` switches it off, or on again after it was switched off; then its endpoint is verified again. With another
    address the webhook ends with the token of this request, no longer with the one that made it.
    """
    _known(request, webhook)
    changes = dict(request.body)
    if "events" in changes:
        changes["events"] = events_of(changes["events"])
    if "tables" in changes or "table_ids" in changes:
        changes["tables"] = _tables({"tables": "some", **changes})
    changed = request.services.webhooks.change(
        request.player_id, webhook, changes, request.raw.host, request.token["id"]
    )
    return json_response(shown_webhook(changed))


@resource.operation("DELETE", "/v1/me/webhooks/<webhook>", status=204, scope="push:write", budget="act", keeps=NOTHING)
def delete_webhook(request: ApiRequest, webhook: str) -> Response:
    """Delete a webhook.

    With its deliveries. What is being sent at this moment may still arrive.
    """
    _known(request, webhook)
    request.services.notices.remove(request.player_id, webhook, "webhook")
    return empty_response()


@resource.operation(
    "POST",
    "/v1/me/webhooks/<webhook>/secret",
    response=schemas.MadeWebhook(),
    scope="push:write",
    budget="create",
    keeps=NOTHING,
)
def replace_webhook_secret(request: ApiRequest, webhook: str) -> Response:
    """Replace the secret of a webhook.

    For a day both secrets sign, so that the receiver can be changed without losing anything. The webhook ends with the
    token of this request, no longer with the one that made it.
    """
    webhooks, player = request.services.webhooks, request.player_id
    _known(request, webhook)
    webhooks.rotate(player, webhook, new_secret(os.urandom), request.token["id"])
    return json_response(_with_secret(webhooks.get(player, webhook)))


@resource.operation(
    "POST",
    "/v1/me/webhooks/<webhook>/verify",
    response=schemas.Webhook(),
    scope="push:write",
    budget="create",
    keeps=NOTICE,
)
def verify_webhook(request: ApiRequest, webhook: str) -> Response:
    """Verify an endpoint again.

    Sends `webhook.verify` now; the service also repeats it by itself for a day. An active webhook is not verified
    again.
    """
    webhooks, player = request.services.webhooks, request.player_id
    _known(request, webhook)
    webhooks.ask_again(player, webhook)
    return json_response(shown_webhook(webhooks.get(player, webhook)))


@resource.operation(
    "POST",
    "/v1/me/webhooks/<webhook>/test",
    response=schemas.Delivery(),
    scope="push:write",
    budget="create",
    keeps=NOTICE,
)
def test_webhook(request: ApiRequest, webhook: str) -> Response:
    """Send a test notice.

    Sends `webhook.test` now, once, whatever the webhook is told otherwise; the list of deliveries says how the endpoint
    answered. An endpoint that has not been verified gets `webhook.verify` instead.
    """
    return json_response(shown_delivery(request.services.webhooks.test(request.player_id, webhook)))


@resource.operation("GET", "/v1/me/webhooks/<webhook>/deliveries", response=schemas.Deliveries(), scope="push:write")
def list_deliveries(request: ApiRequest, webhook: str) -> Response:
    """List the deliveries of a webhook.

    The last 50 of the past week: when they were sent, and with which status. Neither the body nor the answer is shown.
    """
    _known(request, webhook)
    deliveries = request.services.webhooks.deliveries(request.player_id, webhook)
    return json_response({"items": [shown_delivery(each) for each in deliveries], "next_cursor": None})


@resource.operation(
    "POST",
    "/v1/me/webhooks/<webhook>/deliveries/<delivery>/retry",
    response=schemas.Delivery(),
    scope="push:write",
    budget="create",
    keeps=NOTICE,
    errors=("webhook-inactive",),
)
def retry_delivery(request: ApiRequest, webhook: str, delivery: str) -> Response:
    """Send a delivery once more.

    Unchanged, with the same id, even if its decision is over: for testing a receiver. Only an active webhook gets it.
    """
    _known(request, webhook)
    return json_response(shown_delivery(request.services.webhooks.send_again(request.player_id, webhook, delivery)))
