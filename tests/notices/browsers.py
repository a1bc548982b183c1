"""A browser's end of Web Push: keys, and decryption of messages (RFC 8291)."""

import base64
import json
import os

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


def text_of(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


class Browser:
    """See the module; `subscription` is what it sends to the service."""

    def __init__(self, endpoint="https://updates.push.services.mozilla.com/wpush/v2/1"):
        self.key, self.auth = ec.generate_private_key(ec.SECP256R1()), os.urandom(16)
        self.point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.subscription = {
            "carrier": "webpush",
            "endpoint": endpoint,
            "p256dh": text_of(self.point),
            "auth": text_of(self.auth),
        }

    def read(self, message):
        salt, theirs, encrypted = message[:16], message[21:86], message[86:]
        shared = self.key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), theirs))
        material = _derived(self.auth, shared, b"WebPush: info\0" + self.point + theirs, 32)
        key = _derived(salt, material, b"Content-Encoding: aes128gcm\0", 16)
        text = AESGCM(key).decrypt(_derived(salt, material, b"Content-Encoding: nonce\0", 12), encrypted, None)
        return json.loads(text.rstrip(b"\0").removesuffix(b"\x02"))


def _derived(salt, material, info, length):
    return HKDF(hashes.SHA256(), length, salt, info).derive(material)
