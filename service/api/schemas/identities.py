"""Identities at OpenID providers."""

from typing import Final

from service.api.schemas import fields as f

#: An example of a code, and of the verifier of RFC 7636, appendix B.
PROOF: Final = {
    "code": "IhFszbjXGOSFAwggM5u8CCE6o9U2SdI8jajKKnC8q0OCIVRO",
    "verifier": "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
}


class Proof(f.Contract):
    """A completed sign-in, with proof that this client began it."""

    code = f.text("`sign_in` in the URL to which the browser came back.", 1, 100, example=PROOF["code"])
    verifier = f.text(
        "The verifier that the client made at the start; `challenge` was its SHA-256 as base64url (RFC 7636).",
        43,
        128,
        example=PROOF["verifier"],
    )


class SignIn(Proof):
    """A sign-in."""

    name = f.name("Where it is used, for the player's list of devices.", 40, example="Lin's tablet", optional=True)


class Identity(f.Contract):
    """A linked external account. Its name and email address are not kept."""

    id = f.text("Its id.", example="id_3f2a9c41d07be586")
    provider = f.text("The service's name for its provider.", example="Google")
    issuer = f.text("The issuer that vouches for it.", example="https://accounts.google.com")
    linked_at = f.time("Since when.")
