"""A small vault in real git, with proposals, for the tests of git, candidates and review."""

import os
import subprocess
from pathlib import Path

from memwiki.candidates.candidate import Candidate, Evidence, Proposal
from memwiki.candidates.ledger import Run
from memwiki.candidates.message import new_run_id
from memwiki.candidates.runs import write
from memwiki.vault.git import Git

MACHINE = "0a1b2c3d"


def note(number: int, **lines: str) -> str:
    """Note `number`: eight bullets, with some replaced (`l3="- new"`)."""
    body = [f"- n{number} line {k}" for k in range(8)]
    for key, text in lines.items():
        body[int(key[1:])] = text
    return f"---\ntitle: n{number}\n---\n" + "".join(f"{line}\n" for line in body)


def proposal(number: int, text: str | None = None, **changed: object) -> Proposal:
    """A change of one line of note `number`."""
    fields: dict[str, object] = {
        "path": f"tools/n{number}.md",
        "text": text if text is not None else note(number, l3=f"- n{number} dream says x"),
        "subject": f"Note {number}: a dream line",
        "why": "They said so.",
        "type": "fact",
        "source": "turn",
        "confidence": 0.8,
        "evidence": (Evidence(f"claude/s#{number + 1}", "person", f'said "{number}"'),),
    }
    return Proposal(**{**fields, **changed})  # type: ignore[arg-type]


def removal(number: int) -> Proposal:
    """The removal of note `number`."""
    return Proposal(f"tools/n{number}.md", None, f"Remove n{number}", "", "fact", "turn", 0.5)


def watermarks(git: Git, machine: str = MACHINE) -> dict[str, int]:
    """Session key -> the last event that a finished run of the machine has read."""
    from memwiki.dream.reading import read_ranges  # not for the many children of the kill tests, which never ask

    return {key: max(last for _, last in spans) for key, spans in read_ranges(git, machine).items()}


class Vault:
    """A repository of notes `tools/n0.md` ... in `top`."""

    def __init__(self, top: Path, notes: int = 6) -> None:
        self.top = top
        (top / "tools").mkdir(parents=True)
        for number in range(notes):
            (top / f"tools/n{number}.md").write_text(note(number))
        self.sh("git init -q -b main; git add -A; git commit -qm base")
        self.git = Git(top)

    def sh(self, script: str, *, check: bool = True, cwd: Path | None = None) -> str:
        """Run a person's commands in the vault; their output."""
        env = {**os.environ, "GIT_EDITOR": "true"}
        done = subprocess.run(["sh", "-ec", script], cwd=cwd or self.top, capture_output=True, text=True, env=env)
        assert not check or done.returncode == 0, f"{script}\n{done.stdout}{done.stderr}"
        return (done.stdout + done.stderr).strip()

    def dream(self, numbers: range | list[int] = range(4), run: str = "", **fields: object) -> tuple[Candidate, ...]:
        """One run that proposes to change the notes `numbers`; `fields` are the Run's."""
        made = Run(run or new_run_id(), "rules", **fields)  # type: ignore[arg-type]
        return write(self.git, MACHINE, made, [proposal(number) for number in numbers])

    def propose(self, *proposals: Proposal) -> tuple[Candidate, ...]:
        """One run with these proposals."""
        return write(self.git, MACHINE, Run(new_run_id(), "rules"), proposals)

    def read(self, path: str, rev: str = "main") -> str:
        """A file's text in a commit; "" when it is not there."""
        return (self.git.blob(rev, path) or b"").decode()

    def fsck(self) -> str:
        """What `git fsck` complains about."""
        return self.sh("git fsck --no-dangling --no-progress 2>&1")

    def edits(self) -> str:
        """The person's uncommitted and staged work, as one text to compare."""
        return self.sh(
            "set +e; git status --porcelain; git diff | grep '^[+-]'; git diff --cached | grep '^[+-]'; true"
        )
