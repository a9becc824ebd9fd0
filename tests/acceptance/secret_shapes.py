"""Secrets as they turn up in real work, made at run time: (what it is, the text it stands in, its secret pieces)."""

import base64
import json
import random
import string
from collections.abc import Iterator

LETTERS = string.ascii_letters + string.digits
HEX = "0123456789abcdef"
PIECE = 12  # characters of a secret of which none may be found


class Mint:
    """Makes random secrets; the same seed makes the same ones."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)

    def token(self, length: int, alphabet: str = LETTERS) -> str:
        """Random characters, digits among the first dozen and the last."""
        while True:
            made = "".join(self._chance.choice(alphabet) for _ in range(length))
            if any(c.isdigit() for c in made[:10]) and any(c.isalpha() for c in made[:10]):
                return made

    def coded(self, size: int) -> str:
        """`size` random bytes in base64."""
        return base64.b64encode(self._chance.randbytes(size)).decode()

    def password(self) -> str:
        """A good password with signs that need no escape anywhere."""
        return self.token(9) + self._chance.choice("!+%^") + self.token(8)

    def lines(self, count: int) -> list[str]:
        """The coded lines of a key file."""
        return [self.token(64, LETTERS + "+/") for _ in range(count)]


def shapes(seed: int = 0) -> Iterator[tuple[str, str, list[str]]]:
    """Every shape once. No name, prefix or banner stands whole in this file."""
    mint = Mint(seed)

    def one(what: str, form: str, secret: str) -> tuple[str, str, list[str]]:
        return what, form.replace("{}", secret), [secret]

    for kind in ("OPENSSH ", "RSA ", "EC ", "", "ENCRYPTED "):
        lines = mint.lines(6)
        banner = f"{kind}PRIVATE " + "KEY-----"
        yield f"a {kind}key file", "\n".join([f"-----BEGIN {banner}", *lines, f"-----END {banner}"]), lines
    lines = mint.lines(8)
    block = "PRIVATE " + "KEY BLOCK-----"
    yield "an armoured key", "\n".join([f"-----BEGIN PGP {block}", "", *lines, "=Ab1d", f"-----END PGP {block}"]), lines
    lines = mint.lines(5)
    yield "a PuTTY key", "Private" + "-Lines: 5\n" + "\n".join(lines) + "\nPrivate-MAC: 00ff", lines
    yield one(
        "an age identity",
        "# created: today\n{}",
        "AGE-SECRET-" + "KEY-1" + mint.token(58, "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L"),
    )
    yield one("a WireGuard key", "[Interface]\nPrivateKey = {}\nAddress = 10.0.0.2/32", mint.coded(32))
    lines = mint.lines(6)
    whole = "\n".join(["-----BEGIN PRIVATE " + "KEY-----", *lines, "-----END PRIVATE " + "KEY-----", ""])
    account = {"type": "service_account", "project_id": "shop", "private_key": whole, "client_email": "ci@shop.example"}
    yield "a service account", json.dumps(account, indent=1), lines

    name, secret = "AK" + "IA" + mint.token(16, string.ascii_uppercase + string.digits), mint.token(40, LETTERS + "/+")
    yield "an AWS pair", f"aws_access_key_id={name}\naws_secret_access_key={secret}", [name, secret]
    secret = mint.token(40, LETTERS + "/+")
    yield one("an AWS setting", "aws configure set aws_secret_access_key {} --profile shop", secret)
    yield one("an AWS session", "AWS_SESSION_TOKEN={}", "IQoJb3JpZ2lu" + mint.token(200))

    for what, prefix, length in (
        *((f"a GitHub token {k}", f"gh{k}" + "_", 36) for k in "pousr"),
        ("a fine-grained GitHub token", "github" + "_pat_", 82),
        ("a GitLab token", "glp" + "at-", 20),
        ("a GitLab runner", "glr" + "t-", 20),
        ("a Slack bot", "xox" + "b-2931234567-2931234568-", 24),
        ("a Slack user", "xox" + "p-2931234567-", 32),
        ("a Slack app", "xap" + "p-1-A01B2C3D4-", 64),
        ("a Stripe key", "sk" + "_live_", 24),
        ("a restricted Stripe key", "rk" + "_live_", 24),
        ("a Stripe webhook", "whs" + "ec_", 32),
        ("a Google key", "AI" + "zaSy", 33),
        ("a Google client", "GOC" + "SPX-", 28),
        ("a Google access", "ya" + "29.a0Af", 120),
        ("an npm token", "np" + "m_", 36),
        ("a PyPI token", "py" + "pi-AgEIcHlwaS5vcmcC", 120),
        ("an OpenAI project key", "s" + "k-proj-", 120),
        ("an OpenAI key", "s" + "k-", 48),
        ("an Anthropic key", "s" + "k-ant-api03-", 95),
        ("a Hugging Face token", "h" + "f_", 34),
        ("a SendGrid key", "S" + "G.", 22),
        ("a DigitalOcean token", "dop" + "_v1_", 64),
        ("a Docker token", "dck" + "r_pat_", 27),
        ("a Linear key", "lin" + "_api_", 40),
        ("a Vault token", "hv" + "s.CAES", 90),
        ("a Grafana token", "gls" + "a_", 32),
        ("a Shopify token", "shp" + "at_", 32),
        ("a 1Password account", "ops" + "_ey" + "J", 250),
    ):
        alphabet = HEX if "DigitalOcean" in what or "Shopify" in what else LETTERS
        yield one(what, "it said {} and went on", prefix + mint.token(length, alphabet))
    yield one(
        "a Slack hook",
        "curl -d @- https://hooks.slack.com/services/{}",
        f"T0{mint.token(8)}/B0{mint.token(8)}/" + mint.token(24),
    )
    yield one("a Discord hook", "https://discord.com/api/webhooks/{}", f"1234567890123/{mint.token(60)}")
    yield one("a Telegram bot", "https://api.telegram.org/bot{}/getMe", "1234567890:" + "AA" + mint.token(33))
    jwt = ".".join(("ey" + "J" + mint.token(33), "ey" + "J" + mint.token(120), mint.token(43)))
    yield one("a JWT", "token from the log: {}", jwt)

    key = mint.coded(64)
    yield one("an Azure account", "DefaultEndpointsProtocol=https;AccountName=shop;AccountKey={};EndpointSuffix=x", key)
    yield one("an Azure client", "az ad sp credential reset -> {}", mint.token(3) + "8" + "Q~" + mint.token(34))
    yield one("an Azure signature", "https://shop.blob.core.windows.net/c?sv=2022&sp=r&sig={}%3D", mint.token(43))
    yield one(
        "a bus", "Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey={}", mint.coded(32)
    )

    yield one("a bearer", "curl -H 'Authorization: Bearer {}' https://api.example.com", mint.token(32))
    basic = base64.b64encode(f"deploy:{mint.token(18)}".encode()).decode()
    yield one("a basic header", "Authorization: Basic {}", basic)
    yield one("git's header", 'git -c http.extraheader="AUTHORIZATION: basic {}" fetch', basic[::1])
    yield one("a private header", "curl --header 'PRIVATE-TOKEN: {}' https://git.example.com/api", mint.token(24))
    yield one("an API header", "x-api-key: {}", mint.token(40))
    yield one("a cookie", "Cookie: theme=dark; sessionid={}", mint.token(40))

    for scheme in ("postgresql", "mysql+pymysql", "mongodb+srv", "amqps", "ftp", "smtp"):
        yield one(f"a {scheme} address", f"{scheme}://shop:{{}}@db.example.com:5432/app?ssl=true", mint.password())
    yield one("a redis address", "REDIS_URL=redis://:{}@cache:6379/0", mint.password())
    yield one("a remote", "origin https://x-access-token:{}@github.com/acme/shop.git (fetch)", mint.token(40))
    yield one("a proxy", "export https_proxy=http://dev:{}@proxy.example.com:3128", mint.password())
    yield one(
        "an ADO string", "Server=db;Database=app;User Id=sa;Password={};TrustServerCertificate=True", mint.password()
    )
    yield one("a JDBC string", "jdbc:mysql://db/app?user=shop&password={}&useSSL=true", mint.token(18))
    yield one("a libpq string", 'psql "host=db user=shop password={} dbname=app"', mint.token(18))
    yield one("a .pgpass line", "db.example.com:5432:app:shop:{}", mint.token(20))
    yield one("a .netrc line", "machine api.example.com login shop password {}", mint.token(20))
    yield one("an .npmrc line", "//npm.example.com/:_authToken={}", mint.token(36))
    yield one("git's helper", "protocol=https\nhost=git.example.com\nusername=dev\npassword={}", mint.token(24))

    yield one("a .env line", "# settings\nSTAGING_DB_PASSWORD={}\nPORT=1", mint.password())
    yield one("an exported token", 'export DEPLOY_TOKEN="{}"', mint.token(28))
    yield one("Rails' key", "RAILS_MASTER_KEY={} bin/rails s", mint.token(32, HEX))
    yield one("Django's key", "SECRET_KEY = '{}'", "django-insecure-" + mint.token(38))
    yield one("a signing secret", "SLACK_SIGNING_SECRET={}", mint.token(32, HEX))
    yield one("Terraform's variable", 'db_password = "{}"', mint.password())
    yield one("YAML", "database:\n  user: shop\n  password: {}\n", mint.password())
    yield one("a Kubernetes secret", "kind: Secret\ndata:\n  password: {}\n", mint.coded(18))
    yield one("JSON", '{"clientId": "web", "clientSecret": "{}"}', mint.token(32))
    yield one("code", 'client = Client(api_key="{}", timeout=3)', mint.token(40))
    yield one("a constant", 'private static final String PASSWORD = "{}";', mint.password())
    yield one("XML", "<password>{}</password>", mint.password())
    yield one("properties", "spring.datasource.password={}", mint.password())
    yield one("a form", "grant_type=x&client_secret={}&scope=y", mint.token(32))

    yield one("curl -u", "curl -s -u deploy:{} https://example.com", mint.password())
    yield one("mysql -p", "mysqldump -u root -p{} shop > x.sql", mint.token(18))
    yield one("sshpass", "sshpass -p '{}' ssh deploy@example.com", mint.password())
    yield one("docker login", "docker login -u acme -p {} registry.example.com", mint.token(24))
    yield one("redis-cli", "redis-cli -h cache -a {} ping", mint.token(24))
    yield one("kubectl literal", "kubectl create secret generic db --from-literal=password={}", mint.password())
    yield one("kubectl token", "kubectl config set-credentials ci --token={}", mint.token(40))
    yield one("openssl", "openssl enc -aes-256-cbc -pass pass:{} -in a", mint.token(20))
    yield one("gpg", "gpg --batch --passphrase '{}' -d a.gpg", mint.password())
    yield one("sudo", "echo '{}' | sudo -S apt-get update", mint.token(18))
    yield one("chpasswd", "echo 'deploy:{}' | chpasswd", mint.token(18))
    yield one("ldap", "ldapsearch -x -D cn=admin -w {} -b dc=x", mint.token(18))
    yield one("ssh-keygen", "ssh-keygen -t ed25519 -N '{}' -f id", mint.token(18))
    yield one("smbclient", "smbclient //srv/share -U dev%{}", mint.token(18))
    yield one("httpie", "http -a dev:{} example.com", mint.token(18))
    yield one("heroku", "heroku config:set SECRET_KEY_BASE={}", mint.token(64, HEX))
    yield one("a said password", "the password for staging is {}, please use it", mint.token(18))
    yield one("a said key", "my API key: {}", mint.token(32))
    yield one("a said German one", "Das Passwort für den Server lautet {}", mint.token(18))


def pieces(secrets: list[str]) -> set[str]:
    """Every piece of twelve characters of the secrets."""
    return {secret[at : at + PIECE] for secret in secrets for at in range(len(secret) - PIECE + 1)}
