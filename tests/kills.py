"""Kill -9 a real process in the middle of proposing, approving, rejecting or reverting, then look what is left.

Two ways to choose the moment: the n-th thing that the process does to the outside (a child started, a file opened,
renamed, removed: Python's audit events), or a moment on the clock, with its git children or without.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from vaults import MACHINE, Vault, note, watermarks

from memwiki.candidates.runs import clear_orphans
from memwiki.candidates.states import candidates, find
from memwiki.review.decide import approve

OPERATIONS = ("propose", "approve", "reject", "revert")
_EVENTS = ("subprocess.Popen", "open", "os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.chmod", "tempfile.mkstemp")
# argv: vault, operation, candidate, number of the event to die at (0: none); prints how many there were.
CHILD = f"""
import os, sys, pathlib
top, what, name, when = sys.argv[1:]
from memwiki.vault.git import Git
from memwiki.candidates.states import find
from memwiki.candidates.ledger import Run
from memwiki.candidates.runs import clear_orphans, write
from memwiki.review.decide import approve, reject
from memwiki.review.revert import revert
import git.cmd
sys.path.insert(0, {str(Path(__file__).parent)!r})
from vaults import MACHINE, proposal
seen = 0
def count(event, args):
    global seen
    if event in {_EVENTS!r}:
        seen += 1
        if seen == int(when):
            os.kill(os.getpid(), 9)
vault = Git(pathlib.Path(top))
print("ready", flush=True)
sys.addaudithook(count)
if what == "propose":
    clear_orphans(vault, MACHINE)
    write(vault, MACHINE, Run("killed", "rules", spans={{"claude/k": (1, 9)}}), [proposal(4), proposal(5)])
elif what == "approve":
    approve(vault, find(vault, name))
elif what == "reject":
    reject(vault, [find(vault, name)], "no")
else:
    revert(vault, find(vault, name))
