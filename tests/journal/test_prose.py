"""Secrets that only a sentence or a table gives away, in nine languages, and sentences that hold none."""

import random
import string

import pytest

from memwiki.journal.redaction import find_secrets, redact_text

FORMS = """\
the db password is always {}, keep that in mind
use token {}
password {} works
here is the key: {}
| token | {} |
login is admin / {}
pw: {}
you can log in with the password {} on staging
the credentials for the server are root and {}
Please remember that {} is the root password
I changed the password to {}
set the admin password to {} yesterday
try {} as the password
API key for maps → {}
pass: {}
My new passphrase (don't share): {}
Das Passwort ist immer {}, merk dir das
nimm das Token {}
Passwort {} funktioniert
hier ist der Schlüssel: {}
Zugangsdaten: admin / {}
Das Kennwort für die Datenbank lautet {}
{} ist das Passwort für root
Das Passwort wurde auf {} geändert
le mot de passe est toujours {}, retiens-le
utilise le jeton {}
voici la clé : {}
le mot de passe {} fonctionne
identifiants : admin / {}
mdp: {}
le mot de passe de la base a été changé en {}
{} est le mot de passe root
la contraseña es siempre {}, recuérdalo
usa el token {}
aquí está la clave: {}
la contraseña {} funciona
credenciales: admin / {}
cambié la contraseña a {}
{} es la contraseña de root
la clave del servidor sigue siendo {}
a senha é sempre {}, lembre-se disso
use o token {}
aqui está a chave: {}
a senha {} funciona
credenciais: admin / {}
mudei a senha para {}
{} é a senha do root
a senha do banco continua sendo {}
数据库密码一直是{}，请记住
使用令牌{}
这是密钥：{}
密码{}可以用
登录密码改成了{}
口令 {}
用户名 admin 密码 {}
データベースのパスワードはいつも{}です
トークン{}を使ってください
これが鍵です：{}
パスワード{}で動きます
パスワードを{}に変更しました
ログインパスワードは「{}」
{}がパスワードです
비밀번호는 항상 {}입니다
토큰 {}을 사용하세요
키: {}
비밀번호를 {}로 바꿨어요
la password è sempre {}, ricordalo
usa il token {}
ecco la chiave: {}
le credenziali sono admin / {}"""
LETTERS = string.ascii_letters + string.digits
VALUES = {
    "random": lambda chance: "".join(chance.choices(LETTERS, k=11)) + "7",
    "lower": lambda chance: "".join(chance.choices(string.ascii_lowercase + string.digits, k=15)) + "4",
    "signs": lambda chance: "".join(chance.choices(LETTERS + "!#$%&*", k=12)) + "3x",
    "word and year": lambda chance: f"Sommer{chance.randint(2000, 2030)}!",
    "spelled": lambda chance: f"Tr0ub4dor&{chance.randint(1, 99)}",
    "two words": lambda chance: f"Hunter{chance.randint(10, 99)}Blue",
}


@pytest.mark.parametrize("value", VALUES)
def test_nine_of_ten_forms_of_prose_are_redacted(value: str) -> None:
    chance = random.Random(value)
    missed = []
    for form in FORMS.splitlines():
        secret = VALUES[value](chance)
        clean = redact_text(form.format(secret))
        missed += [form] if secret.rstrip("!") in clean else []
        assert redact_text(clean) == clean, form
    assert len(missed) <= len(FORMS.splitlines()) / 10, missed


@pytest.mark.parametrize(
    "line",
    [
        "the token expired at 2024-01-01T10:00:00",
        "the key in config v2beta1 is ignored",
        "the password is hashed with bcrypt2 or SHA-256",
        "a token of kind Ed25519PrivateKey",
        "key: PKCS12PrivateKeyTypes",
        "returns tokens of `ZeroOrMore` and `OneOrMore`",
        "the login page moved in commit 8f853f84f9c1",
        "secrets are read in src/auth2/session3.py",
        "the password field uses input2, see FOO-1234",
        "isinstance(key, Ed25519PublicKey)",
        "the keys of the map are keySetName and user1Name",
        "The token count was 128000tokens over 12345678 requests",
        "Das Passwort muss 12 Zeichen haben, siehe ABC-123456",
        "the public key is 1,184 bytes for ML-KEM-768",
    ],
)
def test_ordinary_sentences_about_secrets_stay(line: str) -> None:
    assert find_secrets(line) == []


ARGUMENTS = """\
sqlcmd -S db -U sa -P {}
mongosh -u admin -p {} --host db
mongodump --host db -u admin -p={}
twine upload -u __token__ -p {} dist/*
7z a -p{} out.7z dir
rar a -hp{} out.rar dir
zip -r -P {} out.zip dir
htpasswd -b .htpasswd admin {}
htpasswd -nb admin {}
kubectl create secret generic db --from-literal=db={}
net use Z: \\\\server\\share {} /user:admin
net use Z: \\\\server\\share /user:admin {}
net user admin {} /add
jdbc:oracle:thin:scott/{}@db:1521:app
sqlplus scott/{}@db
mysql -u root -p{} app
curl -u admin:{} https://example.com
sshpass -p {} ssh host
redis-cli -h db -a {} ping
docker login -u me -p {} registry.example.com
helm registry login -u me -p {} registry.example.com
openssl enc -aes-256-cbc -pass pass:{} -in a
openssl enc -aes-256-cbc -k {} -in a
keytool -genkey -keystore a.jks -storepass {}
plink -ssh me@host -pw {} ls
ldapsearch -D cn=admin -w {} -b dc=x
smbclient //server/share -U admin%{}
ipmitool -I lanplus -U admin -P {} power on
mosquitto_pub -h broker -u me -P {} -t a -m b
cqlsh -u cassandra -p {} db
xfreerdp /u:admin /p:{} /v:host
nmcli dev wifi connect Home password {}
vault login {}
rabbitmqctl add_user shop {}
mysqladmin -u root password {}
echo {} | docker login -u me --password-stdin
echo {} | sudo -S apt update
echo 'root:{}' | chpasswd
gh auth login --with-token <<< {}
CREATE USER shop IDENTIFIED BY '{}';
CREATE ROLE shop WITH LOGIN PASSWORD '{}';
requirepass {}
lftp -u me,{} ftp.example.com
evil-winrm -i host -u admin -p {}"""


@pytest.mark.parametrize("line", ARGUMENTS.splitlines())
def test_passwords_as_arguments(line: str) -> None:
    for value in ("random", "signs", "word and year"):
        secret = VALUES[value](random.Random(line)).rstrip("!")
        for text in (line.format(secret), f"$ {line.format(secret)}\nok"):
            assert secret not in redact_text(text), value
