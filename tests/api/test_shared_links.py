"""What a shared link tells where it is pasted: a picture and a sentence, and nothing of what it leads to."""

import re
import struct
from pathlib import Path

import pytest

from service.api import client_pages
from service.texts.shared import SHARED

ART = Path(client_pages.__file__).parents[1] / "web" / "client" / "art"
LANGUAGES = {"en": "en", "zh": "zh-Hans"}
PUBLIC = "https://games.example"


def tags(answer):
    """The Open Graph tags of a page."""
    return dict(re.findall(r'<meta property="og:([\w:]+)" content="([^"]*)">', answer.text))


@pytest.mark.parametrize("kind", SHARED)
@pytest.mark.parametrize("spoken", LANGUAGES)
def test_each_kind_of_link_has_a_picture_and_a_sentence_in_the_language_of_who_shares_it(world, spoken, kind):
    world.start(public_url=PUBLIC)
    answer = world.anybody.get(f"/{spoken}/{kind}", headers={"Accept-Language": "fr"})
    assert answer.status_code == 200
    assert answer.headers["Content-Language"] == LANGUAGES[spoken]
    assert answer.headers["Cache-Control"] == "public, max-age=3600"
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    told = tags(answer)
    assert told["title"] == SHARED[kind].title[LANGUAGES[spoken]]
    assert told["description"] == SHARED[kind].sentence[LANGUAGES[spoken]]
    assert told["image"] == f"{PUBLIC}/art/share-{kind}.png"
    picture = (ART / f"share-{kind}.png").read_bytes()
    assert struct.unpack(">II", picture[16:24]) == (int(told["image:width"]), int(told["image:height"]))
    assert len(picture) < 30_000
    assert world.anybody.get(f"/art/share-{kind}.png").status_code == 200
    # It goes on by a script of this service, and nothing else may run.
    assert "script-src 'self'" in answer.headers["Content-Security-Policy"]
    assert re.findall(r"<script[^>]*>", answer.text) == ['<script src="../assets/go.js">']
    assert world.anybody.get("/assets/go.js").status_code == 200


def test_nothing_is_looked_up_and_no_code_is_taken(world):
    """Codes are behind the `#`, which nobody sends; whatever else is sent makes no difference."""
    plain = world.anybody.get("/en/room")
    reads = world.redis.info("commandstats")
    for query in ("?code=K7PQ2M9XWR4T", "?api=https://evil.example", '?x="><script>', "?lang=zh-Hans"):
        assert world.anybody.get(f"/en/room{query}").data == plain.data
    commands = [name for name in world.redis.info("commandstats") if name not in reads]
    assert [name for name in commands if name != "cmdstat_info"] == []
    for path in ("/en/room/K7PQ2M9XWR4T", "/en/house", "/fr/room", "/en", "/en/..", "/zh/room/"):
        assert world.anybody.get(path).status_code == 404, path


def test_a_host_that_somebody_has_made_up_stays_with_who_sent_it(world):
    """Without a public address, the picture has that of the request, so no cache may share the page."""
    answer = world.anybody.get("/en/deal", headers={"Host": "evil.example"})
    assert tags(answer)["image"] == "http://evil.example/art/share-deal.png"
    assert answer.headers["Cache-Control"].startswith("private")
    odd = world.anybody.get("/en/deal", headers={"Host": '"><script>x'})
    assert "<script>x" not in odd.text
