"""Passwords that programs take on their command line, and the lines of `.netrc` and `.pgpass`.

An option that has a secret's own name (`--password`, `--token`) is found by `assignments` whatever the program is; this
table holds programs whose option or place does not say so. Sources: the manuals of these programs.
"""

import re
from collections.abc import Iterator

from .literals import is_empty
from .shapes import SUBSTITUTE, Span

_WORDS = r"[^\n|;]{0,300}?\s"  # other arguments
_GAP = r"\s{1,40}+"
_WORD = r"[^\s\"']{1,200}+"
_ARGUMENT = r"[\"']?(?P<s>[^\s\"']+)"
_PIPED = r"(?P<s>[^\s\"'|]{1,400}+)[\"']?\s{0,40}+\|\s{0,40}+"
_GRANTED = r"(?i:user|role|login|grant)\b[^\n;]{0,200}?\s"  # in a statement of SQL
_QUOTED = r"[EN]?(?P<quote>['\"])(?P<s>[^'\"\n]{1,200}+)(?P=quote)"
# Between an option and its value:
_TIGHT = ""
_APART = r"(?:\s{1,40}+|=)"
_EITHER = r"(?:\s{0,40}+|=)"


def _option(program: str, options: str, between: str = _EITHER) -> str:
    """A program whose option takes the password: `-pX`, `-p X`, `-p=X`, as `between` allows."""
    return rf"(?<![\w.-]){program}\b{_WORDS}(?:{options}){between}{_ARGUMENT}"


def _pair(program: str, options: str, sign: str) -> str:
    """A program whose option takes `user`, a sign and the password."""
    return rf"(?<![\w.-]){program}\b{_WORDS}(?:{options}){_EITHER}[\"']?[^\s{sign}\"']{{1,200}}+{sign}(?P<s>[^\s\"']+)"


