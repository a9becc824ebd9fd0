"""Write `memwiki/journal/issuers.json`: the forms of issuers' tokens, from the rules that betterleaks publishes.

    python tools/issuer_forms.py betterleaks.toml VERSION > memwiki/journal/issuers.json

A rule is taken where its secret has a literal of its own (`glpat-`); a rule that needs the issuer's name before the
secret is taken without that name where the secret has such a literal too. Run it again for a new release.
"""

import json
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from re._constants import ASSERT, ASSERT_NOT, AT, BRANCH, LITERAL, SUBPATTERN
from re._parser import parse
from typing import Any

CONTEXT = r"""(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}"""  # between an issuer's name and the secret
TAIL = r"""(?:\\?['"\x60]|[\s;]|\\[nr]|$)"""
SEPARATED = re.compile(r"[A-Za-z0-9$]{2,}[_.:~!|+/-]|[A-Za-z0-9]-[A-Za-z0-9]")
# No secrets, names of hosts, whole files, or found by other means (key files, JWTs, addresses, headers).
LEFT_OUT = re.compile(
    r".*(?:-url|-host|client-id|-webhook|connection-string|sensitive)(?:\.\d)?|curl-.*|gcp-(?:app|service).*|jwt-.*"
    r"|private-key|kubernetes-.*|nuget-config-.*|temporal-.*|scalr-.*|sumologic-.*|plivo-.*|freemius-.*|azure-.*"
    r"|polymarket-.*|okta-.*|airtable-oauth-.*|deepseek-.*|kimi-.*|stability-.*|clickhouse-cloud-key-id"
    r"|(?:aiven|amplitude|bitly|cloudinary|couchbase|influxdb|mongodb-connection).*"
)
TWO_WORDS = re.compile(r"(new-relic|val-town|cisco-meraki|open-router|stability-ai|cfxre|weights-and-biases)-")
SAME = {"gcp": "google", "dockerhub": "docker", "hashicorp": "terraform"}  # kinds that `shapes` has


def secret_of(rule: str) -> tuple[str, bool]:
    """The secret's own pattern in a rule's, and whether case is ignored in all of it."""
    ignored = rule.startswith(("(?i)", "(?i:"))
    if CONTEXT in rule:
        rule = rule.split(CONTEXT, 1)[1]
    rule = rule.split(rf"{TAIL}|\b")[-1].replace("(?:squ_|sqp_|sqa_)?", "(?:squ_|sqp_|sqa_)")
    rule = rule.replace(TAIL, "").removeprefix("(?i)").removeprefix(r"\b")
    if rule.startswith("(?i:") and rule.endswith(")"):
        rule = rule[4:-1].removeprefix(r"\b")
    for edge in (
        r"(?:^|[^A-Za-z0-9_-])",
        r"(?:[^A-Za-z0-9_-]|$)",
        r"(?:$|[^A-Za-z0-9_-])",
        r"(?:[^a-zA-Z0-9+/]|\z)",
        r"(?:[^\w-]|\z)",
    ):
        rule = rule.replace(edge, "")
    rule = rule.replace(r"""(?:[\x60'"\s;]|\\[nr]|$|\b)""", "").removesuffix(r"\b").replace("(?-i:atlasv1)", "atlasv1")
    rule = rule.replace("[[:alnum:]]", "[A-Za-z0-9]").replace(r"(?:[^\w\/+=-]|\z)", "").replace("(?-i:A)", "A")
    if (at := rule.find("(?i)")) >= 0:  # Go ignores case from here to the group's end
        depth, end = 0, at
        while end < len(rule) and depth >= 0:
            depth += {"(": 1, ")": -1}.get(rule[end], 0)
            end += 1
        end -= depth < 0
        rule = f"{rule[:at]}(?i:{rule[at + 4 : end].replace('(?i)', '')}){rule[end:]}"
    return rule, ignored


