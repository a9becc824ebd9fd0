"""A throw-away Neo4j Community on loopback for tests, from the jars that Maven resolves (118 MB, once).

    python server.py FOLDER PASSWORD PID

serves until the process PID is gone, then stops the server and removes FOLDER: so it ends with the test run, however
that ends. Neo4j Community is GPL-3: it is only run here, never shipped and no dependency.
"""

import fcntl
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).parent
JARS = Path(os.environ.get("NEO4J_JARS") or Path.home() / ".cache" / "memwiki-test" / "neo4j-5.26.25")
PASSWORD = "a long test password"
_OPENS = ("base/java.nio", "base/java.io", "base/sun.nio.ch", "base/java.lang", "base/java.util.concurrent")
_CONF = """\
server.default_listen_address=127.0.0.1
server.bolt.listen_address=127.0.0.1:{port}
server.bolt.advertised_address=127.0.0.1:{port}
server.http.enabled=false
server.https.enabled=false
dbms.security.auth_enabled=true
dbms.usage_report.enabled=false
server.memory.pagecache.size=64m
"""
_TLS = """server.bolt.tls_level=REQUIRED
dbms.ssl.policy.bolt.enabled=true
dbms.ssl.policy.bolt.client_auth=NONE
"""


def missing() -> str:
    """Which program a server needs and this machine has not; "" when all are there."""
    needed = ("java",) if (JARS / ".complete").exists() else ("java", "mvn")
    return ", ".join(name for name in needed if shutil.which(name) is None)


class Server:
    """One server with its data in `folder`; it can be stopped, killed, frozen and started again on its port."""

    def __init__(self, folder: Path, password: str = PASSWORD) -> None:
        self.folder, self.password = folder, password

    @property
    def uri(self) -> str:
        """Its address, once it was started."""
        return f"bolt://127.0.0.1:{(self.folder / 'port').read_text()}"

    @property
    def pid(self) -> int:
        """Its process."""
        return int((self.folder / "pid").read_text())

    def configure(self, *lines: str, tls: bool = False) -> None:
        """Give it settings beside those that all have, from its next start on; `tls`: only encrypted, see `certify`."""
        conf = _CONF.format(port=(self.folder / "port").read_text()) + (_TLS if tls else "")
        (self.folder / "conf" / "neo4j.conf").write_text("\n".join((conf, *lines, "")))

    def certify(self, name: str) -> Path:
        """Make a certificate that it signs itself, for the address `name` ("IP:127.0.0.1"); the file of it."""
        folder = self.folder / "certificates" / "bolt"
        folder.mkdir(parents=True, exist_ok=True)
        made = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
        made += ["-days", "2", "-subj", "/CN=memwiki test", "-addext", f"subjectAltName={name}"]
        made += ["-keyout", str(folder / "private.key"), "-out", str(folder / "public.crt")]
        subprocess.run(made, check=True, capture_output=True)
        return folder / "public.crt"

    def start(self) -> None:
        """Start it and wait until it answers; RuntimeError with its last words when it does not."""
        _jars()
        port = self.folder / "port"
        if not port.exists():
            for name in ("conf", "data", "logs", "run", "plugins", "import"):
                (self.folder / name).mkdir(parents=True, exist_ok=True)
            port.write_text(str(free_port()))
            self.configure()
            admin = ["org.neo4j.server.startup.Neo4jAdminCommand", "dbms", "set-initial-password", self.password]
            env = {**os.environ, "NEO4J_HOME": str(self.folder), "NEO4J_CONF": str(self.folder / "conf")}
            subprocess.run(["java", "-cp", f"{JARS}/*", *admin], env=env, check=True, capture_output=True)
        log = self.folder / "logs" / "console.log"
        with log.open("wb") as out:
            options = ["-Xms256m", "-Xmx768m", "-XX:+UseG1GC", "-Dfile.encoding=UTF-8", "-Dlog4j2.disable.jmx=true"]
            options += ["-Dio.netty.tryReflectionSetAccessible=true"]
            options += [f"--add-opens=java.{name}=ALL-UNNAMED" for name in _OPENS]
            place = [f"--home-dir={self.folder}", f"--config-dir={self.folder / 'conf'}", "--console-mode"]
            command = ["java", *options, "-cp", f"{JARS}/*", "org.neo4j.server.CommunityEntryPoint", *place]
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, start_new_session=True
            )
        (self.folder / "pid").write_text(str(process.pid))
        for _ in range(480):
            if process.poll() is not None:
                break
            if b"Started." in log.read_bytes():
                return
            time.sleep(0.25)
        process.kill()
        raise RuntimeError(f"Neo4j did not start:\n{log.read_text('utf-8', 'replace')[-3000:]}")

    def signal(self, number: int) -> None:
        """Send it a signal; SIGTERM and SIGKILL wait until it is gone."""
        pid = self.pid
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            return
        if number in (signal.SIGTERM, signal.SIGKILL):
            for _ in range(600):
                if not _alive(pid):
                    return
                time.sleep(0.1)
            os.kill(pid, signal.SIGKILL)

    def stop(self) -> None:
        """End it as an administrator would."""
        self.signal(signal.SIGTERM)


def _alive(pid: int) -> bool:
    """Whether a process runs; a child of ours that has ended is taken away."""
    try:
        if os.waitpid(pid, os.WNOHANG)[0] == pid:
            return False
    except ChildProcessError:
        pass
    try:
        os.kill(pid, 0)
        return Path("/proc", str(pid), "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False


def free_port() -> int:
    """A port of loopback that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _jars() -> None:
    """Have Maven copy the server's jars, once for all runs."""
    if (JARS / ".complete").exists():
        return
    JARS.mkdir(parents=True, exist_ok=True)
    with (JARS / ".lock").open("w") as lock, tempfile.TemporaryDirectory() as scratch:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if (JARS / ".complete").exists():
            return
        options = [f"-DoutputDirectory={JARS}", "-Dmdep.overWriteIfNewer=true", f"-DbuildDirectory={scratch}"]
        command = ["mvn", "-q", "-B", "-f", str(HERE / "pom.xml"), *options, "dependency:copy-dependencies"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"Maven could not fetch Neo4j:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
        (JARS / ".complete").touch()


def folder_of(pid: int, name: str = "shared") -> Path:
    """Where a server of the test run whose main process is `pid` has its files."""
    return Path(tempfile.gettempdir()) / f"memwiki-neo4j-{os.getuid()}-{pid}-{name}"


def shared(pid: int, name: str = "shared") -> Server:
    """The server called `name` of the test run whose main process is `pid`; the first who asks has it started."""
    folder = folder_of(pid, name)
    folder.mkdir(mode=0o700, exist_ok=True)
    server = Server(folder)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if (folder / "started").exists():
            return server
        _jars()
        command = [sys.executable, str(HERE / "server.py"), str(folder), PASSWORD, str(pid)]
        keeper = subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True)
        while not (folder / "started").exists():
            if keeper.poll() is not None:
                raise RuntimeError("Neo4j did not start; its last words are above.")
            time.sleep(0.1)
    return server


def main(folder: Path, password: str, pid: int) -> None:
    """Serve until `pid` is gone."""
    server = Server(folder, password)
    try:
        server.start()
        (folder / "started").touch()
        while _alive(pid) and not (folder / "stop").exists():
            time.sleep(0.3)
    finally:
        if (folder / "pid").exists():
            server.signal(signal.SIGCONT)
            server.stop()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
