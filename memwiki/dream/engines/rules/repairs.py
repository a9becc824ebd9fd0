"""Commands that failed until something else made them work: the one lesson that tool events alone can carry.

Only the commands are read, never a tool's output, which anybody may have written.
"""

import re
import shlex
from dataclasses import dataclass

from ...edits import Conversation, Excerpt
from ...excerpt import SHELLS
from .language import words

REACH = 6  # commands after a failure within which its repair is looked for

# Programs that only look, wait, fetch or edit: a success of theirs between two runs explains nothing, and their failing
# (nothing found, no such file) is an answer.
LOOKING = words(
    """
    ls cat head tail less more grep rg ag find fd tree wc stat file du df pwd echo printf which type whereis
    whoami date sleep watch true diff cmp sort uniq cut awk sed jq yq test [ git-status git-diff git-log git-
    show git-blame git-grep git-branch git-checkout git-restore git-stash git-add git-commit git-push git-fetch
    git-pull git-rebase git-reset git-revert git-cherry-pick git-merge git-switch curl wget ping dig nslookup
    host nc ps top kill pkill killall lsof ss netstat man cd pushd popd touch rm mv cp mkdir ln chmod tee patch
    vi vim nano code open xdg-open apply_patch prettier black gofmt rustfmt clear history
    """
)
# Tools other than a shell that change nothing.
READING = words(
    "read grep glob ls websearch webfetch web_search read_file list_dir grep_search codebase_search todowrite"
)
# Options that ask for less, for more words or for a way round the check; with them a success proves nothing.
EVASIVE = re.compile(
    r"^(?:-[kxvqhmntlsufVn]+|-vv+|-[A-Za-z]?k|--(?:verbose|quiet|silent|debug|help|version|dry-run|list|collect-only"
    r"|filter|grep|only|skip|ignore|deselect|no-verify|last-failed|lf|ff|failed-first|exitfirst|tb|fix|write|update"
    r"|update-snapshots?|force|force-with-lease|set-upstream|yes|bail|maxfail|trace|color|no-color|watch|run"
    r"|testPathPattern|testNamePattern|test-name-pattern|allow-empty|amend|continue|abort|no-edit|short"
    r"|stat)(?:[=-].*)?)$"
)
ASSIGNMENT = re.compile(r"^[A-Za-z_]\w*=")
SECRET = re.compile(
    r"(?i)(?:pass|secret|token|key|credential|auth)\w*=|://[^/\s:]+:[^/\s@]+@|\[redacted|[A-Za-z0-9+/_-]{32,}"
)


@dataclass(frozen=True, slots=True)
class Command:
    """A shell command taken apart: the folder it changes to first, the variables it sets, and its words."""

    raw: str
    folder: str
    variables: tuple[str, ...]
    words: tuple[str, ...]

    @property
    def program(self) -> str:
        """The program's name without its folder; git and its like with their subcommand."""
        name = self.words[0].rsplit("/", 1)[-1]
        return f"git-{self.words[1]}" if name == "git" and len(self.words) > 1 else name


@dataclass(frozen=True, slots=True)
class Repair:
    """`text` says it; `quotes` are (event id, command) of the failure, what helped, and the success."""

    text: str
    quotes: tuple[tuple[str, str], ...]


def command_of(raw: str) -> Command | None:
    """`raw` taken apart, or None when it is more than one plain command (pipes, lists, redirections, many lines)."""
    line = raw.strip()
    folder = ""
    moved = re.match(r"cd\s+([^\s;&|]+)\s*&&\s*", line)
    if moved:
        folder, line = moved[1], line[moved.end() :]
    line = re.sub(r"\s+2>&1\s*$|\s*\|\s*(?:tail|head)\b[^|]*$", "", line)
    if not line or len(line) > 200 or re.search(r"[|;&<>\n`]|\$\(", line):
        return None
    try:
        parts = shlex.split(line)
    except ValueError:
        return None
    if parts and parts[0] == "env":
        parts = parts[1:]
    variables = []
    while parts and ASSIGNMENT.match(parts[0]):
        variables.append(parts.pop(0))
    return Command(line, folder, tuple(variables), tuple(parts)) if parts else None


def chain_of(raw: str) -> list[Command]:
    """The commands of `a && b`, all of which worked when the whole did; [] when one of them is not plain."""
    whole = command_of(raw)
    if whole:
        return [whole]
    found = [command_of(part) for part in raw.split(" && ")]
    return [one for one in found if one] if all(found) else []