def opened(pattern: str) -> str:
    """The pattern, its groups unnamed, its last run of characters as long as it goes on."""
    pattern = re.sub(r"(?<!\\)\((?!\?)", "(?:", pattern)
    last = re.search(r"\{(\d+)(?:,\d*)?\}((?:=\{0,\d\})?\)*)\Z", pattern)
    if last and int(last[1]) >= 16:
        separated = SEPARATED.search(re.sub(r"\[[^\]]*\]|\(\?i?:|\{[^}]*\}", "", pattern[: last.start()]))
        single = len(re.findall(r"\{\d+", pattern)) == 1
        if separated:
            shortest = min(int(last[1]), 20) if single else int(last[1])
            return f"{pattern[: last.start()]}{{{shortest},}}+{last[2]}"
    return pattern + "(?![A-Za-z0-9])"


def spelled(pattern: str) -> str:
    """The pattern with both cases in its classes instead of a flag, so that its literals are found fast."""
    for low, high in (("a-z", "A-Z"), ("a-f", "A-F"), ("a-h", "A-H")):
        pattern = re.sub(rf"(?:{low}|{high})(?![^\[]*(?:{low}|{high})[^\[]*\])", low + high, pattern)
        pattern = pattern.replace(low + high + high, low + high).replace(low + low + high, low + high)
    return pattern.replace("(?i:", "(?:")


def beginnings(tree: Any) -> tuple[set[str], bool]:
    """The literals that a parsed pattern can begin with, and whether each is the whole of what it matches."""
    heads, whole = {""}, True
    for name, value in tree:
        more: set[str] = set()
        if name is LITERAL:
            more = {chr(value)}
        elif name is SUBPATTERN:
            more, whole = beginnings(value[3])
        elif name is BRANCH:
            parts = [beginnings(branch) for branch in value[1]]
            more, whole = {head for part in parts for head in part[0]}, all(part[1] for part in parts)
        elif name not in (AT, ASSERT, ASSERT_NOT):
            whole = False
        if more:
            heads = {head + tail for head in heads for tail in more}
        if not whole:
            break
    return heads, whole


def literals(pattern: str) -> set[str]:
    """Literals of which one stands in each secret of that form: its beginnings, else the longest inside."""
    heads = beginnings(parse(pattern))[0]
    if all(len(head) >= 2 for head in heads):
        return heads
    inside = re.findall(r"(?:\\[.$]|[A-Za-z0-9_:~!=-]){2,}", re.sub(r"\[[^\]]*\]|\{[^}]*\}|\(\?\W*i?:", " ", pattern))
    return {max((re.sub(r"\\(.)", r"\1", each) for each in inside), key=len, default="")}


def forms(rules: list[dict[str, object]]) -> Iterator[dict[str, object]]:
    """One row a form: its kind, the literals to look for, and its pattern."""
    for rule in rules:
        name, source = str(rule["id"]), str(rule.get("regex", ""))
        if not source or rule.get("skipReport") or LEFT_OUT.fullmatch(name):
            continue
        pattern, ignored = secret_of(source)
        if "(?P" in pattern or not re.search(
            r"[A-Za-z0-9]{2}", re.sub(r"\[[^\]]*\]|\{[^}]*\}|\(\?i?:|\\.", " ", pattern)
        ):
            continue
        pattern = opened(pattern)
        pattern = spelled(pattern) if ignored or "(?i:" in pattern else pattern
        needles = sorted(literals(pattern))
        if not all(len(found) >= 2 for found in needles):
            print("left out:", name, pattern, needles, file=sys.stderr)
            continue
        re.compile(pattern)
        two = TWO_WORDS.match(name)
        kind = two[1].replace("-", " ") if two else name.split("-")[0].split(".")[0]
        kind = SAME.get(kind, kind)
        yield {"kind": kind, "needles": needles, "pattern": pattern}


def main(path: str, version: str) -> None:
    """Print the data file."""
    rules = tomllib.loads(Path(path).read_text("utf-8"))["rules"]
    rows = sorted(forms(rules), key=lambda row: (row["kind"], row["pattern"]))
    head = {
        "source": f"betterleaks {version}, config/betterleaks.toml",
        "licence": "MIT License, Copyright (c) 2026 Zachary Rice; its text is in issuers.LICENSE.txt",
    }
    lines = ",\n".join(f"    {json.dumps(row)}" for row in rows)
    print(f'{{\n{json.dumps(head, indent=2)[2:-2]},\n  "forms": [\n{lines}\n  ]\n}}')


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
