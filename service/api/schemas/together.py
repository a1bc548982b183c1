"""What players settle among themselves: chat, votes, taking back."""

from service.api.schemas import fields as f
from service.game.commands.together import LONGEST_CHAT, PRESETS, VOTES


class Message(f.Contract):
    """Something to say: a text, or a preset that every client says in its own language."""

    text = f.line("What to say, in one line.", LONGEST_CHAT, optional=True, example="Nice throw!")
    preset = f.choice("Or one of these.", *PRESETS, optional=True)


class NewVote(f.Contract):
    """A vote to be opened."""

    kind = f.choice("`replace` lets an AI play for somebody who is not there.", *VOTES)
    seat = f.integer("Of `replace`: whose seat.", 0, 11, optional=True)


class Ballot(f.Contract):
    """A word on the open vote. The last one counts until it is decided."""

    approve = f.flag("For it or against.")


class TakeBackAnswer(f.Contract):
    """Whether the play may be taken back."""

    accept = f.flag("Yes or no.")
