"""Web Push: encryption for the browser (RFC 8291), and signatures for its push service (RFC 8292)."""

import base64
import os
import struct
from collections.abc import Callable
from typing import Final
from urllib.parse import urlsplit

from cryptography.exceptions import InvalidKey
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from service.common.fastjson import dumps

#: Lengths in bytes of key and secret of a browser's subscription.
KEY_BYTES: Final = 65
SECRET_BYTES: Final = 16
_CURVE: Final = ec.SECP256R1()
#: Lifetime of a signature (s); push services accept at most a day.
_SIGNED_S: Final = 12 * 3_600
#: Size of a record, larger than any message.
_RECORD: Final = 4_096


class Vapid:
    """The key that identifies the service to push services.

    Args:
        private_key: 32 bytes, base64url.
        subject: contact for push services: a URL, or mailto: with an address.
    """

    def __init__(self, private_key: str, subject: str) -> None:
        self._key: Final = ec.derive_private_key(int.from_bytes(unpadded(private_key), "big"), _CURVE)
        self._subject: Final = subject
        #: 65 bytes, base64url, as `PushManager.subscribe` wants it.
        self.public_key: Final = _text(_point(self._key.public_key()))

    def authorization(self, endpoint: str, now_s: float) -> str:
        """Return the `Authorization` for a push service."""
        parts = urlsplit(endpoint)
        claims = {
            "aud": f"{parts.scheme}://{parts.netloc}",
            "exp": int(now_s) + _SIGNED_S,
            "sub": self._subject,
        }
        signed = b".".join(map(_bytes, (dumps({"typ": "JWT", "alg": "ES256"}), dumps(claims))))
        r, s = utils.decode_dss_signature(self._key.sign(signed, ec.ECDSA(hashes.SHA256())))
        signature = _text(r.to_bytes(32, "big") + s.to_bytes(32, "big"))
        return f"vapid t={signed.decode()}.{signature}, k={self.public_key}"


def encrypt(
    text: bytes,
    p256dh: str,
    auth: str,
    *,
    random_bytes: Callable[[int], bytes] = os.urandom,
    own_key: Callable[[], ec.EllipticCurvePrivateKey] = lambda: ec.generate_private_key(_CURVE),
) -> bytes:
    """Encrypt a message for a browser: RFC 8291 with the content coding aes128gcm, one record.

    Args:
        text: the message.
        p256dh: public key of the subscription, base64url.
        auth: secret of the subscription, base64url.
        random_bytes, own_key: used only for this message.
    """
    theirs, secret = unpadded(p256dh), unpadded(auth)
    key, salt = own_key(), random_bytes(16)
    ours = _point(key.public_key())
    shared = key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(_CURVE, theirs))
    material = _derived(secret, shared, b"WebPush: info\0" + theirs + ours, 32)
    content_key = _derived(salt, material, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(salt, material, b"Content-Encoding: nonce\0", 12)
    # 2 marks the last record.
    encrypted = AESGCM(content_key).encrypt(nonce, text + b"\x02", None)
    return salt + struct.pack("!IB", _RECORD, len(ours)) + ours + encrypted


def is_key(p256dh: str) -> bool:
    """Return whether a text is a public key of a subscription."""
    try:
        point = unpadded(p256dh)
        ec.EllipticCurvePublicKey.from_encoded_point(_CURVE, point)
    except (ValueError, InvalidKey):
        return False
    return len(point) == KEY_BYTES


def is_secret(auth: str) -> bool:
    """Return whether a text is a secret of a subscription."""
    try:
        return len(unpadded(auth)) == SECRET_BYTES
    except ValueError:
        return False


def unpadded(text: str) -> bytes:
    """Decode base64url without padding.

    Raises:
        ValueError: the text is not base64url.
    """
    return base64.b64decode(text + "=" * (-len(text) % 4), b"-_", validate=True)


def _derived(salt: bytes, material: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(material)


def _point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def _bytes(data: bytes) -> bytes:
    return base64.urlsafe_b64encode(data).rstrip(b"=")


def _text(data: bytes) -> str:
    return _bytes(data).decode("ascii")