# (a text that any such command holds, the pattern of the whole)
_OPTIONS: tuple[tuple[str, str], ...] = (
    # name and password in one argument
    (
        "curl",
        r"curl\b[^|;]{0,600}?\s(?:-u|--user|--proxy-user|-U)"
        rf"{_EITHER}[\"']?[^\s:\"']{{1,200}}+:(?P<s>[^\s\"']+)",
    ),
    ("http ", _pair("http", "-a|--auth", ":")),
    ("https ", _pair("https", "-a|--auth", ":")),
    ("smbclient", _pair("smbclient", "-U|--user", "%")),
    ("rpcclient", _pair("rpcclient", "-U|--user", "%")),
    ("lftp", _pair("lftp", "-u|--user", ",")),
    # an option of one letter
    ("mysql", _option(r"mysql\w{0,40}+", "-p", _TIGHT)),
    ("mariadb", _option(r"mariadb[\w-]{0,40}+", "-p", _TIGHT)),
    ("sqlcmd", _option("sqlcmd", "-P")),
    ("mssql-cli", _option("mssql-cli", "-P")),
    ("sql ", _option("[iot]sql", "-P")),
    ("bcp", _option("bcp", "-P")),
    ("mongo", _option(r"mongo(?:sh|dump|restore|export|import|stat|top|files)?", "-p", _APART)),
    ("cqlsh", _option("cqlsh", "-p", _APART)),
    ("influx", _option("influx", "-p", _APART)),
    ("vsql", _option("vsql", "-w", _APART)),
    ("beeline", _option("beeline", "-p", _APART)),
    ("redis-cli", _option("redis-cli", "-a", _APART)),
    ("mosquitto_", _option("mosquitto_(?:pub|sub|rr)", "-P")),
    ("rabbitmqadmin", _option("rabbitmqadmin", "-p", _APART)),
    ("ipmitool", _option("ipmitool", "-P")),
    ("snmp", _option(r"snmp\w{1,20}+", "-A|-X")),
    ("ldap", _option("ldap(?:search|modify|add|delete|passwd|whoami|compare|modrdn)", "-w|-s")),
    ("sshpass", rf"sshpass{_GAP}-p{_EITHER}{_ARGUMENT}"),
    ("ssh-keygen", _option("ssh-keygen", "-N|-P")),
    ("plink", _option("plink", "-pw", _APART)),
    ("rdesktop", _option("rdesktop", "-p", _APART)),
    ("ncftp", _option("ncftp(?:get|put|ls)?", "-p", _APART)),
    ("wget", rf"wget\b[^|;]{{0,600}}?--(?:http-|ftp-|proxy-)?password[ =]{_ARGUMENT}"),
    ("twine", _option("twine", "-p", _APART)),
    (
        "login",
        rf"(?<![\w.-])(?:docker|podman|registry|az|oc|cf|skopeo|buildah|nerdctl|helm(?:{_GAP}registry)?)"
        rf"{_GAP}login\b{_WORDS}-p{_EITHER}{_ARGUMENT}",
    ),
    ("nuget", _option("nuget", "-k", _APART)),
    ("gh secret", rf"gh secret set\b{_WORDS}(?:-b|--body)[ =]{_ARGUMENT}"),
    ("7z", _option("7z[ar]?", "-p", _TIGHT)),
    ("rar ", _option("(?:un)?rar", "-h?p", _TIGHT)),
    ("zip ", _option("(?:un)?zip", "-P")),
    ("useradd", _option("useradd", "-p", _APART)),
    ("usermod", _option("usermod", "-p", _APART)),
    ("psexec", _option("psexec", "-p", _APART)),
    ("PsExec", _option("PsExec", "-p", _APART)),
    ("hydra", _option("hydra", "-p", _APART)),
    ("winrm", _option("evil-winrm", "-p", _APART)),
    ("openssl", _option("openssl", "-k", _APART)),
    ("pass:", rf"-pass(?:in|out|word)?{_GAP}pass:(?P<s>\S+)"),
    ("keytool", _option("keytool", "-(?:store|key|new|deststore|srcstore|destkey|srckey)(?:pass)?", _APART)),
    ("jarsigner", _option("jarsigner", "-(?:store|key)pass", _APART)),
    ("storepass", rf"-(?:dest|src)?(?:store|key)pass{_GAP}{_ARGUMENT}"),
    # Windows' way
    ("freerdp", _option("[xw]l?freerdp3?", "/p:", _TIGHT)),
    ("/pass:", rf"(?<!\S)/pass:{_ARGUMENT}"),
    ("schtasks", _option("schtasks", "/[rR]?[pP]", _APART)),
    ("net use", rf"net use\b(?:{_GAP}(?![/\\]){_WORD})?{_GAP}\\\\{_WORD}{_GAP}(?!/){_ARGUMENT}"),
    ("net use", rf"net use\b{_WORDS}/user:{_WORD}{_GAP}(?!/){_ARGUMENT}"),
    ("net user", rf"net user{_GAP}{_WORD}{_GAP}(?!/){_ARGUMENT}"),
)
# By their place among the words, in statements and in settings.
_PLACES: tuple[tuple[str, str], ...] = (
    (
        "htpasswd",
        rf"htpasswd\b{_WORDS}-\w{{0,8}}b\w{{0,8}}{_GAP}"
        rf"(?:-\S{{1,20}}+{_GAP}){{0,4}}{_WORD}{_GAP}{_WORD}{_GAP}{_ARGUMENT}",
    ),
    (
        "htpasswd",
        rf"htpasswd\b{_WORDS}-(?=\w{{0,8}}n)\w{{0,8}}b\w{{0,8}}{_GAP}{_WORD}{_GAP}{_ARGUMENT}",
    ),
    (
        "rabbitmqctl",
        rf"rabbitmqctl\b{_WORDS}(?:add_user|change_password|authenticate_user)"
        rf"{_GAP}{_WORD}{_GAP}{_ARGUMENT}",
    ),
    ("mysqladmin", rf"mysqladmin\b{_WORDS}password{_GAP}{_ARGUMENT}"),
    ("nmcli", rf"nmcli\b{_WORDS}password{_GAP}{_ARGUMENT}"),
    ("wpa_passphrase", rf"wpa_passphrase{_GAP}(?:\"[^\"\n]{{1,64}}+\"|{_WORD}){_GAP}{_ARGUMENT}"),
    ("vault login", rf"vault login{_GAP}(?!-){_ARGUMENT}"),
    ("cargo login", rf"cargo login{_GAP}(?!-){_ARGUMENT}"),
    ("authtoken", rf"ngrok\b{_WORDS}(?:add-)?authtoken{_GAP}{_ARGUMENT}"),
    ("http-basic", rf"composer\b{_WORDS}http-basic\.{_WORD}{_GAP}{_WORD}{_GAP}{_ARGUMENT}"),
    ("doctl", _option("doctl", "-t", _APART)),
    ("--from-literal", rf"--from-literal[ =][\"']?[\w.-]{{1,80}}+={_ARGUMENT}"),
    ("-Dsonar.", rf"-Dsonar\.(?:login|token|password)={_ARGUMENT}"),
    # piped into a program that asks
    (
        "chpasswd",
        rf"echo{_GAP}(?:-\w{_GAP})?[\"']?[\w.-]{{1,80}}+:{_PIPED}(?:sudo{_GAP})?chpasswd",
    ),
    (
        "|",
        rf"(?:echo|printf){_GAP}(?:-\w{_GAP}|[\"']?%s(?:\\n)?[\"']?{_GAP})?[\"']?{_PIPED}"
        rf"(?:sudo{_GAP}-\w{{0,20}}S|(?:sudo{_GAP})?(?:kinit|passwd{_GAP}--stdin|cryptsetup)\b"
        r"|[^\n|;]{0,200}?--(?:password-stdin|with-token|pass-stdin))",
    ),
    ("<<<", rf"--(?:password-stdin|with-token)\b[^\n|;<]{{0,200}}?<<<\s{{0,40}}+{_ARGUMENT}"),
    # addresses of Oracle: name/password@host
    ("jdbc:oracle", r"jdbc:oracle:\w{1,10}+:[\w.$#\"-]{1,80}+/\"?(?P<s>[^\s\"'@/]{1,200}+)\"?@"),
    (
        "@",
        rf"(?:sqlplus|sqlldr|expdp|impdp|rman|sqlcl|exp|imp){_GAP}(?:-\w{{1,8}}+{_GAP}){{0,4}}"
        rf"(?:userid=|target{_GAP})?[\"']?[\w.$#-]{{1,80}}+/\"?(?P<s>[^\s\"'@/]{{1,200}}+)\"?@",
    ),
    # statements and settings
    (
        "IDENTIFIED",
        rf"{_GRANTED}IDENTIFIED{_GAP}(?:WITH{_GAP}\w{{1,40}}+{_GAP})?(?:BY|AS){_GAP}(?:VALUES{_GAP})?{_QUOTED}",
    ),
    ("identified", rf"{_GRANTED}identified{_GAP}(?:with{_GAP}\w{{1,40}}+{_GAP})?(?:by|as){_GAP}{_QUOTED}"),
    ("PASSWORD", rf"{_GRANTED}PASSWORD{_GAP}{_QUOTED}"),
    ("password", rf"{_GRANTED}password{_GAP}{_QUOTED}"),
    ("requirepass", rf"requirepass{_GAP}{_ARGUMENT}"),
    ("masterauth", rf"masterauth{_GAP}{_ARGUMENT}"),
    # .netrc and .pgpass
    (
        "password",
        rf"(?:machine|login|default){_GAP}\S{{1,255}}+{_GAP}(?:login{_GAP}\S{{1,255}}+{_GAP})?"
        rf"password{_GAP}(?P<s>\S+)",
    ),
    (
        ":",
        r"(?m)^[^:\s/]{1,255}+:(?:[0-9]{4,5}|\*):[^:\s]{1,255}+:[^:\s]{1,255}+:"
        r"(?P<s>(?=[^\s:0-9]*+[0-9])[^\s:]{8,}+)$",
    ),
)
_OPTION_PATTERNS = tuple((needle, re.compile(pattern)) for needle, pattern in _OPTIONS)
_PLACE_PATTERNS = tuple((needle, re.compile(pattern)) for needle, pattern in _PLACES)


def argument_spans(text: str) -> Iterator[Span]:
    """Every password in `text` that a program takes at that place."""
    options = _OPTION_PATTERNS if " -" in text or " /" in text else ()
    for needle, pattern in (*options, *_PLACE_PATTERNS):
        if needle in text:
            for found in pattern.finditer(text):
                value = found["s"]
                if len(value) >= 4 and not SUBSTITUTE.match(value) and not is_empty(value) and not value.isdigit():
                    yield Span(*found.span("s"), "password")
