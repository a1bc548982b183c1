"""Reasons and pars of AI players as shown by the API."""

from collections.abc import Mapping, Sequence
from statistics import fmean, quantiles, stdev
from typing import Any

from service.api.services import Services
from service.store.analyses import Par
from service.tables.analyses import has_par
from service.texts import sentence
from service.texts.ai_reasons import FRIEND, figures_text, reason_text


def worded(reason: Mapping[str, Any], language: str) -> dict[str, object]:
    """Add the texts in a language to a reason."""
    texts: dict[str, object] = {"text": reason_text(reason, language), "figures": figures_text(reason, language)}
    if "friends" in reason:
        texts["friends"] = [{**friend, "text": sentence(FRIEND, language, friend)} for friend in reason["friends"]]
    return {**reason, **texts}


def worded_round(played: Mapping[str, Any], language: str) -> dict[str, object]:
    """Add the texts of all reasons to a recorded round."""
    actions = [
        {**action, "reason": worded(action["reason"], language)} if "reason" in action else action
        for action in played["actions"]
    ]
    return {**played, "actions": actions}


def shown_par(par: Par) -> dict[str, object]:
    """Return a par as in the schema."""
    first, *others = zip(*par["values"], strict=True)
    sixths = None if others else quantiles(first, n=6, method="inclusive")
    return {
        "level": par["level"],
        "replays": len(first),
        "points": None if others else round(fmean(first), 1),
        "least": sixths and round(sixths[0], 1),
        "most": sixths and round(sixths[-1], 1),
        "spread": round(stdev(first), 1),
        "scores": [round(fmean(each), 1) for each in (first, *others)] if others else None,
    }


def with_pars(services: Services, game: str, rounds: Sequence[Mapping[str, Any]]) -> list[dict[str, object]]:
    """Add known pars to recorded rounds."""
    pars = services.analyses.pars(game, [each["round"] for each in rounds])
    return [
        {**played, "par": shown_par(par)} if has_par(par) else {**played}
        for played, par in zip(rounds, pars, strict=True)
    ]
