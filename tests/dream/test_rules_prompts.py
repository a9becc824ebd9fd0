"""The offline engine over prompts written for this purpose: ordinary ones leave it silent, durable ones are heard."""

from pathlib import Path

from memwiki.dream.edits import Batch, Conversation, Edit, Excerpt
from memwiki.dream.engines.rules import Rules
from memwiki.dream.evidence import cited

PROMPTS = Path(__file__).parent / "prompts"


def heard(*turns: str) -> tuple[Edit, ...]:
    """What the engine proposes for one conversation; a turn that starts with `S: ` is the agent's closing words.

    Each proposal passes the gate that checks its evidence word for word.
    """
    talk = conversation(turns)
    edits = Rules().distil(Batch((talk,))).edits
    for edit in edits:
        cited(edit, {one.id: one for one in talk.excerpts})
    return edits


def conversation(turns: tuple[str, ...]) -> Conversation:
    said = [turn.replace("\\n", "\n") for turn in turns]
    excerpts = tuple(
        Excerpt(f"claude/s#{n}", "Stop", "agent", text[3:])
        if text.startswith("S: ")
        else Excerpt(f"claude/s#{n}", "UserPromptSubmit", "person", text)
        for n, text in enumerate(said, 1)
    )
    return Conversation("claude/s", "claude", "github.com/acme/shop", "project/acme-shop", "main", excerpts)


def holds(edit: Edit, stems: str) -> bool:
    """Whether an edit says what `stems` ask for: each of them, or one of the alternatives `a|b`."""
    text = edit.text.casefold()
    return all(any(one in text for one in stem.split("|")) for stem in stems.casefold().split())


def test_ordinary_prompts_leave_it_silent() -> None:
    prompts = (PROMPTS / "rules_idle.txt").read_text("utf-8").split("\n%\n")
    loud = {prompt: found for prompt in prompts if (found := [edit.text for edit in heard(prompt.strip("\n"))])}
    assert len(prompts) >= 440
    assert len(loud) <= 0.03 * len(prompts), loud


def test_durable_prompts_are_heard() -> None:
    lines = (PROMPTS / "rules_durable.txt").read_text("utf-8").splitlines()
    cases = [line.split(" :: ", 1) for line in lines if line and not line.startswith("#")]
    found, proposals, missed = 0, 0, []
    for stems, said in cases:
        edits = heard(*said.split(" || "))
        hit = any(holds(edit, stems) for edit in edits)
        found, proposals = found + hit, proposals + len(edits)
        missed += [] if hit else [said]
    assert len(cases) >= 340
    assert found >= 0.8 * len(cases), missed
    assert found >= 0.85 * proposals