def repairs(conversation: Conversation) -> list[Repair]:
    """The conversation's repairs, each once, in order."""
    found: dict[str, Repair] = {}
    acts = [one for one in conversation.excerpts if one.who in ("tool", "web")]
    for place, act in enumerate(acts):
        failed = command_of(act.command) if act.failed and _is_shell(act) else None
        if failed and failed.program not in LOOKING:
            repair = _repair(act, failed, [other for other in acts[place + 1 :] if other.agent == act.agent])
            if repair and not SECRET.search(" ".join(words for _, words in repair.quotes)):
                found.setdefault(repair.text, repair)
    return list(found.values())


def _is_shell(act: Excerpt) -> bool:
    return bool(act.command) and act.tool in SHELLS


def _repair(act: Excerpt, failed: Command, later: list[Excerpt]) -> Repair | None:
    """Walk on from a failure to the run that worked; an edit on the way, or a plain second run, ends it."""
    helped: list[tuple[Excerpt, Command]] = []
    for other in later[:REACH]:
        if not _is_shell(other):
            if other.tool.casefold() in READING:
                continue
            return None  # something was edited, or may have been
        for done in [] if other.failed else chain_of(other.command):
            if (done.words, done.variables, done.folder) == (failed.words, failed.variables, failed.folder):
                return _helped(act, failed, helped, other)
            if _same_work(failed, done):
                shown = f"cd {done.folder} && {done.raw}" if done.folder not in ("", failed.folder) else done.raw
                text = f"`{failed.raw}` fails here, `{shown}` works"
                return Repair(text, ((act.id, act.command), (other.id, other.command)))
            if done.program not in LOOKING:
                helped.append((other, done))
    return None


def _helped(act: Excerpt, failed: Command, helped: list[tuple[Excerpt, Command]], worked: Excerpt) -> Repair | None:
    """The repair by the one command that ran in between; with none it was a plain retry, with several it is a guess."""
    if len(helped) != 1:
        return None
    helper, made = helped[0]
    quotes = dict.fromkeys(((act.id, act.command), (helper.id, helper.command), (worked.id, worked.command)))
    return Repair(f"`{failed.raw}` needs `{made.raw}` first", tuple(quotes))


def _same_work(failed: Command, done: Command) -> bool:
    """Whether `done` is `failed` with another variable, option, folder or program, and nothing left out."""
    same_words = failed.words == done.words
    if same_words:
        return failed.variables != done.variables or (done.folder != failed.folder and bool(done.folder))
    if done.words[1:] == failed.words and done.words[0] in (
        "sudo",
        "npx",
        "uv",
        "poetry",
        "pipenv",
        "bundle",
        "pnpm",
        "yarn",
        "bunx",
        "rye",
        "hatch",
    ):
        return True
    if len(done.words) > 2 and done.words[2:] == failed.words and done.words[1] in ("run", "exec", "dlx"):
        return True
    if done.words[0] != failed.words[0]:
        return (
            done.words[1:] == failed.words[1:] and len(failed.words) > 1 and not _typo(failed.words[0], done.words[0])
        )
    plain = [word for word in failed.words if not word.startswith("-")]
    added = [word for word in done.words if word not in failed.words]
    lost = [word for word in failed.words if word not in done.words]
    if [word for word in done.words if word in plain] != plain or any(not word.startswith("-") for word in lost):
        return False
    if not added or not added[0].startswith("-") or any(EVASIVE.match(word) for word in added):
        return False
    return not (lost and added and any(_typo(old, new) for old in lost for new in added))


def _typo(old: str, new: str) -> bool:
    """Whether one word is the other mistyped: one letter more, less, other, or two changed over. Versions are not."""
    if old == new or (
        any(sign.isdigit() for sign in old + new) and old.rstrip("0123456789.") == new.rstrip("0123456789.")
    ):
        return False
    if sorted(old) == sorted(new):
        return True
    if abs(len(old) - len(new)) > 1:
        return False
    start = next((at for at, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    longer, shorter = (old, new) if len(old) >= len(new) else (new, old)
    typo = longer[start + 1 :] == (shorter[start:] if len(longer) > len(shorter) else shorter[start + 1 :])
    return typo and {old, new} not in ({"npm", "pnpm"}, {"pip", "pipx"}, {"npx", "pnpx"})
