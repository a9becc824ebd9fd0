"""Secrets of many shapes, in many places: no twelve characters of one survive; ordinary code does."""

import base64
import json
import random
import string
import uuid
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memwiki.journal.redaction import find_secrets, redact, redact_text

LETTERS = string.ascii_letters + string.digits
CODED = LETTERS + "+/"


def token(chance: random.Random, length: int, alphabet: str = LETTERS) -> str:
    """Random text with a digit in it, made at run time: no secret stands in this file."""
    while True:
        made = "".join(chance.choice(alphabet) for _ in range(length))
        if any(c.isdigit() for c in made):
            return made


def leaks(secret: str, text: str) -> bool:
    """Whether some twelve characters of `secret` stand in `text`."""
    return any(secret[i : i + 12] in text for i in range(max(1, len(secret) - 11)))


# Issuer's prefix (in halves, so that this file holds none), and how long the rest is.
ISSUED = {
    "github": [(f"gh{kind}" + "_", 36) for kind in "pousr"] + [("github" + "_pat_", 82)],
    "gitlab": [("glp" + "at-", 20), ("glr" + "t-", 20), ("gld" + "t-", 20)],
    "slack": [("xox" + "b-123456789012-", 24), ("xox" + "p-12-34-", 32), ("xap" + "p-1-A01-", 40)],
    "stripe": [("sk" + "_live_", 24), ("rk" + "_live_", 24), ("sk" + "_test_", 24), ("whs" + "ec_", 32)],
    "google": [("AI" + "za", 35), ("GOC" + "SPX-", 28), ("ya" + "29.", 60)],
    "npm": [("np" + "m_", 36)],
    "pypi": [("py" + "pi-AgEIcHlwaS5vcmc", 80)],
    "openai": [("s" + "k-", 48), ("s" + "k-proj-", 60), ("s" + "k-svcacct-", 60)],
    "anthropic": [("s" + "k-ant-api03-", 95), ("s" + "k-ant-oat01-", 95)],
    "huggingface": [("h" + "f_", 34)],
    "sendgrid": [("S" + "G.", 22)],
    "docker": [("dck" + "r_pat_", 27)],
    "shopify": [("shp" + "at_", 32)],
    "vault": [("hv" + "s.", 30)],
}
PLACES = [
    "{}",
    "use {}.",
    "export SOME_NAME={}",
    "name: {}",
    "'{}'",
    '{{"a": "{}"}}',
    '{{\\"a\\": \\"{}\\"}}',
    "/home/dev/{}/notes.txt",
    "backup-{}.tar",
    "https://example.com/{}?x=1",
    "one\\n{}\\ntwo",
    "\x1b[32m{}\x1b[0m",
    "\t- {}\r\n",
    "<b>{}</b>",
    "|{}|",
]


@pytest.mark.parametrize("kind", ISSUED)
def test_tokens_with_an_issuers_prefix(kind: str) -> None:
    chance = random.Random(kind)
    for prefix, length in ISSUED[kind]:
        for place in PLACES:
            secret = prefix + token(chance, length)
            clean = redact_text(place.format(secret))
            assert not leaks(secret, clean), place
            assert f"[redacted:{kind}]" in clean
            assert redact_text(clean) == clean
            cut = place.format(secret[: len(prefix) + 14])  # a host cuts what tools print
            assert not leaks(secret[: len(prefix) + 14], redact_text(cut)) or kind in (
                "openai",
                "google",
                "npm",
                "pypi",
            )


def pem(chance: random.Random, kind: str = "") -> tuple[list[str], str]:
    """The lines of a made-up key, and its file."""
    lines = [token(chance, 64, CODED) for _ in range(12)] + [token(chance, 42, CODED) + "=="]
    banner = f"{kind}PRIVATE KEY-----"
    return lines, "\n".join([f"-----BEGIN {banner}", *lines, f"-----END {banner}"])


