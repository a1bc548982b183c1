"""Texts of the pages for developers, besides those of problems and options: name -> language -> text."""

from typing import Final

from service.texts import TRADITIONAL
from service.texts.traditional.writing import traditional

PAGES: Final[dict[str, dict[str, str | tuple[str, ...]]]] = {
    "en": {
        "name": "Sheng Ji service",
        "api": "API docs",
        "rulesets": "Rulesets",
        "problems": "Problems",
        "guides": "Guides: ",
        "script": "This page needs JavaScript; the document itself does not:",
        "about_problems": "Every response with a status of 400 or above has one of these codes. Words in braces are "
        "values of its `params`. Codes are stable, texts may change.",
        "problem_heads": ("Code", "Status", "What it says"),
        "about_rulesets": "Choose a game to see its house rules: what a table can set, and what each value means.",
        "option_heads": ("Option", "Default", "What it decides"),
        "players": "players",
        "stop": ". ",
    },
    "zh-Hans": {
        "name": "升级游戏服务",
        "api": "接口文档",
        "rulesets": "玩法与规则",
        "problems": "错误代码",
        "in_english": "接口的说明为英文；玩法、规则和错误代码有中文说明。",
        "guides": "指南（英文）：",
        "script": "本页需要 JavaScript；也可直接阅读文档：",
        "about_problems": "状态码不低于 400 的响应都带有下列代码之一，花括号内是 `params` 中的值。"
        "代码保持不变，文字可能调整。",
        "problem_heads": ("代码", "状态码", "含义"),
        "about_rulesets": "请选择一种玩法，查看牌桌可以设置的规则及其含义。",
        "option_heads": ("选项", "默认值", "含义"),
        "players": "人数",
        "stop": "。",
    },
}

PAGES[TRADITIONAL] = {
    name: traditional(words) if isinstance(words, str) else tuple(map(traditional, words))
    for name, words in PAGES["zh-Hans"].items()
}
