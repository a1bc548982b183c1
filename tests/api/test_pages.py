"""The pages for developers: their language, links, and the options of every ruleset."""

import re
from urllib.parse import urljoin

import pytest

from service.api.pages import GUIDES, OPENAPI
from service.rules.options.rulesets import RULESETS

PATHS = ("/docs", "/docs/problems", "/docs/rulesets", "/docs/rulesets/shengji")


def links(path, page):
    """Where the links of a page lead, with their labels; as a browser at this path finds them."""
    return {urljoin(path, link): label for link, label in re.findall(r'<a href="([^"]+)"[^>]*>(.*?)</a>', page)}


@pytest.mark.parametrize("path", PATHS)
def test_a_page_names_the_service_and_links_to_the_start_page(anybody, path):
    page = anybody.get(path).get_data(as_text=True)
    assert "Sheng Ji service</title>" in page
    assert links(path, page)["/"] == "<b>Sheng Ji service</b>"


@pytest.mark.parametrize("path", PATHS)
def test_a_page_finds_everything_below_the_path_of_a_gateway(anybody, path):
    page = anybody.get(path).get_data(as_text=True)
    used = re.findall(r'(?:href|src)="([^"]+)"', page)
    assert len(used) >= 8
    for link in used:
        assert not link.startswith("/")
        assert anybody.get(urljoin(path, link)).status_code == 200, link
        assert urljoin(f"/game{path}", link) == f"/game{urljoin(path, link)}"


@pytest.mark.parametrize("path", PATHS)
def test_a_page_is_in_chinese_on_request(anybody, path):
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
def test_the_page_of_a_ruleset_lists_all_of_its_options(anybody, ruleset, language):
    page = anybody.get(f"/docs/rulesets/{ruleset}?lang={language}").get_data(as_text=True)
    for option in anybody.get(f"/v1/rulesets/{ruleset}").json["options"]:
        assert f'<tr id="{option["name"]}">' in page


def test_the_api_docs_lead_to_the_guides(anybody):
    for language, label in (("en", "Guides: "), ("zh-Hans", "指南（英文）：")):
        page = anybody.get(f"/docs?lang={language}").get_data(as_text=True)
        assert label in page
        guides = {path: title for path, title in links("/docs", page).items() if path.startswith("/docs/guides/")}
        assert guides[f"/docs/guides/bots.md?lang={language}"] == "Your first bot in ten minutes"
        assert len(guides) == len(GUIDES)
        for path, title in guides.items():
            answer = anybody.get(path)
            assert answer.content_type == "text/plain; charset=utf-8"
            assert answer.get_data(as_text=True).startswith(f"# {title}\n")


@pytest.mark.parametrize("guide", ["decisions", "operations.md", "..%2Fopenapi.yaml", "nothing.md"])
def test_other_files_are_no_guides(anybody, guide):
    assert anybody.get(f"/docs/guides/{guide}").status_code == 404


def test_the_image_has_every_guide():
    [copied] = re.findall(
        r"^COPY (docs/.*) docs/$", (OPENAPI.resolve().parent / "Dockerfile").read_text(), re.MULTILINE
    )
    assert copied.split() == [f"docs/{guide}" for guide in GUIDES]


def test_the_page_of_an_unknown_ruleset_is_not_found(anybody):
    assert anybody.get("/docs/rulesets/chess").status_code == 404


def test_the_api_docs_say_in_chinese_that_they_are_in_english(anybody):
    page = anybody.get("/docs?lang=zh-Hans").get_data(as_text=True)
    assert "接口的说明为英文" in page
    assert '<div id="docs" lang="en">' in page


#: Links to the same page in another language.
OTHERS = ("English", "简体中文", "繁體中文")


@pytest.mark.parametrize("path", PATHS)
def test_links_keep_the_requested_language(anybody, path):
    def of_pages(query):
        found = links(path, anybody.get(path + query).get_data(as_text=True))
        return [link for link, label in found.items() if re.match(r"/(docs|$|\?)", link) and label not in OTHERS]

    kept = of_pages("?lang=zh-Hans")
    assert len(kept) >= 4
    assert all(link.endswith("?lang=zh-Hans") for link in kept)
    assert not any("lang=" in link for link in of_pages(""))


@pytest.mark.parametrize("path", PATHS[1:])
@pytest.mark.parametrize("language", ["en", "zh-Hans"])
def test_text_in_backticks_is_shown_as_code(anybody, path, language):
    page = anybody.get(f"{path}?lang={language}").get_data(as_text=True)
    assert "`" not in page
    assert "<code>" in page or path == "/docs/rulesets"


@pytest.mark.parametrize("path", PATHS)
def test_pages_are_in_traditional_chinese_for_who_reads_that(anybody, path):
    answer = anybody.get(path, headers={"Accept-Language": "zh-HK,zh;q=0.9,en;q=0.8"})
    page = answer.get_data(as_text=True)
    assert answer.headers["Content-Language"] == "zh-Hant"
    assert '<html lang="zh-Hant">' in page
    assert re.search("[戲規則點]", page)
    assert not re.search("[庄闲级们这发]", page.replace("简体中文", ""))
