"""Secrets that are known by their own form: issuers' prefixes, key files, tokens in headers, passwords in addresses.

Forms are those that the issuers document (prefix, alphabet); lengths are lower bounds well under the real ones, because
hosts cut what tools print and a piece of a token is still a secret. Most prefixes are looked for anywhere, not only at
a word's beginning: an escape (`\\n`, a colour code) or a path may stand right before one.
"""

import base64
import binascii
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from .issuers import EDGE, issued
from .literals import has_digit, is_empty, turns


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Where a secret stands in a text, end exclusive, and its kind (`github`, `password`, ...)."""

    start: int
    end: int
    kind: str


def _varied(token: str) -> bool:
    """Not a row of x or stars that stands for a token in an example."""
    return len(set(token[-16:])) >= 5


def _mixed(token: str) -> bool:
    return _varied(token) and any(c.isdigit() for c in token) and any(c.isalpha() for c in token)


def _solid(token: str) -> bool:
    """Some part between hyphens is a long run of letters and digits: `sk-proj-Ab3...`, not `sk-some-css-class-1`."""
    return any(len(part) >= 16 and _mixed(part) for part in re.split(r"[-.]", token))


def _cased(token: str) -> bool:
    return _mixed(token) and any(c.isupper() for c in token) and any(c.islower() for c in token)


def _random(token: str) -> bool:
    return _mixed(token) or turns(token) >= 0.4


def _unbroken(token: str) -> bool:
    return _random(token) or len(token) >= 23


def _pair(token: str) -> bool:
    """Base64 of `user:password`."""
    try:
        return b":" in base64.b64decode(token + "=" * (-len(token) % 4), validate=True)
    except (binascii.Error, ValueError):
        return False


_SHORTEST = 8  # characters of a word in which a token's beginning is looked for


@dataclass(frozen=True, slots=True)
class _Shape:
    kind: str
    needles: tuple[str, ...]  # one of them is in any text that holds such a secret; a plain `in` is far cheaper than re
    pattern: re.Pattern[str]  # group `s`, else the whole match, is the secret
    real: Callable[[str], bool] = _varied


def _shape(kind: str, needles: str, pattern: str, real: Callable[[str], bool] = _varied) -> _Shape:
    return _Shape(kind, tuple(needles.split()), re.compile(pattern), real)


# Services whose tokens are a prefix and letters: Groq, xAI, Perplexity, Replicate, Figma, Notion, Sentry, Postman, ...
_OTHERS = (
    *("gsk_", "xai-", "pplx-", "r8_", "figd_", "ntn_", "secret_", "sntrys_", "sntryu_", "PMAK-", "NRAK-", "pul-"),
    *("sbp_", "sb_secret_", "nfp_", "rubygems_", "dp.pt.", "HRKU-", "fm2_", "tvly-", "phx_", "phc_", "rnd_", "vcp_"),
    *("vck_", "fc-"),
)

SHAPES: tuple[_Shape, ...] = (
    _shape("aws", "AKIA ASIA ABIA ACCA", r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{10,}"),
    _shape("aws", "IQoJb3JpZ2lu FwoGZXIvYXdz FQoGZXIvYXdz", r"(?:IQoJb3JpZ2lu|F[wQ]oGZXIvYXdz)[A-Za-z0-9/+=%]{10,}"),
    _shape("aws", "ABSK", EDGE + r"ABSK[A-Za-z0-9+/=]{40,}", _cased),
    _shape("github", "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_", r"(?:gh[pousr]_|github_pat_)[A-Za-z0-9_]{10,}"),
    _shape("gitlab", "gl", r"gl(?:pat|dt|rt|rtr|cbt|ptt|ft|imt|agent|oas|soat|ffct|wt)-[A-Za-z0-9_.=-]{10,}"),
    _shape("gitlab", "GR1348941", r"GR1348941[A-Za-z0-9_-]{10,}"),
    _shape("slack", "xox xapp- xwfp-", r"(?:xox[a-z](?:\.xox[a-z])?|xapp|xwfp)-[A-Za-z0-9-]{10,}"),
    _shape("slack", "xoxd-", r"xoxd-[A-Za-z0-9%+/\\_-]{60,}+=*+"),
    _shape("slack", "hooks.slack.com", r"hooks\.slack\.com\\?/\w{1,40}+\\?/(?P<s>[A-Za-z0-9/_\\-]{12,})"),
    _shape("stripe", "k_live_ k_test_ k_prod_", r"[rs]k_(?:live|test|prod)_[A-Za-z0-9]{10,}"),
    _shape("stripe", "whsec_", r"whsec_[A-Za-z0-9+/=]{10,}"),
    _shape("google", "AIza", r"AIza[A-Za-z0-9_-]{20,}"),
    _shape("google", "GOCSPX-", r"GOCSPX-[A-Za-z0-9_-]{10,}"),
    _shape("google", "ya29.", r"ya29\.[A-Za-z0-9_-]{10,}"),
    _shape("google", "1//0", r"1//0[A-Za-z0-9_-]{20,}", _mixed),
    _shape("azure", "Q~", r"[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{16,}"),
    _shape(
        "azure",
        "+ASt +AMC AzFu +ABa +AIo AzCa +ACDb AZDO",
        r"(?<![A-Za-z0-9/+])[A-Za-z0-9/+]{20,90}(?:\+(?:ASt|AMC|ABa|AIo|ACDb)|AzFu|AzCa|AZDO)[A-Za-z0-9/+]{3,}=*",
    ),
    _shape("azure", "sig= sig%3D", r"[?&;]sig(?:=|%3D)(?P<s>[A-Za-z0-9%+/=_-]{20,})"),
    _shape("npm", "npm_", r"npm_[A-Za-z0-9]{20,}"),
    _shape("pypi", "pypi-", r"pypi-[A-Za-z0-9_-]{16,}", _cased),
    _shape("anthropic", "sk-ant-", r"sk-ant-[A-Za-z0-9_-]{10,}"),
    _shape("openai", "sk- sess-", EDGE + r"(?:sk|sess)-[A-Za-z0-9_-]{16,}", _solid),
    _shape("huggingface", "hf_ api_org_", r"(?:hf_|api_org_)[A-Za-z0-9]{10,}", _unbroken),
    _shape(
        "jwt",
        "eyJ",
        EDGE.replace("0-9])", "0-9_=-])", 1)
        + r"eyJ[A-Za-z0-9_=-]{8,}+\.[A-Za-z0-9_=-]{8,}+(?:\.[A-Za-z0-9_=-]*+){0,3}",
    ),
    _shape("jwt", "ZXlK", EDGE + r"ZXlK[A-Za-z0-9+/_-]{40,}+=*+"),  # base64 of one
    _shape("private key", "b3BlbnNzaC1rZXkt", r"b3BlbnNzaC1rZXkt[A-Za-z0-9+/=\s]{16,}"),
    _shape("private key", "LS0tLS1CRUdJTi", r"LS0tLS1CRUdJTi(?!BDRVJU)[A-Za-z0-9+/=]{16,}"),
    _shape("private key", "AGE-SECRET-KEY-", r"AGE-SECRET-KEY-1[A-Z0-9]{20,}"),
    _shape("sendgrid", "SG.", EDGE + r"SG\.(?=[A-Za-z0-9_=.-]{10})[A-Za-z0-9_=-]{4,}+(?:\.[A-Za-z0-9_=-]+)*+"),
    _shape("twilio", "SK", EDGE + r"SK[0-9a-f]{32}(?![0-9a-f])"),
    _shape("mailgun", "key-", EDGE + r"key-[0-9a-f]{32}(?![0-9a-f])"),
    _shape("mailchimp", "-us", r"(?<![0-9a-f])[0-9a-f]{32}-us[0-9]{1,2}"),
    _shape("telegram", ":AA", r"(?<![0-9])[0-9]{8,10}:AA[A-Za-z0-9_-]{25,}"),
    _shape("discord", "/api/webhooks/", r"/api/webhooks/(?P<s>[0-9]{10,}/[A-Za-z0-9_-]{20,})"),
    _shape(
        "discord",
        ".",
        r"[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}(?![A-Za-z0-9_-])",
        _cased,
    ),
    _shape("facebook", "| %", r"[0-9]{15,16}(?:\||%7C|%)[A-Za-z0-9_-]{20,}+", _mixed),
    _shape("microsoft", "webhook.office.com/", r"webhook\.office\.com/webhookb2/(?P<s>[^\s\"'<>\\]{40,}+)"),
    _shape("shopify", "shpat_ shpss_ shpca_ shppa_", r"shp(?:at|ss|ca|pa)_[A-Za-z0-9]{10,}"),
    _shape("square", "sq0", r"sq0[a-z]{3}-[A-Za-z0-9_-]{16,}"),
    _shape("atlassian", "ATATT3x ATCTT3x ATBB", r"(?:AT[AC]TT3x|ATBB)[A-Za-z0-9_=-]{16,}"),
    _shape("vault", "hvs. hvb. hvr.", EDGE + r"hv[sbr]\.[A-Za-z0-9_-]{10,}"),
    _shape("terraform", ".atlasv1.", r"(?<![A-Za-z0-9])[A-Za-z0-9]{10,40}\.atlasv1\.[A-Za-z0-9_=-]{16,}"),
    _shape("1password", "ops_ey", r"ops_eyJ[A-Za-z0-9_=+/-]{10,}"),
    _shape("docker", "dckr_", r"dckr_(?:pat|oat)_[A-Za-z0-9_-]{10,}"),
    _shape("databricks", "dapi", EDGE + r"dapi[0-9a-f]{28,}"),
    _shape("digitalocean", "_v1_", r"do[opr]_v1_[0-9a-f]{16,}"),
    _shape("linear", "lin_", r"lin_(?:api|oauth)_[A-Za-z0-9]{16,}"),
    _shape("grafana", "glsa_ glc_", r"(?:glsa|glc)_[A-Za-z0-9_+/=]{16,}"),
    _shape(
        "token", " ".join(_OTHERS), EDGE + rf"(?:{'|'.join(map(re.escape, _OTHERS))})[A-Za-z0-9_+/=-]{{20,}}", _solid
    ),
)

_NEEDLES = tuple((needle, shape) for shape in SHAPES for needle in shape.needles)

_HEADER = re.compile(
    r"""(?ix) authorization \\{0,8}+["']? \s{0,40}+ [:=,>(]{1,8}+ \s{0,40}+ (?:\\{0,8}+["'])? \s{0,40}+
    (?: (?P<scheme>bearer|basic|token|apikey|api-key|bot|digest|negotiate|splunk) \s{1,40}+ )? (?:\\{0,8}+["'])?
    (?P<s> [^\s"'\\,;<>]{8,}+ )"""
)
_SCHEME = re.compile(
    r"""(?i)(?<![A-Za-z])(?P<scheme>bearer|basic|FlyV1)(?:\s{1,40}+|%20|\\?["'],\s{0,40}+\\?["'])(?P<s>[A-Za-z0-9._~+/=,-]{12,}+)"""
)
_COOKIE = re.compile(r"(?i)(?:^|[\s\"'`])(?:set-)?cookie\\{0,8}+[\"']?\s{0,40}+[:=]\s{0,40}+(?P<all>[^\n]{8,4096})")
_CRUMB = re.compile(r"(?<![A-Za-z0-9_.-])[A-Za-z0-9_.-]++=(?P<s>[^;\s\"'`]{16,}+)")
_ADDRESS = re.compile(
    r"""(?<=[A-Za-z0-9+.-]{2}):(?:\\{0,8}+/){2}[^\s/@:'"`<>\\]{0,128}+:"""
    r"""(?P<s>[^\s'"`<>\\]{1,512})@(?=[\w.\[$%-][^\s@/?#'"`<>\\]{0,255}(?:[\s/?#'"`<>\\),;\]}]|\Z))"""
)
_USERINFO = re.compile(r"https?:(?:\\{0,8}+/){2}(?P<s>[A-Za-z0-9_.~-]{16,}+)@")
_PORT = re.compile(r"[0-9]{1,5}(?:/.*)?\Z", re.S)
SUBSTITUTE = re.compile(
    r"\A(?:\$\{?\w+\}?|\{\{?[^{}]*\}?\}|<[^>]*>|%(?:\(\w+\))?[sdrv]|%[A-Za-z_]\w*%|\*{3,}|x{3,}\Z|\[redacted.*|\$\(.*)",
    re.I | re.S,
)


def token_spans(text: str) -> list[Span]:
    """Every secret in `text` that its own form gives away, in order."""
    long = [word for word in text.split() if len(word) >= _SHORTEST]
    if not long:
        return []
    words = "\n".join(long)
    spans: list[Span] = []
    hits = [(needle, shape) for needle, shape in _NEEDLES if needle in words]
    for shape in dict.fromkeys(shape for _, shape in hits):
        for found in shape.pattern.finditer(text):
            start, end = found.span("s" if "s" in shape.pattern.groupindex else 0)
            if shape.real(text[start:end]):
                spans.append(Span(start, end, shape.kind))
                if shape.kind == "aws":
                    spans += _aws_pair(text, start, end)
    spans.sort()
    starts = [span.start for span in spans]
    more: list[Span] = []
    for start, end, kind in issued(text, "\n".join(word for word in long if has_digit(word))):
        before = bisect_right(starts, start) - 1
        if before >= 0 and spans[before].end > start:  # where a shape of this module matched, it names the kind
            kind = spans[before].kind
        more.append(Span(start, end, kind))
    spans += more
    return [*spans, *_broken_spans(text, hits, spans)]


_NEXT_LINE = re.compile(  # where a token goes on that a terminal, a mail or a program's text broke in two
    r"(?:[\"'][ \t]{0,9}[+.\\]?[ \t]{0,9})?(?:\\?\r?\n|\\n)[ \t>|+.#]{0,40}+[\"']?(?P<s>[A-Za-z0-9_+/=.~-]{6,400}+)"
    r"(?![\w(:])"
)
_HEAD = re.compile(r"[A-Za-z0-9_+/=.~-]{4,60}")


def _broken_spans(text: str, hits: list[tuple[str, _Shape]], spans: list[Span]) -> Iterator[Span]:
    """What follows on the next lines of a token that is broken over lines, and tokens broken near their beginning."""
    if "\n" not in text and "\\n" not in text:
        return
    starts = {span.start for span in spans}
    for span in spans:
        end = _last_line(text, span.end, starts)
        if end > span.end:
            yield Span(span.start, end, span.kind)
    for needle, shape in hits:
        at = text.find(needle) if len(needle) >= 3 else -1
        while at >= 0:
            head = _HEAD.match(text, at)
            line = _NEXT_LINE.match(text, head.end()) if head else None
            if head and line and _goes_on(line["s"]) and shape.pattern.match(f"{head[0]}{line['s']}"):
                yield Span(at, _last_line(text, head.end(), starts), shape.kind)
            at = text.find(needle, at + len(needle))


def _goes_on(part: str) -> bool:
    """Whether the first word of a line is random, so none of a sentence."""
    return any(len(piece) >= 5 and _mixed(piece) and turns(piece) >= 0.2 for piece in re.split(r"[-_./+=~]", part))


def _last_line(text: str, end: int, starts: set[int]) -> int:
    """Where the lines end that go on with a token; at `starts` another one begins."""
    line = _NEXT_LINE.match(text, end)
    while line and _goes_on(line["s"]) and line.start("s") not in starts:
        end = line.end()
        line = _NEXT_LINE.match(text, end)
    return end


_AWS_SECRET = re.compile(r"(?<![A-Za-z0-9/+=])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])")


def _aws_pair(text: str, start: int, end: int) -> Iterator[Span]:
    """The secret half of an AWS key has no form of its own: 40 characters near the other half."""
    for found in _AWS_SECRET.finditer(text, max(0, start - 300), end + 300):
        if _cased(found[0]):
            yield Span(*found.span(), "aws")


def header_spans(text: str, lower: str) -> Iterator[Span]:
    """Credentials in `Authorization` and `Cookie` headers, after `Bearer`, `Basic`; `lower`: `text` in lower case."""
    if "authorization" in lower:
        for found in _HEADER.finditer(text):
            value, scheme = found["s"], (found["scheme"] or "").lower()
            stands = not SUBSTITUTE.match(value) and not is_empty(value)
            if stands and (scheme or _mixed(value)) and not value.endswith("("):
                yield Span(*found.span("s"), "authorization")
    if "bearer" in lower or "basic" in lower or "flyv1" in lower:
        for found in _SCHEME.finditer(text):
            value = found["s"].rstrip(".,")
            if _pair(value) if found["scheme"].lower() == "basic" else _mixed(value):
                yield Span(*found.span("s"), "authorization")
    if "cookie" in lower:
        for header in _COOKIE.finditer(text):
            for found in _CRUMB.finditer(text, *header.span("all")):
                if _mixed(found["s"]):
                    yield Span(*found.span("s"), "cookie")


def address_spans(text: str) -> Iterator[Span]:
    """Passwords and tokens in addresses (`scheme://user:password@host`)."""
    if "@" not in text or ("//" not in text and "\\/" not in text):
        return
    for found in _ADDRESS.finditer(text):
        if not _PORT.match(found["s"]) and not SUBSTITUTE.fullmatch(found["s"]) and not is_empty(found["s"]):
            yield Span(*found.span("s"), "password in a URL")
    for found in _USERINFO.finditer(text):
        if _mixed(found["s"]):
            yield Span(*found.span("s"), "token in a URL")
