"""Redaction takes time in proportion to a text's length, whatever stands in it."""

import random
import time
from collections.abc import Callable

import pytest

from memwiki.capture.private import without_injected, without_private
from memwiki.journal.redaction import find_secrets, redact, redact_text

LENGTH = 20_000
GROWTH = 2.5  # of the time where the length doubles
NOISE = 0.02  # seconds

# What patterns of redaction begin with, repeat and end with.
FRAGMENTS = (
    *("token", "password", "pass", "api_key", "secret", "_KEY", "pwd", "auth", "密码"),
    *("value:", "name:", "the password is", "~", "=", ":", "：", " ", "\n", "\t", "\r\n"),
    *("\"", "'", "`", "\\", "\\\"", "\"\"\"", ",", "(", ")", "[", "]", "{", "}", "<", ">"),
    *("|", "/", "//", "@", "$_", "$A", "${", "{{", "$(", "%s", "<%", ".", "-", "--", "_"),
    *(";", "&", "?", "+", "*", "!", "#", "1", "A", "a", "x", "é", "İ", "→", "Aa", "AA1"),
    *("_a", "-a ", "for", "is", "aB3dE5gH7jK9mN1p", "0123456789abcdef", "authorization:"),
    *("Bearer ", "cookie:", "a=", "https://", "ab://u:", "p@", "sig=", "login "),
    *("machine ", "12345:", "-----BEGIN ", "PRIVATE KEY-----", "-----END "),
    *("-----BEGIN " + "PRIVATE KEY-----", "-----END " + "PRIVATE KEY-----"),
    *("Private-Lines:", ": |\n  ", "set ", "ENV ", "export ", "[redacted:password]"),
    *("<private ", "<private>", "</private>", "curl -u", "curl ", "mysql -p", "mysql"),
    *("mariadb", "docker login -p", "echo ", "| sudo -S", "htpasswd -b ", "net use "),
    *("IDENTIFIED BY ", "--from-literal=", "AK" + "IA1234567890AB"),
    *("gh" + "p_abcdefghij1234567890", "sk" + "-", "ey" + "J"),
)  # fmt: skip


def seconds(work: Callable[[str], object], text: str) -> float:
    """The processor's time for one run."""
    started = time.process_time()
    work(text)
    return time.process_time() - started


def assert_linear(work: Callable[[str], object], before: str, pump: str, after: str) -> None:
    count = max(1, LENGTH // len(pump))
    short, long = before + pump * count + after, before + pump * 2 * count + after
    for _attempt in range(3):  # another process may have the machine's caches
        grown, base = seconds(work, long), seconds(work, short)
        if grown <= GROWTH * base + NOISE:
            return
    raise AssertionError(f"{base:.3f} s, twice as long: {grown:.3f} s: {before!r} + {pump!r} * {count} + {after!r}")


HANGS = {
    "digits after a name": ("token", "1", "x"),
    "variables": ('password="', "$_", '!"'),
    "capitals": ("password: ", "A", "1a"),
    "capitals and words": ("password: ", "_AaA", "1a!"),
    "blanks in a header": ("authorization:", " ", "x"),
    "a name again and again": ("", "token:", ""),
    "names in front of one word": ("", "secret：value:", "$A]"),
    "an open tag": ("", "<private ", ""),
    "open tags that nest": ("<private>", "<private ", "</private>"),
    "lines of one password": ("", 'password = "..."\n', ""),
    "underscores": ("", "_", ""),
    "words after a flag": ("docker", " login -p", "|"),
    "braces": ("password='", "{{a", "'"),
    "open brackets": ("password='", "[a", "'"),
    "key files without an end": ("", "-----BEGIN " + "PRIVATE KEY-----\n", ""),
    "PuTTY's key files": ("", "Private-Lines:1 ", ""),
    "blocks of YAML": ("", ": |\n  _KEY", "{"),
    "cookies": ("cookie: ", "a", ""),
    "backslashes": ('password="', "\\\\", 'x1"'),
}


@pytest.mark.parametrize("name", HANGS)
@pytest.mark.parametrize("work", [redact_text, find_secrets, redact, without_private], ids=lambda work: work.__name__)
def test_no_text_stops_redaction(name: str, work: Callable[[str], object]) -> None:
    assert_linear(work, *HANGS[name])


@pytest.mark.parametrize("name", HANGS)
def test_no_value_under_a_secrets_name_stops_redaction(name: str) -> None:
    for key in ("password", "token", "API_KEY"):
        assert_linear(lambda text, key=key: redact({key: text, "lines": text.split(" ")}), *HANGS[name])


@pytest.mark.parametrize("seed", range(60))
def test_no_mixture_of_signs_stops_redaction(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(3):
        before, after = ("".join(chance.choices(FRAGMENTS, k=chance.randint(0, 2))) for _ in range(2))
        pump = "".join(chance.choices(FRAGMENTS, k=chance.randint(1, 4)))
        work = chance.choice((redact_text, redact_text, find_secrets, without_private, without_injected))
        assert_linear(work, before, pump, after)


def test_many_different_secrets_in_one_event_are_removed_in_time() -> None:
    def event(lines: int) -> dict[str, object]:
        chance = random.Random(lines)
        passwords = [f"{chance.getrandbits(80):020x}A1" for _ in range(lines)]
        return {
            "text": "\n".join(f'password = "{password}"' for password in passwords),
            "again": " ".join(passwords),
            "keys": {f"password={password}": 1 for password in passwords},
        }

    assert_linear(lambda lines: redact(event(len(lines) // 40)), "", "-", "")


def test_find_secrets_counts_lines_once() -> None:
    assert_linear(find_secrets, "", 'password = "hunter22x"\n', "")