def key_files() -> Iterator[tuple[str, list[str], str]]:
    """(how it came, its lines, the text) of key files as tools print them."""
    chance = random.Random(3)
    for kind in ("", "RSA ", "EC ", "DSA ", "OPENSSH ", "ENCRYPTED "):
        lines, whole = pem(chance, kind)
        yield f"{kind}whole", lines, f"before\n{whole}\nafter"
        yield f"{kind}end cut off", lines[:-3], whole.rsplit("\n", 4)[0]
        yield f"{kind}cut in a line", lines[:5], whole[: whole.index(lines[5]) + 20]
        yield f"{kind}beginning cut off", lines[2:], whole.split("\n", 3)[3]
        yield f"{kind}beginning cut in a line", lines[2:], lines[1][30:] + "\n" + whole.split("\n", 3)[3]
        yield f"{kind}escaped", lines, json.dumps({"private_key": whole})
        yield f"{kind}escaped twice", lines, json.dumps(json.dumps({"private_key": whole}))
        yield f"{kind}numbered", lines, "\n".join(f"{n:6}→{line}" for n, line in enumerate(whole.split("\n"), 1))
        yield f"{kind}in a diff", lines, "\n".join("+" + line for line in whole.split("\n"))
        yield f"{kind}in YAML", lines, "tls:\n  key: |\n" + "\n".join("    " + line for line in whole.split("\n"))
        yield f"{kind}as source", lines, "\n".join(f'    "{line}\\n"' for line in whole.split("\n"))
        yield f"{kind}with CRLF", lines, whole.replace("\n", "\r\n")


@pytest.mark.parametrize(
    ("how", "lines", "text"),
    list(key_files()),
    ids=lambda value: value if isinstance(value, str) and len(value) < 40 else "",
)
def test_private_keys(how: str, lines: list[str], text: str) -> None:
    clean = redact_text(text)
    assert not any(leaks(line, clean) for line in lines)
    assert clean.count("[redacted:") == 1
    if how.endswith("whole"):
        assert clean.startswith("before\n") and clean.endswith("\nafter")


def test_a_private_key_as_a_list_of_lines() -> None:
    lines, whole = pem(random.Random(4))
    patch = {"structuredPatch": [{"oldStart": 1, "lines": ["+" + line for line in whole.split("\n")] + ["+end"]}]}
    clean = redact(patch)
    assert not any(leaks(line, json.dumps(clean)) for line in lines)
    assert clean["structuredPatch"][0]["lines"][-1] == "+end"


def test_a_public_certificate_stays() -> None:
    _, whole = pem(random.Random(5))
    certificate = whole.replace("PRIVATE KEY", "CERTIFICATE")
    assert redact_text(certificate) == certificate


def test_aws_keys_and_the_secret_half() -> None:
    chance = random.Random(6)
    for prefix in ("AK" + "IA", "AS" + "IA"):
        name = prefix + token(chance, 16, string.ascii_uppercase + string.digits)
        secret = token(chance, 40, CODED)
        for text in (
            f"{name},{secret}",
            f"[default]\naws_access_key_id = {name}\naws_secret_access_key = {secret}\n",
            f'{{"AccessKeyId": "{name}", "SecretAccessKey": "{secret}"}}',
            f"export AWS_ACCESS_KEY_ID={name}\nexport AWS_SECRET_ACCESS_KEY={secret}",
            f"Access key ID: {name}\nSecret access key: {secret}",
        ):
            clean = redact_text(text)
            assert not leaks(name, clean) and not leaks(secret, clean), text.replace(secret, "S")


def test_azure_and_other_connection_strings() -> None:
    chance = random.Random(7)
    key = base64.b64encode(chance.randbytes(64)).decode()
    client = token(chance, 3) + "8" + "Q~" + token(chance, 34)
    signature = token(chance, 30)
    password = token(chance, 16)
    for secret, text in (
        (key, f"DefaultEndpointsProtocol=https;AccountName=shop;AccountKey={key};EndpointSuffix=core.windows.net"),
        (key, f"Endpoint=sb://shop.net/;SharedAccessKeyName=Root;SharedAccessKey={key}"),
        (client, f"client {client}"),
        (signature, f"https://shop.blob.core.windows.net/c?sv=2022-11-02&se=2030&sig={signature}%3D"),
        (password, f"Server=tcp:db.example.com,1433;User ID=sa;Password={password};Encrypt=True"),
        (password, f"jdbc:postgresql://db/app?user=shop&password={password}&ssl=true"),
        (password, f"host=db user=shop password={password} dbname=app"),
        (password, f"db.example.com:5432:app:shop:{password}"),
    ):
        assert not leaks(secret, redact_text(text)), text.replace(secret, "S")


@pytest.mark.parametrize(
    "scheme", ["postgres", "postgresql+asyncpg", "mysql", "mongodb+srv", "redis", "amqp", "https", "ftp", "smtp"]
)
@pytest.mark.parametrize("user", ["shop", ""])
def test_passwords_in_addresses(scheme: str, user: str) -> None:
    chance = random.Random(scheme)
    for password in (token(chance, 16), "p@ss/" + token(chance, 14), "%40" + token(chance, 14)):
        text = f'DATABASE_URL="{scheme}://{user}:{password}@db.example.com:5432/app"'
        clean = redact_text(text)
        assert not leaks(password, clean)
        assert "@db.example.com:5432/app" in clean


