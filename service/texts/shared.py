"""What a link says where it is pasted: kind of link -> title and sentence. The link's code stays behind the `#`."""

from typing import Final, NamedTuple

from service.texts import Text, text


class Shared(NamedTuple):
    """Title and sentence of a kind of link."""

    title: Text
    sentence: Text


SHARED: Final[dict[str, Shared]] = {
    "room": Shared(
        text("Come and play in my room", "来我的房间打升级"),
        text(
            "A room for friends to play Sheng Ji: open the link, give a name, and sit down whenever you like.",
            "朋友们打升级的房间：打开链接，起个名字，随时坐下。",
        ),
    ),
    "club": Shared(
        text("Join our club", "来加入我们的俱乐部"),
        text(
            "A club for Sheng Ji: open the link, give a name, and join.", "升级俱乐部：打开链接，起个名字，就能加入。"
        ),
    ),
    "table": Shared(
        text("A seat at my table", "来我这桌打升级"),
        text(
            "Sheng Ji with friends: open the link, give a name, and take a seat.",
            "和朋友打升级：打开链接，起个名字，就能坐下。",
        ),
    ),
    "deal": Shared(
        text("Play my deal", "打我这副牌"),
        text(
            "The same cards from the same seat: play them, then see both lines side by side.",
            "同样的牌、同样的座位：您来打一遍，再并排对比两种打法。",
        ),
    ),
    "event": Shared(
        text("Equal deals for all", "同一副牌，大家来打"),
        text("An event of Sheng Ji in which everybody gets the same cards.", "升级赛事：每个人拿到同样的牌。"),
    ),
    "replay": Shared(
        text("Look at this round", "来看这一局"),
        text(
            "A finished round of Sheng Ji, trick by trick, with all hands open.", "打完的一局升级，逐轮回放，四家明牌。"
        ),
    ),
    "friend": Shared(
        text("Become friends", "加个好友"),
        text("Meet on Sheng Ji, and play together.", "在升级里加好友，一起打牌。"),
    ),
}
#: Name of the game, as the page is called.
GAME: Final = text("Sheng Ji", "升级")
#: What leads on where no script does.
OPEN: Final = text("Open", "打开")
