"""Take-backs."""

from service.api.schemas import fields as f


class TakeBackAnswer(f.Contract):
    """Whether the play may be taken back."""

    accept = f.flag("Yes or no.")
