"""Analyses of finished rounds."""

from service.api.schemas import fields as f
from service.api.schemas.common import Reason
from service.api.schemas.hints import AdvisedAction
from service.api.schemas.pars import Par
from service.game.events.fields import NOT_IN_ARMS
from service.game.state.levels import AI_LEVELS
from service.store.analyses import THEMES


class AnalysisRequest(f.Contract):
    """Which round to analyse."""

    round = f.integer("Its number.", 1, 100_000, example=1)


class AnalysisQuery(f.Contract):
    """Which round's analysis to read."""

    round = f.integer("Its number.", 1, 100_000, query=True)


class JudgedDecision(f.Contract):
    """What the AI says about a decision."""

    seq = f.integer("Seq of its event, as in the record.", example=481)
    seat = f.integer("The seat that decided.", example=2)
    type = f.extensible(
        "What was done.", ("declare", "pass", "discard", "overcall_kitty", "call", "road", "play"), example="play"
    )
    level = f.extensible(
        "Level of the AI that judged this: that of the analysis, or where it failed `normal`, which simulates nothing.",
        AI_LEVELS,
        example="expert",
    )
    best = f.nested(
        AdvisedAction,
        "What the AI would have done instead; null if it would have done the same, or nothing measurably better. Where "
        "`gain` is null, this is merely different.",
        nullable=True,
    )
    gain = f.number(
        "Levels per round by which `best` is better than what was done, on average over fresh possible deals: at "
        "least 0.01 and at least two standard errors. 0.0 if `best` is null; null if the AI differs without "
        "simulation, or failed, and in Arm's Length, which has no levels.",
        nullable=True,
        example=0.21,
    )
    error = f.number(
        f"Standard error of the gain; 0.0 without `best` or simulation; {NOT_IN_ARMS}", nullable=True, example=0.06
    )
    reason = f.nested(Reason, "Why the AI would do so; without `best`, what speaks for what was done.")
    theme = f.extensible(
        "What kind of mistake it was (`GET /v1/me/mistakes`); null without `best`, left out in analyses of releases "
        "before 0.4.",
        THEMES,
        nullable=True,
        optional=True,
        example="trumps-late",
    )
    by = f.extensible(
        "What made the decision; left out as `theme`.", ("player", "ai", "timeout"), optional=True, example="player"
    )


class Analysis(f.Contract):
    """Every decision of a finished round, judged by the AI with what the deciding seat could see."""

    game = f.text("The game.", example="gm_7h2kx5q2m4na_1")
    round = f.integer("Number of the round.", example=1)
    status = f.extensible("`working`: not all decisions are judged yet.", ("ready", "working"), example="ready")
    level = f.extensible("Level of the AI.", AI_LEVELS, example="expert")
    done = f.integer("Decisions judged.", example=40)
    of = f.integer("Decisions in the round; 0: not known yet.", example=108)
    decisions = f.array(f.nested(JudgedDecision), "The judged decisions, in order.")
    par = f.nested(Par, "What the cards were worth; left out until somebody has asked for par.", optional=True)
