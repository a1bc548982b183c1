"""Chat messages."""

from service.api.schemas import fields as f
from service.game.commands.table.chat import LONGEST_CHAT, PRESETS


class Message(f.Contract):
    """A chat message: a text, or a preset that each client shows in its own language."""

    text = f.line("The message, in one line.", LONGEST_CHAT, optional=True, example="Nice throw!")
    preset = f.choice("A preset instead of a text: a phrase, or a face to draw.", *PRESETS, optional=True)
