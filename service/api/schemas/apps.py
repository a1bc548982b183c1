"""Third-party apps: their requests to a player, and the player's answer."""

from typing import Final

from service.accounts.scopes import SCOPES
from service.api.schemas import fields as f

QUERY: Final = (
    "response_type=code&client_id=scores&redirect_uri=https%3A%2F%2Fscores.example%2Fback&scope=profile%3Aread"
    "&state=af0ifjsldkj&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256"
)


def _query() -> f.Field:
    return f.text("The query string with which the app opened `/oauth/authorize`.", 1, 8_000, example=QUERY)


def _code() -> f.Field:
    return f.text("The code that the device shows. Case and hyphens make no difference.", 1, 40, example="WDJB4-MJHT7")


class AppQuestion(f.Contract):
    """The query string with which an app has sent the player here."""

    query = _query()


class AppAnswer(AppQuestion):
    """What the player answers an app."""

    allow = f.flag("Whether the app may have what it asks for.")


class DeviceQuestion(f.Contract):
    """Which device asks."""

    code = _code()


class DeviceAnswer(DeviceQuestion):
    """What the player answers a device."""

    allow = f.flag("Whether the device may have what it asks for.")


class AppRequest(f.Contract):
    """What an app asks a player for."""

    client = f.text("The app's own name for itself, which proves nothing.", example="scores")
    place = f.text(
        "The host to which the player will return, or the scheme of an app on this device, with `:/`; null: a device "
        "asks. Show all of it: the end of a host says whose it is.",
        nullable=True,
        example="scores.example",
    )
    leads_to = f.extensible(
        "What `place` is. `website`: a host. `app`: an app on this device; any app may claim a scheme. `program`: a "
        "program on the same machine. `device`: nothing, since a device asks.",
        ("website", "app", "program", "device"),
    )
    place_reads = f.text(
        "How `place` may be shown, if it has other letters than those of ASCII, which may look like those of another "
        "host; else null.",
        nullable=True,
        example=None,
    )
    scopes = f.array(f.extensible("What it allows the app to do.", tuple(SCOPES)), "What it asks for.")
    allows = f.array(
        f.text("", example="Read your profile and its settings"),
        "What these scopes allow the app to do, in sentences in the language of the request.",
    )
    refusal = f.text(
        "If the request is wrong: where to redirect the player instead, back to the app with the reason. Ask the "
        "player first.",
        nullable=True,
    )


class AppRedirect(f.Contract):
    """Where to redirect the player now."""

    redirect_to = f.text("Back to the app: with a code, or with the reason why there is none.")
