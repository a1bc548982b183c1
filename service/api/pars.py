"""Pars as the API shows them."""

from collections.abc import Mapping, Sequence
from statistics import fmean, quantiles, stdev
from typing import Any

from service.api.services import Services
from service.store.analyses import Par


def is_ready(par: Par | None) -> bool:
    """Tell whether all replays are done."""
    return par is not None and 0 < par["of"] <= len(par["values"])


def shown(par: Par) -> dict[str, Any]:
    """Return a par as the schema has it."""
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


def with_pars(services: Services, game: str, rounds: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return recorded rounds with their pars, where these are known."""
    pars = services.analyses.pars(game, [each["round"] for each in rounds])
    return [
        {**played, "par": shown(par)} if par is not None and is_ready(par) else {**played}
        for played, par in zip(rounds, pars, strict=True)
    ]
