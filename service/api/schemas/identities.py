"""Identities at OpenID providers."""

from typing import Final

from service.api.schemas import fields as f

#: An example of a code, and of the verifier of RFC 7636, appendix B.
PROOF: Final = {
    "code": "IhFszbjXGOSFAwggM5u8CCE6o9U2SdI8jajKKnC8q0OCIVRO",
    "verifier": "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
}


class Proof(f.Contract):
    """Who has signed in, and that this client has begun it."""

    code = f.text("`sign_in` of the address to which the browser has come back.", 1, 100, example=PROOF["code"])
    verifier = f.text(
        "What the client has made before, of which `challenge` is the base64url of the SHA-256 (RFC 7636).",
        43,
        128,
        example=PROOF["verifier"],
    )


class SignIn(Proof):
    """A sign-in."""

    name = f.name("Where the token is used, for the list of one's devices.", 40, example="Lin's tablet", optional=True)


class Identity(f.Contract):
    """An account elsewhere that is linked. Neither a name nor an address of it is kept."""

    id = f.text("Its id.", example="id_3f2a9c41d07be586")
    provider = f.text("What the service calls its provider.", example="Google")
    issuer = f.text("Who vouches for it.", example="https://accounts.google.com")
    linked_at = f.time("Since when.")