def test_authorization_headers() -> None:
    chance = random.Random(8)
    bearer, basic = token(chance, 30), base64.b64encode(f"user:{token(chance, 16)}".encode()).decode()
    jwt = "ey" + "J" + token(chance, 30) + ".ey" + "J" + token(chance, 60) + "." + token(chance, 43)
    for secret in (bearer, jwt):
        for text in (
            "Authorization: Bearer {}",
            "curl -H 'authorization: bearer {}' https://example.com",
            'headers = {{"Authorization": "Bearer {}"}}',
            '{{\\"Authorization\\":\\"token {}\\"}}',
            "-H Authorization:Bearer\\ {}" if secret == jwt else "Proxy-Authorization: Bearer {}",
            "Cookie: theme=dark; session={}; x=1",
            "wscat -H 'Authorization: {}'",
        ):
            assert not leaks(secret, redact_text(text.format(secret))), text
    for text in ("Authorization: Basic {}", '{{"authorization":"Basic {}"}}', "sent Basic {} to it"):
        assert not leaks(basic, redact_text(text.format(basic))), text
    password = token(chance, 16)
    for text in (
        "curl -u shop:{} https://x",
        'curl --user "shop:{}" https://x',
        "mysql -u root -p{} app",
        "sshpass -p '{}' ssh x",
    ):
        assert not leaks(password, redact_text(text.format(password))), text


VALUES = {
    "letters and digits": lambda chance: token(chance, 16),
    "signs": lambda chance: "S3cr3t!p@ss_w0rd#" + str(chance.randint(10, 99)),
    "hex": lambda chance: token(chance, 32, "0123456789abcdef"),
    "lower": lambda chance: token(chance, 20, string.ascii_lowercase + string.digits),
    "uuid": lambda chance: str(uuid.UUID(int=chance.getrandbits(128))),
    "base64": lambda chance: base64.b64encode(chance.randbytes(32)).decode(),
    "url-safe": lambda chance: "a1" + token(chance, 40, LETTERS + "-_"),
    "passphrase": lambda chance: "-".join(
        chance.sample(["correct", "horse", "battery", "staple", "orbit", "velvet"], 4)
    ),
}
ASSIGNMENTS = [
    "DB_PASSWORD={}",
    "export API_TOKEN={}",
    "export API_TOKEN='{}'",
    "SECRET_KEY='{}'",
    "STAGING_DB_PASSWORD_2={}",
    "  12→DB_PASSWORD={}",
    "+DB_PASSWORD={}",
    "echo hi\\nDB_PASSWORD={}\\nFOO=1",
    "ENV DB_PASSWORD {}",
    "docker run -e DB_PASSWORD={} image",
    "PGPASSWORD={} psql -h db",
    "setx API_KEY {}",
    'password = "{}"',
    "password = '{}'",
    'password="""{}"""',
    'password: str = "{}"',
    "let token: string = '{}'",
    'const apiKey = "{}";',
    'String clientSecret = "{}";',
    "os.environ['API_KEY'] = '{}'",
    ":password => '{}'",
    'if password == "{}":',
    'setPassword("{}")',
    '#define API_KEY "{}"',
    "password: '{}'",
    "password: {}",
    "auth_token: {}",
    'password:\n  "{}"',
    "passphrase: >-\n  {}\n",
    "secret: |\n  {}\nother: 1\n",
    "- name: DB_PASSWORD\n  value: {}",
    '{{"password": "{}"}}',
    '{{\\"password\\": \\"{}\\"}}',
    '{{\\\\\\"password\\\\\\": \\\\\\"{}\\\\\\"}}',
    '"db_password" : "{}"',
    '{{"name": "API_KEY", "value": "{}"}}',
    "db.password={}",
    "api_key={}",
    "github_token = {}",
    "X-Api-Key: {}",
    "--password {}",
    "--password={}",
    "client_secret={}&grant_type=x",
    "https://example.com/?access_token={}&x=1",
    "<password>{}</password>",
    '<add key="ApiKey" value="{}" />',
    "//npm.example.com/:_authToken={}",
    "machine example.com login shop password {}",
    "my password is {}",
    "The API key is `{}`",
    "password for the admin user is {}",
    "Das Passwort lautet {}",
    "contraseña: {}",
    "密码：{}",
]


