"""Web Push: encryption follows RFC 8291, and signatures pass the check of push services."""

import base64
import json

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils

from service.notices.web_push import Vapid, encrypt, is_key, unpadded

# RFC 8291, section 5 and appendix A.
TEXT = b"When I grow up, I want to be a watermelon"
P256DH = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
AUTH = "BTBZMqHH6r4Tts7J_aSIgg"
SALT = "DGv6ra1nlYgDCS1FRnbzlw"
OWN = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
MESSAGE = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_y"
    "l95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)
PRIVATE = base64.urlsafe_b64encode(bytes(range(1, 33))).decode().rstrip("=")


def test_the_example_of_the_specification_is_reproduced():
    key = ec.derive_private_key(int.from_bytes(unpadded(OWN), "big"), ec.SECP256R1())
    body = encrypt(TEXT, P256DH, AUTH, random_bytes=lambda _: unpadded(SALT), own_key=lambda: key)
    assert base64.urlsafe_b64encode(body).decode().rstrip("=") == MESSAGE


def test_each_message_has_its_own_key():
    assert encrypt(TEXT, P256DH, AUTH) != encrypt(TEXT, P256DH, AUTH)


def test_the_signature_names_the_push_service_and_can_be_checked_with_the_public_key():
    vapid = Vapid(PRIVATE, "mailto:ops@example.net")
    header = vapid.authorization("https://push.example.net:8443/send/abc?x=1", 1_000)
    token, key = (part.partition("=")[2] for part in header.removeprefix("vapid ").split(", "))
    assert key == vapid.public_key
    head, claims, signature = token.split(".")
    assert json.loads(unpadded(head)) == {"typ": "JWT", "alg": "ES256"}
    assert json.loads(unpadded(claims)) == {
        "aud": "https://push.example.net:8443",
        "exp": 1_000 + 12 * 3_600,
        "sub": "mailto:ops@example.net",
    }
    raw = unpadded(signature)
    der = utils.encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), unpadded(key))
    public.verify(der, f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))


@pytest.mark.parametrize("text", ["", "AAAA", P256DH[:-4], P256DH[:-1] + "!", "B" * 87, AUTH])
def test_invalid_keys_are_recognised(text):
    assert is_key(P256DH)
    assert not is_key(text)
