"""The row of a type of event of an account: all that is said of it."""

from collections.abc import Mapping
from typing import Literal, NamedTuple, TypeAlias

from service.game.events.fields import Field
from service.texts import Text

#: Who gets a notice: `turns`, at once also those who want notices of turns only; `all`, those who want all notices;
#: `alarm`, all devices of the player, whatever the player has chosen, and no webhook.
Level: TypeAlias = Literal["turns", "all", "alarm"]


class Notice(NamedTuple):
    """What devices and webhooks of the player are sent of an event.

    Attributes:
        title, line: what people read; the line may have `{game}`, the name of the game.
        level: see `Level`.
        about: what webhooks get it for, for the document.
        schema: name of the schema of what webhooks get; "": `<Type>Notice`.
        without: fields of the event that are not sent; then `data_schema` is the name of the schema without them.
        of_hosted: whether subscriptions for hosted tables get it, whoever is host.
        opens: what its link opens: the table of the event, or the first page.
    """

    title: Text
    line: Text
    level: Level
    about: str = ""
    schema: str = ""
    without: tuple[str, ...] = ()
    data_schema: str = ""
    of_hosted: bool = False
    opens: Literal["table", "start"] = "table"


class Row(NamedTuple):
    """A type of event of an account.

    Attributes:
        about: when it happens, for the document.
        scope: scope that a token needs to get it.
        fields: name -> field of its data.
        has_words: whether it contains words chosen by a person.
        notice: what is sent of it; None: nothing.
        schema: name of the schema of its data; "": `<Type>Data`.
    """

    about: str
    scope: str
    fields: Mapping[str, Field]
    has_words: bool = False
    notice: Notice | None = None
    schema: str = ""