@pytest.mark.parametrize("value", VALUES)
def test_what_a_secrets_name_gives_away(value: str) -> None:
    chance = random.Random(value)
    for form in ASSIGNMENTS:
        secret = VALUES[value](chance)
        clean = redact_text(form.format(secret))
        assert not leaks(secret, clean), form
        assert redact_text(clean) == clean, form


def test_secrets_in_decoded_json() -> None:
    chance = random.Random(9)
    plain, other = token(chance, 16), "gh" + "p_" + token(chance, 36)
    value = {
        "env": {"DB_PASSWORD": plain, "PORT": "5432", "pin_password": 12345678},
        "command": f"psql -W {plain}",
        "args": ["--token", token(chance, 20), "--verbose"],
        other: {"file": f"/tmp/{other}.txt"},
        "variables": [{"name": "API_KEY", "value": plain[::-1]}],
        "passwords_seen": 3,
        "token_count": 9,
        "tokens": 120,
    }
    clean = redact(value)
    text = json.dumps(clean)
    assert not any(leaks(secret, text) for secret in (plain, plain[::-1], other, value["args"][1]))
    assert clean["env"] == {
        "DB_PASSWORD": "[redacted:password]",
        "PORT": "5432",
        "pin_password": "[redacted:password 2]",
    }
    assert clean["command"] == "psql -W [redacted:password]"  # the same secret where nothing gives it away
    assert clean["args"] == ["--token", "[redacted:token]", "--verbose"]
    assert (clean["passwords_seen"], clean["token_count"], clean["tokens"]) == (3, 9, 120)
    assert redact(clean) == clean


def test_a_secret_is_known_elsewhere_also_where_more_than_it_was_cut() -> None:
    chance = random.Random(12)
    plain, signature, lines = token(chance, 18), token(chance, 43), pem(chance)
    for secret, text in (
        (plain, f"Server=db;User Id=sa;Password={plain};TrustServerCertificate=True"),
        (plain, f"origin https://x-access-token:{plain}@github.com/acme/shop.git (fetch)"),
        (signature, f"https://shop.blob.core.windows.net/c?sv=2022&sig={signature}%3D"),
        (lines[0][3], lines[1]),
    ):
        clean = redact({"command": text, "path": f"/home/dev/{secret}/a.txt", secret: 1, "host": "db2.example.com"})
        assert not leaks(secret, json.dumps(clean)), text
        assert clean["host"] == "db2.example.com"


ORDINARY = """\
password = get_password()
password = self.password
password = input("Password: ")
password: Optional[str] = None
password: str | None = None
token: str
token: SecretStr = Field(...)
token: AuthenticationTokenProvider
def login(user: str, password: str) -> Token:
login(username=username, password=password)
    password=password,
return password.encode("utf-8")
token = request.headers.get("Authorization")
token = user_token
token = response
token = tokenizer.next_token()
for token in tokens:
if token == "identifier":
const token = await getToken();
String token = jwtService.generateToken(user);
secret = secrets.token_hex(32)
$password = $_POST['password'];
let secret_key = env::var("SECRET_KEY")?;
apiKey: process.env.API_KEY,
password = os.environ["DB_PASSWORD"]
API_KEY=$API_KEY
API_KEY=${API_KEY}
PASSWORD=changeme
password: "{{ vault_password }}"
password: ${{ secrets.DB_PASSWORD }}
password: '***'
token = "<your-token-here>"
Authorization: Bearer $TOKEN
Authorization: Bearer <token>
-H "Authorization: Bearer ${TOKEN}"
headers = {"Authorization": f"Bearer {token}"}
curl -u "$USER:$PASS" https://example.com
postgres://user:${PASS}@host/db
http://localhost:3000/@scope/pkg
git@github.com:acme/shop.git
PASSWORD_FILE=/run/secrets/db
TOKENIZERS_PARALLELISM=false
SECRET_NAME=prod/db/credentials
SORT_KEY=created_at
max_tokens = 4096
"input_tokens": 1234, "token_count": 55
token_type=bearer
cache_key = "user_profile_settings"
<input type="password" name="password" placeholder="Enter your password">
"secret": "Enter your client secret"
"password": {"type": "string"}
interface Login { username: string; password: string }
raise ValueError("invalid token")
the token expired at 2024-01-01
password must be at least 12 characters
the API token is stored in the keychain
sha256: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
commit 8f853f84f9c1d2e3a4b5c6d7e8f9a0b1c2d3e4f5
id = 550e8400-e29b-41d4-a716-446655440000
integrity sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==
data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk
ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQC7 user@host
task-force-something-2024-long-name
risk-assessment-document-version2
bypass = true
compass: north"""


