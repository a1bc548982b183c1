"""Rulesets as `service.rules.options.table.catalogue` writes them."""

from service.api.schemas import fields as f
from service.api.schemas.common import RULESET_IDS, next_cursor


class Names(f.Contract):
    """One text in every language of the service."""

    en = f.text("English.", example="Sheng Ji")
    zh_hans = f.text("Simplified Chinese.", example="升级", data_key="zh-Hans")


class RulesetSummary(f.Contract):
    """A summary of a ruleset."""

    id = f.extensible("Its id.", RULESET_IDS, example="shengji")
    names = f.nested(Names, "Its names.")
    players = f.array(f.integer(""), "Possible numbers of players.", example=[4])
    teams = f.extensible("How teams are formed.", ("friends", "fixed", "partners"))


class Rulesets(f.Contract):
    """All rulesets."""

    items = f.array(f.nested(RulesetSummary), "The rulesets.")
    next_cursor = next_cursor()


class OptionValue(f.Contract):
    """A value of an option."""

    value = f.anything("The value.", example="longer")
    meaning = f.mapping("What it does, by language.", f.text(""))


class RulesetOption(f.Contract):
    """A house rule that a table can choose."""

    name = f.text("Its name in `options`.", example="overcall")
    phase = f.text("The phase of the game that it belongs to.", example="declaring")
    title = f.nested(Names, "What to call it.")
    default = f.anything("Its value if a table does not set it.", example="longer")
    changeable = f.flag("Whether a table of this ruleset may set any other value.")
    values = f.array(f.nested(OptionValue), "Its values, except numbers; `schema` describes them all.")
    schema = f.mapping("Its values as a JSON Schema.")
    meaning = f.nested(Names, "What it decides.")
    source = f.text("Who plays it so; docs/rules.md names the sources.", example="Zhang §3.5.5")


class Phase(f.Contract):
    """A phase of the game, under which options are shown."""

    id = f.text("Its id.", example="declaring")
    title = f.nested(Names, "What to call it.")
    meaning = f.nested(Names, "What it is about.")
    options = f.array(f.text(""), "Names of its options.", example=["overcall"])


class Preset(f.Contract):
    """A named set of options from which a table may start."""

    id = f.text("Its name as `preset` of a table.", example="must_play")
    title = f.nested(Names, "What to call it.")
    meaning = f.nested(Names, "What is special about it.")
    source = f.text("Who plays it so; docs/rules.md names the sources.", example="Zhang §6.1.2")
    players = f.array(f.integer(""), "Possible numbers of players.", example=[4])
    options = f.mapping("The options that differ from the ruleset's.", example={"must_play": ["5", "K"]})


class Composition(f.Contract):
    """The cards of a game. Fields that do not apply are left out."""

    decks = f.integer("Decks in use.", example=2)
    big_jokers = f.integer("Big jokers in all.", example=2)
    little_jokers = f.integer("Little jokers in all.", example=2)
    hand = f.integer("Cards for each player.", example=25)
    kitty = f.integer("Cards of the kitty.", example=8)
    total = f.integer("All cards.", example=108)
    points = f.integer("Card points in all decks.", optional=True, example=200)
    calls = f.integer("Number of friends to call.", optional=True)
    declarers_max = f.integer("Maximum number of players on the declarer's side.", optional=True)
    attackers_min = f.integer("Minimum number of attackers.", optional=True)
    removed = f.cards("Removed cards.", optional=True)
    removed_count = f.integer("Number of removed cards.", optional=True)
    removed_ranks = f.array(f.text(""), "Ranks of the removed cards.", optional=True)


class Band(f.Contract):
    """A row of a score table."""

    points = f.integer("The lowest attackers' points to which it applies.", example=80)
    side = f.choice("The side that gains; null: neither.", "declarers", "attackers", nullable=True)
    levels = f.integer("Levels gained.", example=1)
    every = f.integer("Points for each further level.", optional=True, example=40)


class GameOfPlayers(f.Contract):
    """A ruleset for one number of players."""

    composition = f.nested(Composition, "The cards.")
    options = f.mapping("Every option with its effective default.")
    scores = f.array(f.nested(Band), "The score table, from 0 points up.")


class LengthPart(f.Contract):
    """A part of `length` of a table."""

    name = f.text("Its name in `length`.", example="rounds")
    title = f.nested(Names, "What to call it.")
    meaning = f.nested(Names, "What it decides.")
    schema = f.mapping("Its values as a JSON Schema.", example={"type": "integer", "minimum": 1, "maximum": 100})


class Ruleset(f.Contract):
    """A ruleset."""

    id = f.extensible("Its id.", RULESET_IDS, example="shengji")
    names = f.nested(Names, "Its names.")
    seed = f.text("Number of its source document.", example="001")
    source = f.text("Its source document.")
    players = f.array(f.integer(""), "Possible numbers of players.", example=[4])
    teams = f.extensible("How sides are formed.", ("friends", "fixed", "partners"))
    family = f.extensible("The engine that plays it.", ("shengji", "arms_length"))
    phases = f.array(f.nested(Phase), "The phases of the game, with their options.")
    options = f.array(f.nested(RulesetOption), "The options that a table may set, phase by phase.")
    presets = f.array(f.nested(Preset), "Named sets of options; the first is the ruleset as it is.")
    length = f.array(f.nested(LengthPart), "The parts of `length` that a table may set: how long its games are.")
    games = f.mapping("Number of players -> the game for that number.", f.nested(GameOfPlayers))
