"""Check the subjects of commits: `python scripts/check_commits.py [RANGE]`, by default since the check was introduced.

A subject has at most 72 characters, begins with a verb in the imperative ("Add", not "Adds", "Added" or "The"), and has
no full stop; an empty line separates the body. Without git or without history nothing is checked.
"""

import re
import subprocess
import sys
from collections.abc import Iterator

#: The last commit before the rule. In a shallow clone that ends after it, every commit is newer.
FIRST_UNCHECKED = "f3715ecb"
LONGEST = 72

_NOT_VERB = re.compile(
    "A|All|An|And|Any|As|At|Both|By|Each|Every|For|From|He|Her|His|How|If|In|It|Its|My|Next|No|Not|Of|On|One|Only|Or|Our|"
    "She|Some|That|The|Their|Then|There|These|They|This|Those|To|Two|We|What|When|Where|Which|Who|Why|With|You"
)
_INFLECTED = re.compile(r".*([^s]s|ed|ing)")
#: Imperatives that look like inflected forms.
_VERB = re.compile(
    "Alias|Bias|Bring|Canvas|Embed|Exceed|Feed|Focus|Need|Proceed|Ring|Seed|Shed|Shred|Speed|Spring|Swing"
)


def complaints(message: str) -> Iterator[str]:
    """Yield the faults of a commit message."""
    subject, _, rest = message.partition("\n")
    if len(subject) > LONGEST:
        yield f"is {len(subject)} characters long, at most {LONGEST} are allowed"
    if subject.endswith("."):
        yield "ends with a full stop"
    if rest.strip() and not rest.startswith("\n"):
        yield "is not followed by an empty line"
    verb = re.match(r"[A-Z][a-z]+(?=[ -])", subject)
    if verb is None or not _imperative(verb[0]):
        yield "does not begin with a verb in the imperative, such as Add, Fix or Rename"


def _imperative(word: str) -> bool:
    return bool(_VERB.fullmatch(word)) or not (_NOT_VERB.fullmatch(word) or _INFLECTED.fullmatch(word))


def commits(selected: str | None) -> dict[str, str]:
    """Return abbreviated id -> message of the commits to check, without merges.

    Raises:
        OSError, subprocess.CalledProcessError: no git, no repository, or no such range.
    """
    if selected is None:
        known = _git("cat-file", "-e", f"{FIRST_UNCHECKED}^{{commit}}", check=False).returncode == 0
        selected = f"{FIRST_UNCHECKED}..HEAD" if known else "HEAD"
    log = _git("log", "--no-merges", "--format=%h%n%B%x00", selected).stdout
    entries = [entry.strip("\n").partition("\n") for entry in log.split("\0") if entry.strip()]
    return {name: message for name, _, message in entries}


def _git(*arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["git", *arguments], capture_output=True, text=True, check=check)


def main(arguments: list[str]) -> int:
    """Print all faults and return the exit status."""
    try:
        subjects = commits(arguments[0] if arguments else None)
    except (OSError, subprocess.CalledProcessError):
        print("Commit subjects are not checked: no git history here.")
        return 0
    wrong = [
        f"{name} {message.splitlines()[0]!r} {text}"
        for name, message in subjects.items()
        for text in complaints(message)
    ]
    print("\n".join(wrong) or f"{len(subjects)} commit subjects are fine.")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
