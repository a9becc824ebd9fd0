"""`make demo`: the whole story in under a minute, offline, in a throw-away home that is named and kept.

The sessions in claude.jsonl and codex.jsonl have the shape of payloads recorded from Claude Code 2.1 and Codex 0.171
(see tests/payloads/README.md); their words were written for this demo. They are played through the installed hook,
by the very command that `memwiki link` registered.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
COLOURS = sys.stdout.isatty() and "NO_COLOR" not in os.environ


def say(text: str, style: str = "") -> None:
    """One line of the story; `style` is an ANSI code, used on a colour terminal only."""
    print(f"\033[{style}m{text}\033[0m" if style and COLOURS else text, flush=True)


class Stage:
    """A throw-away home with a person, a project, and an environment in which nothing of the caller's is used."""

    def __init__(self) -> None:
        self.top = Path(tempfile.mkdtemp(prefix="memwiki-demo-"))
        self.project = self.top / "shop"
        self.memory = self.top / ".memwiki"
        self.vault = self.memory / "vault"
        kept = {
            name: os.environ[name] for name in ("PATH", "TERM", "NO_COLOR", "COLUMNS", "LANG") if name in os.environ
        }
        self.env = {**kept, "HOME": str(self.top), "MEMWIKI_HOME": str(self.memory), "LC_ALL": "C.UTF-8"}
        (self.top / ".gitconfig").write_text(
            "[user]\n\tname = Sam Rivera\n\temail = sam@example.com\n[init]\n\tdefaultBranch = main\n", "utf-8"
        )
        self.project.mkdir()
        self.run("git", "init", "--quiet")
        self.run("git", "remote", "add", "origin", "https://github.com/acme/shop.git")

    def run(self, *command: str, extra: dict[str, str] | None = None) -> str:
        """The output of a command in the project; the demo ends when one fails."""
        done = subprocess.run(
            command, cwd=self.project, env={**self.env, **(extra or {})}, capture_output=True, encoding="utf-8"
        )
        if done.returncode:
            sys.exit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
        return done.stdout

    def memwiki(self, *args: str, extra: dict[str, str] | None = None) -> str:
        """The output of `memwiki ARGS`."""
        return self.run(sys.executable, "-m", "memwiki", *args, extra=extra)

    def show(self, *args: str, what: str = "memwiki", extra: dict[str, str] | None = None) -> None:
        """Print a command as a person would type it, and what it prints."""
        say(f"\n$ {what} {' '.join(quoted(arg, self) for arg in args)}", "1")
        out = self.memwiki(*args, extra=extra) if what == "memwiki" else self.run(what, *args, extra=extra)
        print(out.rstrip("\n"), flush=True)

    def play(self, host: str, settings: Path, session: str) -> list[tuple[str, str]]:
        """Feed a recorded session, event by event, to the registered commands; (event, answer) for each answer."""
        registered = json.loads(settings.read_text("utf-8"))["hooks"]
        answers = []
        for line in (HERE / f"{host}.jsonl").read_text("utf-8").replace("@PROJECT@", str(self.project)).splitlines():
            payload = json.loads(line)
            event = payload.pop("event")
            common = {"session_id": session, "cwd": str(self.project), "hook_event_name": event, "transcript_path": ""}
            for command in commands(registered[event]):
                done = subprocess.run(
                    ["sh", "-c", command],
                    input=json.dumps({**common, **payload}),
                    cwd=self.project,
                    env={**self.env, "CLAUDE_PROJECT_DIR": str(self.project)},
                    capture_output=True,
                    encoding="utf-8",
                )
                if done.stdout.strip() not in ("", "{}"):
                    answers.append((event, json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"]))
            if "prompt" in payload:
                say(f"  {host:6} you:   {payload['prompt']}")
            elif event == "Stop":
                say(f"  {host:6} agent: {payload['last_assistant_message']}", "2")
        return answers


def quoted(arg: str, stage: Stage) -> str:
    """An argument as a person would type it, with the demo's folders by name."""
    short = arg.replace(str(stage.vault), "$VAULT").replace(str(stage.project), "shop")
    return f'"{short}"' if " " in short else short


def commands(groups: list[dict[str, Any]]) -> list[str]:
    """The commands registered for one event in a settings file of Claude Code or Codex."""
    return [hook["command"] for group in groups for hook in group["hooks"]]


def step(number: int, title: str, why: str) -> None:
    """A heading with a line on what the step does."""
    say(f"\n--- {number}. {title} ---", "1;36")
    say(why)


def main() -> None:
    """Play the story."""
    stage = Stage()
    git = ("-C", str(stage.vault))
    say(f"A throw-away home: {stage.top} (kept, so that you can look around)")

    step(1, "Set up", "A home, an empty vault of notes in git, and hooks in two agents, for one project only.")
    stage.show("init")
    stage.show("link", "claude", "--project", str(stage.project))
    stage.show("link", "codex", "--project", str(stage.project))

    step(2, "Work with Claude Code", "Each event goes through the installed hook; most of what is said is just work.")
    stage.play("claude", stage.project / ".claude" / "settings.local.json", "b1f0c0de-0000-4000-8000-000000000001")

    step(3, "Dream", "The offline engine reads the events and proposes what will matter again, one commit each.")
    stage.show("dream", "--engine", "rules")
    pending = json.loads(stage.memwiki("review", "list", "--json"))["candidates"]
    branch = f"dream/{pending[0]['run']}"
    stage.show(*git, "log", "--oneline", "--stat", f"main..{branch}", what="git")
    stage.show(*git, "show", branch, what="git")

    step(
        4, "Review", "One is approved, one is edited first, one is refused with a reason. Only now does memory change."
    )
    chosen = {
        word: next(one for one in pending if word in one["subject"])
        for word in ("always use pnpm", "short", "cents", "fails")
    }
    stage.show("review", "approve", chosen["always use pnpm"]["id"], chosen["short"]["id"])
    # A stand-in for your editor: it adds half a sentence to the candidate's line.
    editor = "sed -i.orig -e '/^- .*cents/s/\\.*$/; format them only where they are shown./'"
    stage.show("review", "edit", chosen["cents"]["id"], extra={"EDITOR": editor, "VISUAL": editor})
    stage.show("review", "reject", chosen["fails"]["id"], "--why", "The rule about pnpm says it already")

    step(5, "Go on in Codex", "Another agent, another day: it asks, and this is exactly what the hook gives it.")
    for event, text in stage.play(
        "codex", stage.project / ".codex" / "hooks.json", "019b0000-0000-7000-8000-000000000002"
    ):
        say(f"\n  injected at {event}:", "1")
        print("\n".join(f"  | {line}" for line in text.splitlines()), flush=True)

    step(6, "Ask why", "Every line leads back to the words that it rests on.")
    note = chosen["cents"]["path"]
    lines = stage.run("git", *git, "show", f"main:{note}").splitlines()
    number = next(
        index for index, line in enumerate(lines, 1) if "cents" in line and not line.startswith(("title", "desc"))
    )
    stage.show("why", f"{note}:{number}")
    stage.show(*git, "log", "main", what="git")

    say(f"\nLook around: export MEMWIKI_HOME={stage.memory}; memwiki status; git -C {stage.vault} log --all --graph")


if __name__ == "__main__":
    main()