print(seen, flush=True)
"""


class Scene:
    """A vault with pending candidates, one landed one, and a person's staged, dirty and untracked work."""

    def __init__(self, top: Path) -> None:
        self.vault = Vault(top)
        self.made = self.vault.dream(range(3), run="r", spans={"claude/s": (1, 5)})
        approve(self.vault.git, find(self.vault.git, self.made[2].id))
        self.vault.sh(
            "echo mine >> tools/n3.md; git add tools/n3.md; echo more >> tools/n3.md;"
            " sed -i 's/n0 line 7/n0 mine/' tools/n0.md; echo u > u.md"
        )
        self.start = {ref: self.vault.git.commit_of(ref) for ref in self._refs()}
        self.backup = top.with_name(top.name + ".saved")
        subprocess.run(["cp", "-a", str(top), str(self.backup)], check=True)

    def _refs(self) -> list[str]:
        return self.vault.sh("git for-each-ref --format='%(refname)'").split()

    def reset(self) -> None:
        """The scene as it was made."""
        top = self.vault.top
        subprocess.run(["rm", "-rf", str(top)], check=True)
        subprocess.run(["cp", "-a", str(self.backup), str(top)], check=True)

    def target(self, what: str) -> str:
        """The candidate that an operation is about."""
        return self.made[2 if what == "revert" else 0].id

    def play(self, what: str, when: int = 0, *, after: float = 0.0, children: bool = False) -> int:
        """Run one operation and kill it at event `when`, or `after` seconds from its start; the number of events.

        0 when it was killed. `children`: its git processes are killed with it.
        """
        arguments = [sys.executable, "-c", CHILD, str(self.vault.top), what, self.target(what), str(when)]
        child = subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True)
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        if after:
            time.sleep(after)
            gits = list(processes(self.vault.top)) if children else []
            child.kill()
            for pid in gits:
                if pid != child.pid:
                    try:
                        os.kill(pid, signal.SIGKILL)
                    except ProcessLookupError:
                        continue
        out = child.stdout.read()
        child.wait()
        while [pid for pid in processes(self.vault.top) if pid != child.pid]:  # its git children end by themselves
            time.sleep(0.01)
        return int(out) if out and child.returncode == 0 else 0

    def faults(self, what: str, *, locks_may_stay: bool = False) -> list[str]:
        """What is wrong right after a kill, and after the operation was done again; [] when all is as it must be."""
        vault, git = self.vault, self.vault.git
        found = [f"fsck: {vault.fsck()}"] if vault.fsck() else []
        locks = list(vault.top.glob(".git/**/*.lock"))
        if locks and not locks_may_stay:
            found.append(f"locks: {locks}")
        for lock in locks:
            if "memwiki" not in lock.parts:  # its own it clears itself
                lock.unlink()
        found += self._between(what)
        marks = watermarks(git, MACHINE)
        branch = bool(git.commit_of("refs/heads/dream/killed"))
        if "claude/k" in marks and not branch:
            found.append("the watermark moved and there is no proposal")
        again = self.play(what) if not (what == "propose" and "claude/k" in marks) else 1
        if what == "propose":
            clear_orphans(git, MACHINE)
        if not again and not self._settled(what):
            found.append("doing it again fails")
        return [*found, *self._after(what)]

    def _between(self, what: str) -> Iterator[str]:
        """Index, work tree and main hold either the old or the new text of each note, and the person's work."""
        vault = self.vault
        number = {"approve": 0, "revert": 2}.get(what)
        olds = {0: note(0), 2: note(2, l3="- n2 dream says x")}
        news = {0: note(0, l3="- n0 dream says x"), 2: note(2)}
        for k in (0, 2):
            allowed = {olds[k], news[k]} if k == number else {olds[k]}
            mine = {text.replace("n0 line 7", "n0 mine") for text in allowed}
            if vault.sh(f"git show :tools/n{k}.md") + "\n" not in allowed:
                yield f"index of n{k}"
            if (vault.top / f"tools/n{k}.md").read_text() not in mine:
                yield f"file n{k}"
            if vault.read(f"tools/n{k}.md") not in allowed:
                yield f"main's n{k}"
        staged = vault.sh("git diff --cached --name-only").split()
        if "tools/n3.md" not in staged or not (vault.top / "tools/n3.md").read_text().endswith("mine\nmore\n"):
            yield "the person's staged or dirty work"
        if (vault.top / "u.md").read_text() != "u\n":
            yield "the person's untracked file"

    def _settled(self, what: str) -> bool:
        """Whether the operation had been finished by the killed process, so that doing it again has nothing to do."""
        state = find(self.vault.git, self.target(what)).state
        return (what, state) in (("approve", "approved"), ("reject", "rejected"), ("revert", "reverted"))

    def _after(self, what: str) -> Iterator[str]:
        vault, git = self.vault, self.vault.git
        found = {one.id: one.state for one in candidates(git)}
        wanted = {"approve": "approved", "reject": "rejected", "revert": "reverted", "propose": "pending"}[what]
        if found[self.target(what)] != wanted:
            yield f"afterwards it is {found[self.target(what)]}"
        if what == "propose":
            made = [one for one in candidates(git) if one.run == "killed"]
            if [one.state for one in made] != ["pending", "pending"] or watermarks(git, MACHINE)["claude/k"] != 9:
                yield f"afterwards the run has {made}"
        if vault.sh("git diff --cached --name-only").split() != ["tools/n3.md"]:
            yield f"afterwards staged: {vault.sh('git diff --cached --name-only')}"
        if vault.sh("git status --porcelain").split("\n")[-1] != "?? u.md":
            yield f"afterwards status: {vault.sh('git status --porcelain')}"
        if vault.fsck():
            yield "fsck afterwards"
        held = vault.sh("git log --format=%B main | grep '^Memwiki-Candidate:' | sort | uniq -d || true")
        if held:
            yield f"landed twice: {held}"


def processes(top: Path) -> Iterator[int]:
    """Processes with the vault on their command line."""
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                words = Path("/proc", entry, "cmdline").read_bytes().split(b"\0")
                state = Path("/proc", entry, "stat").read_text().rpartition(")")[2].split()[0]
            except (FileNotFoundError, ProcessLookupError):
                continue
            if str(top).encode() in words and state != "Z":
                yield int(entry)
