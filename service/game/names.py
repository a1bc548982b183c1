"""Names that look alike: what people take for one name."""

import unicodedata
from collections.abc import Iterable
from functools import cache
from typing import Final

#: How the AI players of a table are called.
AI_NAME: Final = "AI {}"
#: More than any table seats.
_MOST_AI: Final = 99
#: Letters and digits, each followed by single characters of other scripts that look like it, as far as NFKD leaves them
#: as they are. From confusables.txt of Unicode 15.1 (Technical Standard 39; © Unicode, Inc., Unicode License V3).
_ALIKE: Final = (
    "2ƧϨᒿꙄꛯꝚ 3ƷȜЗӠⳌꝪꞫ 4Ꮞ 5Ƽ 6бᏮⳒ 8Ȣȣ৪੪ଃ 9৭੧୨൭ⳊꝮ AΑАᎪᗅꓮ BΒВᏴᗷꓐꞴ CСᏟⲤꓚ DᎠᗞᗪꓓ EΕЕᎬ⋿ⴹꓰ FϜᖴꓝꞘ GԌᏀᏳꓖ HΗНᎻᕼⲎꓧ "
    "JͿЈᎫᒍꓙꞲ KΚКᏦᛕⲔꓗ LᏞᒪⳐꓡ MΜϺМᎷᗰᛖⲘꓟ NΝⲚꓠ OΟОՕ০ଠ୦ዐⲞⵔ〇ꓳ PΡРᏢᑭⲢꓑ Qⵕ RƦᎡᏒᖇꓣ SЅՏᏕᏚꓢ TΤТᎢ⊤⟙Ⲧꓔ UՍሀᑌ∪⋃ꓴ VѴ۷Ꮩᐯⴸꓦꛟ "
    "WԜᎳᏔꓪ XΧХ᙭ᚷ╳ⲬⵝꓫꞳ YΥУҮᎩᎽⲨꓬ ZΖᏃꓜ aɑαа⍺ bƄЬᏏᑲᖯ cсᴄⲥꮯ dԁᏧᑯꓒ eеҽ℮ꬲ fքẝꞙꬵ gƍɡցᶃ hһհᏂ iıɩɪιіӏᎥ⍳ꙇꭵ jϳј "
    "lƖǀΙІӀ۱ᛁ∣⏽Ⲓⵏꓲ nոռ oοσоօ۵०੦૦௦ం౦ಂ೦ംഠ൦ං๐໐ဝ၀ჿᴏᴑⲟꬽ pρр⍴ⲣ qԛգզ rгᴦⲅꭇꭈꮁ sƽѕꜱꮪ uʋυսᴜꞟꭎꭒ vνѵᴠ∨⋁ꮩ wɯѡԝաᴡꮃ "
    "x×хᕁᕽ᙮⤫⤬⨯ yɣʏγуүყᶌỿꭚ zᴢꮓ "
)
_OTHERS: Final = str.maketrans({other: group[0] for group in _ALIKE.split() for other in group[1:]})
_AMONG_ASCII: Final = str.maketrans("I1|0", "lllO")


def _skeletons(name: str) -> set[str]:
    """Return what a name looks like, as written, in lower and in upper case: names that share one look alike."""
    bare = "".join(each for each in unicodedata.normalize("NFKD", name) if not unicodedata.combining(each))
    latin = " ".join(bare.split()).translate(_OTHERS)
    return {case.translate(_AMONG_ASCII) for case in (latin, latin.casefold(), latin.upper())}


def look_alike(one: str, other: str) -> bool:
    """Tell whether people would take one name for the other."""
    return not _skeletons(one).isdisjoint(_skeletons(other))


@cache
def _of_ai() -> frozenset[str]:
    return frozenset().union(*(_skeletons(AI_NAME.format(number)) for number in range(_MOST_AI + 1)))


def is_like_ai(name: str) -> bool:
    """Tell whether a name could be that of an AI player."""
    return name.casefold() == "ai" or not _skeletons(name).isdisjoint(_of_ai())


def distinct(name: str, others: Iterable[str]) -> str:
    """Return a name, with a number if it looks like that of somebody else."""
    taken = list(others)
    number, shown = 1, name
    while any(look_alike(shown, other) for other in taken):
        number += 1
        shown = f"{name} ({number})"
    return shown
