"""Voices at a table of a room."""

from service.api.schemas import fields as f
from service.voice.voice import LONGEST_SDP, SIGNALS

_SESSION = "^[A-Za-z0-9]{8,32}$"


class IceServer(f.Contract):
    """A server by which browsers connect, as `RTCPeerConnection` takes it."""

    urls = f.array(f.text(""), "Its URLs.", example=["turn:turn.example.org:3478?transport=udp"])
    username = f.text("User name, which tells nothing of the player.", example="1795203878:9f2c41d07be586a3")
    credential = f.text("Password.", example="c2VjcmV0IHRoYXQgaXMgbm90IG9uZQ==")


class VoicePartner(f.Contract):
    """Somebody to talk to."""

    seat = f.integer("The seat.", example=2)
    player = f.text("Id of the player.", example="pl_x5q2k7d3m4na")


class Voice(f.Contract):
    """What a page needs to talk at a table."""

    ice_servers = f.array(f.nested(IceServer), "Connect by these only (`iceTransportPolicy: relay`).")
    expires_at = f.time("Until when they accept new connections. Those that are open go on.")
    partners = f.array(
        f.nested(VoicePartner),
        "The people at the table, without those whom the caller has blocked or muted: close connections to all others.",
    )


class VoiceSignal(f.Contract):
    """A message to the pages of others at the table."""

    kind = f.choice(
        "`hello` begins to talk, `offer` and `answer` are the halves of a connection, `bye` ends it.", *SIGNALS
    )
    session = f.text("The page that sends it: a random name.", pattern=_SESSION, example="k3v9x2q7m5d1")
    to = f.text(
        "`offer`, `answer`: id of the player who gets it.",
        1,
        60,
        pattern="^[A-Za-z0-9_-]+$",
        optional=True,
        example="pl_x5q2k7d3m4na",
    )
    to_session = f.text(
        "`offer`, `answer`: the page of that player.", pattern=_SESSION, optional=True, example="m4na7h2kx5q2"
    )
    sdp = f.text("`offer`, `answer`: the half of the connection (SDP).", 1, LONGEST_SDP, optional=True)
