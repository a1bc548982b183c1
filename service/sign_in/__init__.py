"""Sign-in with OpenID Connect: providers of others say who somebody is (decision 180)."""

from service.sign_in.providers import Provider
from service.sign_in.sign_ins import SignIns

__all__ = ["Provider", "SignIns"]
