"""Where a line comes from is found after what people do to notes: reflow, typo, rename, move, squash."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import memwiki
from memwiki.app import Memory
from memwiki.errors import MemwikiError

SENTENCE = "Run the integration tests with two workers because the cache refuses more than two connections."
Git = Callable[..., str]


@pytest.fixture
def lived(home: Path) -> Memory:
    memwiki.setup()
    opened = memwiki.open()
    vault = opened.config.vault
    (vault / "tools" / "tests.md").write_text(
        "# Tests\n\n- Deploys go out from the release branch.\n- Ana reviews every migration.\n", "utf-8"
    )
    subprocess.run(["git", "-C", str(vault), "add", "."], check=True)
    subprocess.run(["git", "-C", str(vault), "commit", "-qm", "What I know"], check=True)
    text = (vault / "tools" / "tests.md").read_text("utf-8") + f"- {SENTENCE}\n"
    opened.approve(opened.propose("tools/tests.md", text, why="said in review").id)
    return opened


def test_a_line_leads_to_its_candidate_and_a_persons_line_to_their_commit(lived: Memory) -> None:
    origin = lived.why("tools/tests", 5)[0]
    assert origin.candidate is not None
    assert (origin.candidate.why, origin.candidate.state) == ("said in review", "approved")
    mine = lived.why("tools/tests", 3)[0]
    assert (mine.candidate, mine.subject, mine.author) == (None, "What I know", "Ada Example")


AFTER = {
    "a neighbour edited": "sed -i 's/Ana reviews/Ana and Bo review/' tools/tests.md; git commit -qam e",
    "reflow": "fold -s -w 40 tools/tests.md | sed 's/ $//' > x; mv x tools/tests.md; git commit -qam reflow",
    "joined": "tr '\\n' ' ' < tools/tests.md > x; mv x tools/tests.md; git commit -qam join",
    "typo": "sed -i 's/because the/since the/' tools/tests.md; git commit -qam typo",
    "marker": "sed -i 's/^- /  * /' tools/tests.md; git commit -qam marker",
    "rename": "git mv tools/tests.md tools/testing.md; git commit -qm mv",
    "move": "grep connections tools/tests.md >> tools/README2.md; grep -v connections tools/tests.md > x;"
    " mv x tools/tests.md; git add -A; git commit -qm move",
}


@pytest.mark.parametrize("how", AFTER)
def test_a_line_is_found_after(how: str, lived: Memory) -> None:
    vault = lived.config.vault
    subprocess.run(["sh", "-c", AFTER[how]], cwd=vault, check=True)
    path, line = next(
        (str(note.relative_to(vault)), number)
        for note in sorted((vault / "tools").glob("*.md"))
        for number, text in enumerate(note.read_text("utf-8").splitlines(), 1)
        if "connections" in text or "refuses" in text
    )
    (origin,) = lived.why(path, line)
    assert origin.candidate is not None, origin
    assert origin.candidate.why == "said in review"


def test_a_squash_that_lost_the_trailers_is_found_in_the_ledger(lived: Memory, git: Git) -> None:
    vault = lived.config.vault
    text = "# Cache\n\n- The cache server restarts every Sunday at four in the morning.\n"
    made = lived.propose("tools/cache.md", text, why="an outage")
    git(vault, "merge", "-q", "--squash", f"dream/{made.run}")
    git(vault, "commit", "-qm", "monday")
    (origin,) = lived.why("tools/cache", 3)
    assert origin.subject == "monday"
    assert origin.candidate is not None and origin.candidate.id == made.id


def test_uncommitted_words_say_so_and_words_around_them_keep_their_origin(lived: Memory) -> None:
    note = lived.config.vault / "tools" / "tests.md"
    note.write_text(note.read_text("utf-8").replace("two workers", "2 workers") + "- Not committed.\n", "utf-8")
    assert lived.why("tools/tests", 6)[0].commit == ""
    changed = lived.why("tools/tests", 5)[0]
    assert changed.candidate is not None and changed.candidate.why == "said in review"


def test_a_vault_with_its_own_diff_driver_still_answers(lived: Memory, git: Git) -> None:
    vault = lived.config.vault
    for attribute in ("diff=markdown", "diff", "-diff"):
        (vault / ".git" / "info" / "attributes").write_text(f"*.md {attribute}\n", "utf-8")
        origin = lived.why("tools/tests", 5)[0]
        assert origin.candidate is not None, attribute


def test_a_line_that_is_not_there_is_an_error_with_a_remedy(lived: Memory) -> None:
    with pytest.raises(MemwikiError, match="has 5 lines, not 9") as refused:
        lived.why("tools/tests", 9)
    assert refused.value.remedy
