"""Who may come in: blocked networks, registration, registration codes, accounts that may be one person's."""

from service.api.schemas import fields as f
from service.api.schemas.common import next_cursor
from service.api.schemas.operators import Suspension

REGISTRATIONS = ("open", "invited", "closed")
#: Most players that may register with one code, and most days for which it works.
MOST_USES = 1_000
MOST_DAYS = 365
_OPERATOR = "Name of the operator; null: the one of `OPERATOR_TOKEN`, who has no name."


class Admission(f.Contract):
    """Who may register."""

    registration = f.extensible("Who may register now; as in `GET /v1`.", REGISTRATIONS)
    chosen = f.extensible(
        "What operators have chosen; null: the setting `REGISTRATION` holds.", REGISTRATIONS, nullable=True
    )
    by = f.text(_OPERATOR, nullable=True, example="Lin")
    at = f.time("When it was chosen; null: never.", nullable=True)
    you = f.text("Your name; null: you have none.", nullable=True, example="Lin")


class AdmissionChanges(f.Contract):
    """A choice."""

    registration = f.choice(
        "Who may register; `setting`: as the setting `REGISTRATION` says.", *REGISTRATIONS, "setting"
    )


class NetworkBlock(f.Contract):
    """A blocked network."""

    id = f.text("Id of the block.", example="bk_3f2a9c41d07b")
    network = f.text("The network, in CIDR notation.", example="203.0.113.0/24")
    at = f.time("Since when.")
    by = f.text(_OPERATOR, nullable=True, example="Lin")
    note = f.text("A note of the operator; it is shown to operators only.", nullable=True)
    until = f.time("Until when; null: until it is ended.", nullable=True)


class NetworkBlocks(f.Contract):
    """The blocked networks."""

    items = f.array(f.nested(NetworkBlock), "The blocks, at most 1,000, the latest first.")
    next_cursor = next_cursor()


class NetworkBlockRequest(f.Contract):
    """A network to block. It replaces any other block of the same network."""

    network = f.text(
        "An address, or a network in CIDR notation, of IPv4 (/8 or smaller) or IPv6 (/20 or smaller). An address of "
        "IPv6 stands for its /64.",
        1,
        60,
        example="203.0.113.0/24",
    )
    note = f.line("A note for operators, in one line.", 300, optional=True)
    until = f.moment("Until when; it must be in the future. Left out: until it is ended.", optional=True)


class RegistrationCode(f.Contract):
    """A registration code. The code itself is shown only when it is made."""

    id = f.text("Id of the code.", example="rc_3f2a9c41d07b")
    note = f.text("A note, e.g. for whom it is.", nullable=True, example="Chess club")
    by = f.text(
        "Name of the operator who has made it; null: without a name, or a player.", nullable=True, example="Lin"
    )
    at = f.time("When it was made.")
    until = f.time("Until when it works.")
    uses = f.integer("How many players may register with it.", example=1)
    left = f.integer("How many of these still may.", example=1)


class RegistrationCodes(f.Contract):
    """Registration codes."""

    items = f.array(f.nested(RegistrationCode), "The codes, oldest first.")
    next_cursor = next_cursor()


class MyRegistrationCodes(RegistrationCodes):
    """My registration codes."""

    most = f.integer("How many a player may make in 30 days. A used one counts until its time is over.", example=5)


class MadeRegistrationCode(RegistrationCode):
    """A new registration code."""

    code = f.text("The code, shown only now. Upper and lower case make no difference.", example="7HQ2-K5XM-9R4D")


class RegistrationCodeRequest(f.Contract):
    """A new registration code."""

    uses = f.integer("How many players may register with it.", 1, MOST_USES, default=1)
    days = f.integer("For how many days it works.", 1, MOST_DAYS, default=30)
    note = f.line("A note for operators, in one line.", 300, optional=True)


class AlikeAccount(f.Contract):
    """An account that may belong to the same person."""

    player = f.text("Id of the player.", example="pl_x5q2k7d3m4na")
    name = f.text("The name; null: the account was deleted.", nullable=True, example="Mallory")
    shares = f.extensible("What both share.", ("address", "identity"))
    at = f.time("When that was last noted of this account.")
    suspension = f.nested(Suspension, "The suspension; null: there is none.", nullable=True)


class AlikeAccounts(f.Contract):
    """Accounts that may belong to the same person."""

    items = f.array(f.nested(AlikeAccount), "The accounts, the latest first, at most 200.")
    next_cursor = next_cursor()
