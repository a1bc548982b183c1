"""The pages for developers: in the reader's language, with a way back, and the house rules of every game."""

import pytest

from service.rules.options.rulesets import RULESETS

PATHS = ("/docs", "/docs/problems", "/docs/rulesets", "/docs/rulesets/shengji")


@pytest.mark.parametrize("path", PATHS)
def test_a_page_has_our_name_and_a_way_back(anybody, path):
    page = anybody.get(path).get_data(as_text=True)
    assert "Sheng Ji service</title>" in page
    assert '<a href="/">' in page


@pytest.mark.parametrize("path", PATHS)
def test_a_page_is_in_chinese_when_asked_for(anybody, path):
    for query, headers in (("", {"Accept-Language": "zh-CN,zh;q=0.9"}), ("?lang=zh-Hans", {"Accept-Language": "en"})):
        answer = anybody.get(path + query, headers=headers)
        assert answer.headers["Content-Language"] == "zh-Hans"
        assert "Accept-Language" in answer.headers["Vary"]
        page = answer.get_data(as_text=True)
        assert '<html lang="zh-Hans">' in page
        assert "升级游戏服务</title>" in page
    assert anybody.get(f"{path}?lang=xx", headers={"Accept-Language": "zh"}).status_code == 200


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("language", ["en", "zh-Hans"])
def test_a_ruleset_is_a_page_with_all_of_its_options(anybody, ruleset, language):
    page = anybody.get(f"/docs/rulesets/{ruleset}?lang={language}").get_data(as_text=True)
    for option in anybody.get(f"/v1/rulesets/{ruleset}").json["options"]:
        assert f'<tr id="{option["name"]}">' in page


def test_a_page_of_no_ruleset_is_not_found(anybody):
    assert anybody.get("/docs/rulesets/chess").status_code == 404
