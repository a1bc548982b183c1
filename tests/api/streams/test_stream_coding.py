"""Compressed streams: complete and flushed at once, compressed once for all, with sizes that reveal no cards."""

import gzip
import zlib

from hypothesis import given
from hypothesis import strategies as st

from service.api.streams import coding
from service.api.streams.coding import Gzip, Text
from service.api.streams.rendering import event_messages

MESSAGES = [b'id: %d\ndata: {"seq":%d,"type":"played","data":{"seat":%d}}\n\n' % (n, n, n % 4) for n in range(60)]
HAND = b'data: {"cards":["S3","S4","S7","SJ","H2","HQ"]}\n\n'

texts = st.builds(Text, st.binary(max_size=60) | st.sampled_from(MESSAGES) | st.binary(min_size=2500), st.booleans())


@given(st.lists(st.lists(texts, max_size=4), max_size=12))
def test_compressed_texts_can_be_read_at_once_and_unchanged(batches):
    stream, reader, sent = Gzip(), zlib.decompressobj(31), stream_start()
    packed = stream.encode([sent])
    assert reader.decompress(packed) == sent.body
    for batch in batches:
        packed += (chunk := stream.encode(batch))
        assert reader.decompress(chunk) == b"".join(text.body for text in batch)
    packed += stream.finish()
    assert gzip.decompress(packed) == sent.body + b"".join(text.body for batch in batches for text in batch)


def stream_start():
    return Text(b"retry: 1000\n\n")


def sizes(*bodies, alone=()):
    """The compressed size of each text in one stream."""
    stream = Gzip()
    stream.encode([stream_start()])
    return [len(stream.encode([Text(body, is_alone=body in alone)])) for body in bodies]


def test_similar_events_compress_well():
    assert sum(sizes(*MESSAGES)) < sum(map(len, MESSAGES)) / 3


def test_streams_that_have_sent_the_same_share_the_compressed_bytes():
    coding._deflated_once.cache_clear()
    streams = [Gzip() for _ in range(50)]
    for message in (stream_start().body, *MESSAGES):
        assert len({stream.encode([Text(message)]) for stream in streams}) == 1
    assert coding._deflated_once.cache_info().misses == 1 + len(MESSAGES)
    # One object: streams hold no copies.
    assert len({id(stream._window) for stream in streams}) == 1


def test_the_size_of_a_guess_does_not_reveal_whether_it_is_in_the_hand():
    guess, other = b'data: "S3","S4","S7","SJ"\n\n', HAND[::-1]
    alone = (guess, guess[::-1])
    assert sizes(HAND, guess, alone=alone)[1] == sizes(other, guess, alone=alone)[1]
    assert sizes(guess, HAND, alone=alone)[1] == sizes(guess[::-1], HAND, alone=alone)[1]
    # Without `alone`, it would show:
    assert sizes(HAND, guess)[1] < sizes(other, guess)[1]
    assert sizes(guess, HAND)[1] < sizes(guess[::-1], HAND)[1]


def test_texts_with_chosen_words_are_compressed_alone(world):
    table = world.table(ready=False)
    table.host.post(f"{table.path}/chat", {"text": "S3 S4 S7 SJ"})
    texts = event_messages(world.stores.tables.events(table.id, 0, 100), 0, table.state())
    for name in (b'"type":"chat"', b'"type":"seat_taken"'):
        assert any(name in text.body for text in texts if text.is_alone)
        assert not any(name in text.body for text in texts if not text.is_alone)