@pytest.mark.parametrize("line", ORDINARY.splitlines())
def test_ordinary_code_stays(line: str) -> None:
    assert redact_text(line) == line
    assert find_secrets(f"before\n{line}\nafter") == []


COMMANDS = """\
- Generate a passphrase: `pwqgen`
- List all secrets: `k8sec list`
- Get all secrets: `doppler secrets`
- Unset a secret: `k8sec unset secret_name`
- Detect unused secrets: `k8s-unused-secret-detector`
- Read the OTP private key: `rpi-otp-private-key`
- Change the password: `gocryptfs --passwd path/to/cipher_directory`
- Encrypt a file with a password: `FTP_PASSWORD=ftp_login_password tool -e path/to/file sftp://user@192.168.2.100/x/`
- Generate signing keys: `ukify genkey --secureboot-certificate-validity 365`
- Scan a remote Git repo (and Git history) for secrets: `noseyparker scan --git-url url`
- Create a user and let them set their mot de passe: `adduser nom_d_utilisateur`
- Connect without one: `getTGT.py -k -no-pass domain/username`
- Ask for hashes: `GetNPUsers.py -no-pass -request`
- Encrypt names too: `7z a path/to/file.7z -ppasswort -mhe=on path/to/archive`
- Sign: `ukify build --secureboot-private-key path/to/private_key.pem`
- Import: `aws acm import --private-key clave_privada`
- Guess: `hydra "https_post_request" "username=^USER^&password=^PASS^"`
- Wait: `wait4x postgresql 'postgres://user:password@localhost:5432/mydb'`
- Log in: `sshpass -p password ssh host`
- Ask: `http --request-header "Authorization: Bearer token123"`
- Set: `gh secret set API_KEY --body "secret-value"` or `{"secret": "optional-webhook-secret"}`
- Cap the size: `yek path/to/directory --tokens 128k`"""


@pytest.mark.parametrize("line", COMMANDS.splitlines())
def test_commands_in_notes_about_tools_stay(line: str) -> None:
    assert find_secrets(f"before\n{line}\nafter") == []


@pytest.mark.parametrize(
    "line",
    [
        "- Password: `{}`",
        "Our staging passphrase: `{}`",
        "- The admin password: `{}`",
        "Log in as admin, password: `{}`",
        "Use the new secret: `{}`",
        "- Show the password: `{}`",
        "- Change the password: `tool set {} --now`",
        "`tool --no-color --password {}`",
        "- Read the passphrase: `tool -k {}`",
    ],
)
@pytest.mark.parametrize("value", VALUES)
def test_secrets_in_notes_about_tools_are_found(line: str, value: str) -> None:
    secret = VALUES[value](random.Random(line))
    assert not leaks(secret, redact_text(line.format(secret)))


def test_find_secrets_names_line_and_kind() -> None:
    secret = "gh" + "p_" + token(random.Random(1), 36)
    assert find_secrets(f"a\nb {secret}\n\npassword = '{secret[4:20]}'") == [(2, "github"), (4, "password")]


secrets_of_all_kinds = st.builds(
    lambda kind, seed: (lambda chance: chance.choice(ISSUED[kind])[0] + token(chance, 40))(random.Random(seed)),
    st.sampled_from(sorted(ISSUED)),
    st.integers(0, 2**32),
)
around = st.text(st.characters(codec="utf-8", exclude_characters=LETTERS + "-_."), max_size=30)


@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(secrets_of_all_kinds, around, around)
def test_no_surroundings_hide_a_token(secret: str, before: str, after: str) -> None:
    text = before + secret + after
    for value in (text, json.dumps(text), json.dumps(json.dumps(text))):
        clean = redact_text(value)
        assert not leaks(secret, clean)
        assert redact_text(clean) == clean
    nested = redact({before or "k": [{after or "v": text}], text: text})
    assert not leaks(secret, json.dumps(nested, ensure_ascii=False))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(json_values)
def test_redaction_keeps_the_shape_and_is_done_after_once(value: object) -> None:
    clean = redact(value)
    assert type(clean) is type(value)
    assert redact(clean) == clean
    json.dumps(clean)


@settings(max_examples=200, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.text(alphabet="password=:\"'\\ \n${}<>|-token1secretAB.()[],@/key", max_size=120))
def test_no_text_makes_redaction_fail_or_go_on(text: str) -> None:
    clean = redact_text(text)
    assert redact_text(clean) == clean
