"""Write how the Chinese of the service is written in Traditional characters (`make traditional`).

All texts are in Simplified Chinese. OpenCC knows which characters each takes in Traditional Chinese, as in Taiwan. Here
its dictionaries are reduced to what the texts of the service need: characters, and phrases in which one becomes
another. A test compares the result with OpenCC, text by text.
"""

import ast
import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

from opencc import OpenCC

ROOT: Final = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from service.texts.traditional.writing import Writing  # noqa: E402 (the path is set first)

TABLE: Final = ROOT / "service" / "texts" / "traditional" / "table.py"
MODULE: Final = ROOT / "service" / "web" / "client" / "app" / "texts" / "traditionaltable.js"
#: What is written otherwise than OpenCC would. First words that its dictionaries cut in the wrong place, then those of
#: computers that have another name; its own list of these knows no games (循环 would be a loop in a program).
OWN: Final = {
    "是只": "是只", "被发送": "被傳送", "逐轮回放": "逐輪回放", "桌几副": "桌幾副", "道里": "道裡",
    "级里加": "級裡加", "账号": "帳號", "网络": "網路", "设置": "設定", "链接": "連結",
    "默认": "預設", "登录": "登入", "消息": "訊息", "服务器": "伺服器", "发送": "傳送",
    "搜索": "搜尋", "加载": "載入", "刷新": "重新整理", "支持": "支援", "菜单": "選單",
    "打印": "列印", "文件": "檔案", "端口": "連接埠", "字节": "位元組", "字段": "欄位",
    "用户": "使用者", "接口文档": "介面文件", "数据": "資料", "保存": "儲存", "程序": "程式",
}  # fmt: skip
#: Plain forms, in place of what OpenCC makes.
PLAIN: Final = {"臺": "台", "佔": "占", "佈": "布", "鍾": "鐘"}

_HAN: Final = re.compile(r"[\u3400-\u9fff]")
#: String literals of the page, and text between tags in its templates.
_LITERAL: Final = re.compile(r'"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`', re.DOTALL)
_PARTS: Final = re.compile(f"({'|'.join(sorted(OWN, key=len, reverse=True))})")
_LONGEST: Final = 8


@cache
def _converter() -> OpenCC:
    return OpenCC("s2tw")


def by_opencc(text: str) -> str:
    """Return a Simplified Chinese text in Traditional Chinese."""
    made = "".join(OWN.get(part) or str(_converter().convert(part)) for part in _PARTS.split(text))
    for theirs, ours in PLAIN.items():
        made = made.replace(theirs, ours)
    return made


def texts() -> list[str]:
    """Return every Chinese text of the service and of its page."""
    found = {*_of_python(), *_of_page()}
    return sorted(text for text in found if _HAN.search(text))


def _of_python() -> Iterator[str]:
    for path in sorted((ROOT / "service").rglob("*.py")):
        if path != TABLE:
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    yield node.value


def _of_page() -> Iterator[str]:
    for path in sorted((MODULE.parents[1]).rglob("*.js")):
        if path != MODULE:
            for double, template in _LITERAL.findall(path.read_text(encoding="utf-8")):
                yield double or template


def writing() -> Writing:
    """Return the characters and phrases with which all texts are written as OpenCC writes them.

    Raises:
        ValueError: no phrases can do that.
    """
    every = {text: by_opencc(text) for text in texts()}
    each = {character for text in every for character in text if _HAN.match(character)}
    known = {character: by_opencc(character) for character in sorted(each) if by_opencc(character) != character}
    for _ in range(20):
        now = Writing(known)
        wrong = {text: wanted for text, wanted in every.items() if now.of(text) != wanted}
        if not wrong:
            return now
        for text, wanted in wrong.items():
            known |= _phrase(text, wanted, Writing(known))
    raise ValueError(f"not written as OpenCC does: {list(wrong)[:3]}")


def _phrase(text: str, wanted: str, now: Writing) -> Mapping[str, str]:
    """Return the shortest phrase of a text, of two characters or more, that is written otherwise than `now`."""
    if now.of(text) == wanted:
        return {}
    for length in range(2, _LONGEST + 1):
        for start in range(len(text) - length + 1):
            phrase = text[start : start + length]
            made = by_opencc(phrase)
            if all(map(_HAN.match, phrase)) and made != now.of(phrase) and made in wanted:
                return {phrase: made}
    return {}


def modules(known: Mapping[str, str]) -> dict[Path, str]:
    """Return the modules of the service and of the page."""
    characters = "".join(f"{one}{other}" for one, other in sorted(known.items()) if len(one) == 1)
    phrases = " ".join(f"{one} {other}" for one, other in sorted(known.items()) if len(one) > 1)
    about = "Written by scripts/traditional.py: characters, each before its Traditional form, and phrases."
    return {
        TABLE: f'"""{about}"""\n\nCHARACTERS = (\n{_lines(characters)})\nPHRASES = (\n{_lines(phrases)})\n',
        MODULE: f'/** {about} */\nexport const CHARACTERS =\n  "{characters}";\n\n'
        f'export const PHRASES =\n  "{phrases}";\n',
    }


def _lines(text: str) -> str:
    return "".join(f'    "{text[at : at + 50]}"\n' for at in range(0, len(text), 50))


def main() -> None:
    """Write both modules."""
    for path, content in modules(writing().known).items():
        path.write_text(content, encoding="utf-8")


if __name__ == "__main__":
    main()
