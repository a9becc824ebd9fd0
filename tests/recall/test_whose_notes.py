"""Whose notes a project is given: two projects never share a folder, and one that has changed its key keeps its own."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from recall_place import note

from memwiki.app import Memory, open_memory
from memwiki.errors import Finding, MemwikiError
from memwiki.init import init
from memwiki.recall import hook

PROMPT = "how do I run the receipt printer tests?"
SAID = "Remember: in this repo the receipt printer tests need PRINTER=fake."
Git = Callable[..., str]


@pytest.fixture
def memory(home: Path) -> Iterator[Memory]:
    """The memory of the throw-away home."""
    init()
    with open_memory() as opened:
        yield opened


@pytest.fixture
def repo(home: Path, git: Git) -> Callable[..., Path]:
    """`repo("work/api", remote)`: a repository below the home."""

    def made(name: str, remote: str = "") -> Path:
        folder = home / name
        folder.mkdir(parents=True)
        git(folder, "init", "-q")
        if remote:
            git(folder, "remote", "add", "origin", remote)
        git(folder, "commit", "-q", "--allow-empty", "-m", "start")
        return folder

    return made


def say(memory: Memory, folder: Path, words: str = SAID, session: str = "s1") -> None:
    for native in ("UserPromptSubmit", "Stop"):
        memory.append(
            "claude",
            native,
            {"session_id": session, "cwd": str(folder), "hook_event_name": native, "prompt": words},
        )
    memory.sync()


def learn(memory: Memory, folder: Path, words: str = SAID, session: str = "s1") -> str:
    """Something is said, distilled and approved; the path of its note."""
    say(memory, folder, words, session)
    memory.dream(engine="rules")
    (candidate,) = memory.candidates()
    memory.approve(candidate.id)
    return candidate.path


def is_given(memory: Memory, folder: Path) -> bool:
    return "PRINTER" in memory.recall(PROMPT, project=str(folder)).text


def findings(memory: Memory, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[Finding]:
    monkeypatch.chdir(folder)
    return [one for one in memory.doctor() if one.area == "project"]


OTHERS = [
    ("https://gitlab.com/client-a/team/api.git", "https://gitlab.com/client-b/team/api.git"),
    ("git@github.com:acme/shop-mobile.git", "git@github.com:acme-shop/mobile.git"),
    ("https://dev.azure.com/org-one/pay/_git/api", "https://dev.azure.com/org-two/hr/_git/api"),
    ("https://dev.azure.com/org-one/pay/_git/api", "https://dev.azure.com/org-two/pay/_git/api"),
    ("git@git.corp-a.example:ops/tools.git", "git@git.corp-b.example:ops/tools.git"),
]


@pytest.mark.parametrize(("first", "second"), OTHERS)
def test_case_66_two_projects_never_share_a_folder(memory: Memory, repo: Any, first: str, second: str) -> None:
    one, two = repo("one", first), repo("two", second)
    path = learn(memory, one)
    assert is_given(memory, one)
    assert not is_given(memory, two)
    other = learn(memory, two, "Remember: in this repo the invoice tests need a running redis.", "s2")
    assert Path(other).parent != Path(path).parent
    assert not is_given(memory, two)
    assert "redis" not in memory.recall("how do I run the invoice tests?", project=str(one)).text


SAME = [
    ("https://github.com/acme/shop.git", "git@github.com:Acme/Shop.git"),
    ("https://github.com/acme/shop.git", "ssh://git@ssh.github.com:443/acme/shop.git"),
    ("https://dev.azure.com/org/pay/_git/api", "git@ssh.dev.azure.com:v3/org/pay/api"),
    ("https://dev.azure.com/org/pay/_git/api", "https://org@dev.azure.com/org/pay/_git/api"),
    ("https://dev.azure.com/org/pay/_git/api", "https://org.visualstudio.com/DefaultCollection/pay/_git/api"),
    ("https://dev.azure.com/org/api/_git/api", "https://org.visualstudio.com/_git/api"),
    ("https://dev.azure.com/org/pay/_git/api", "org@vs-ssh.visualstudio.com:v3/org/pay/api"),
    ("git@github.com:acme/shop.git", "git@github-work:acme/shop.git"),
    ("git@github.com:acme/shop.git", "git@github.com-work:acme/shop.git"),
    ("git@git.corp.example:acme/shop.git", "git@corp:acme/shop.git"),
]


@pytest.mark.parametrize(("first", "second"), SAME)
def test_case_66_the_addresses_of_one_repository_are_one(
    memory: Memory, repo: Any, home: Path, first: str, second: str
) -> None:
    (home / ".ssh").mkdir()
    (home / ".ssh/config").write_text("# mine\nHost other corp\n  User git\n  HostName=git.corp.example\nHost *\n")
    one, two = repo("one", first), repo("two", second)
    learn(memory, one)
    assert is_given(memory, one)
    assert is_given(memory, two)


def test_case_66_the_table_goes_with_the_vault(memory: Memory, repo: Any, git: Git, home: Path) -> None:
    learn(memory, repo("one", "https://gitlab.com/client-a/team/api.git"))
    git(home, "clone", "-q", str(memory.config.vault), str(home / "clone"))
    init(home / "clone", home / "second")
    with open_memory(home / "second") as other:
        other.sync()
        assert not is_given(other, repo("two", "https://gitlab.com/client-b/team/api.git"))
        assert is_given(other, repo("three", "https://gitlab.com/client-a/team/api.git"))


def test_case_66_a_folder_of_before_stays_with_the_first(
    memory: Memory, repo: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = repo("one", "https://gitlab.com/client-a/team/api.git")
    two = repo("two", "https://gitlab.com/client-b/team/api.git")
    folder = memory.config.vault / "project/team-api"
    folder.mkdir(parents=True)
    (folder / "printer.md").write_text("The receipt printer tests need PRINTER=fake.\n")
    memory.sync()
    assert is_given(memory, two), "nobody else is known"
    say(memory, one, "hello")
    assert is_given(memory, one)
    assert not is_given(memory, two)
    say(memory, two, "hello", "s2")
    assert is_given(memory, one)
    assert not is_given(memory, two)
    (finding,) = findings(memory, memory.config.vault.parent, monkeypatch)
    assert "client-a" in finding.message
    (memory.config.vault / ".memwiki").mkdir()
    (memory.config.vault / ".memwiki/projects.toml").write_text('team-api = ["gitlab.com/client-b/team/api"]\n')
    memory.sync()
    assert not is_given(memory, one)
    assert is_given(memory, two)
    assert not findings(memory, memory.config.vault.parent, monkeypatch)


def test_a_folder_that_azure_notes_had_stays_theirs(memory: Memory, repo: Any) -> None:
    one = repo("one", "https://dev.azure.com/org/pay/_git/api")
    say(memory, one, "hello")
    (memory.config.vault / "project/_git-api").mkdir(parents=True)
    (memory.config.vault / "project/_git-api/p.md").write_text("The receipt printer tests need PRINTER=fake.\n")
    memory.sync()
    assert is_given(memory, one)
    assert not is_given(memory, repo("two", "https://dev.azure.com/org/hr/_git/api"))


def _adds_remote(folder: Path, git: Git) -> Path:
    git(folder, "remote", "add", "origin", "git@github.com:ana/till.git")
    return folder


def _moves(folder: Path, git: Git) -> Path:
    return folder.rename(folder.with_name("cashdesk"))


def _changes_owner(folder: Path, git: Git) -> Path:
    git(folder, "remote", "set-url", "origin", "git@github.com:acme/cashdesk.git")
    return folder


@pytest.mark.parametrize(
    ("remote", "change"),
    [("", _adds_remote), ("", _moves), ("git@github.com:ana/till.git", _changes_owner)],
    ids=["gets a remote", "is moved", "has another owner"],
)
def test_case_67_a_project_keeps_its_notes(
    memory: Memory, repo: Any, git: Git, monkeypatch: pytest.MonkeyPatch, remote: str, change: Any
) -> None:
    folder = repo("till", remote)
    path = learn(memory, folder)
    assert not findings(memory, folder, monkeypatch)
    monkeypatch.chdir("/")
    folder = change(folder, git)
    assert not is_given(memory, folder)
    (finding,) = findings(memory, folder, monkeypatch)
    assert path.rpartition("/")[0] in finding.message
    was, project = finding.remedy.partition("`memwiki alias ")[2].partition("`")[0].split()
    memory.rename_project(was, project)
    assert is_given(memory, folder)
    assert not findings(memory, folder, monkeypatch)
    assert memory.project_folder(folder)[1] == path.rpartition("/")[0], "new notes go where the old ones are"


def test_case_67_links_change_nothing(memory: Memory, repo: Any, home: Path) -> None:
    folder = repo("w/till")
    learn(memory, folder)
    (home / "link").symlink_to(home / "w")
    (home / "deep").symlink_to(folder)
    assert is_given(memory, home / "link/till")
    assert is_given(memory, home / "deep")


def test_case_67_a_fork_beside_the_upstream_changes_nothing(memory: Memory, repo: Any, git: Git) -> None:
    fork = repo("fork", "git@github.com:acme/shop.git")
    learn(memory, fork)
    git(fork, "remote", "rename", "origin", "upstream")
    git(fork, "remote", "add", "fork", "git@github.com:ana/shop.git")
    assert is_given(memory, fork)


def test_an_alias_is_said_once_and_only_of_projects_that_are_known(memory: Memory, repo: Any, git: Git) -> None:
    folder = repo("till")
    learn(memory, folder)
    was = memory.project_folder(folder)[0]
    with pytest.raises(MemwikiError, match="No events or notes are known"):
        memory.rename_project("github.com/ana/other", "github.com/ana/till")
    with pytest.raises(MemwikiError, match="is this project already"):
        memory.rename_project(was, was)
    assert memory.rename_project(was, "github.com/ana/till")
    assert not memory.rename_project(was, "github.com/ana/till")
    shown = git(memory.config.vault, "show", "main:.memwiki/projects.toml")
    assert f'[[alias]]\nproject = "github.com/ana/till"\nwas = "{was}"\n' in shown


def test_a_pause_goes_with_the_alias(memory: Memory, repo: Any, git: Git) -> None:
    folder = repo("till")
    learn(memory, folder)
    was = memory.project_folder(folder)[0]
    memory.pause(str(folder))
    _adds_remote(folder, git)
    memory.rename_project(was, "github.com/ana/till")
    assert not is_given(memory, folder)
    assert memory.config.paused_projects == ("github.com/ana/till", was)


def test_a_pause_under_an_old_address_of_azure_holds(memory: Memory, repo: Any) -> None:
    folder = repo("api", "https://dev.azure.com/org/pay/_git/api")
    memory.set("capture.paused", True, project="dev.azure.com/org/pay/_git/api")
    say(memory, folder)
    assert not memory.sessions()
    assert memory.refusal(project=str(folder))


@pytest.fixture
def workspace(memory: Memory, repo: Any, home: Path) -> Path:
    """A folder above two repositories, each with a pinned note."""
    for name, body in (("api", "The invoice endpoint is versioned by the header X-Invoice."), ("web", "Use vite.")):
        repo(f"work/{name}", f"git@github.com:acme/{name}.git")
        file = memory.config.vault / f"project/acme-{name}/v.md"
        file.parent.mkdir(parents=True)
        file.write_text(note(body, pin="true"))
    memory.sync()
    return home / "work"


def test_case_76_above_repositories_those_count_that_were_worked_in(memory: Memory, workspace: Path) -> None:
    base = {"session_id": "s1", "cwd": str(workspace)}
    ask = {**base, "hook_event_name": "UserPromptSubmit", "prompt": "how is the invoice endpoint in api versioned?"}

    def answer() -> str:
        raw = json.dumps(ask).encode()
        return hook.answer(str(memory.home.path), "claude", "UserPromptSubmit", str(workspace), raw).decode()

    assert "X-Invoice" not in answer()
    read = {"tool_name": "Read", "tool_input": {"file_path": str(workspace / "api/invoice.py")}, "tool_response": {}}
    memory.append("claude", "PostToolUse", {**base, "hook_event_name": "PostToolUse", **read})
    memory.sync()
    assert "X-Invoice" in answer()
    assert "vite" not in answer()
    assert {event.project for event in memory.events("claude/s1")} == {"github.com/acme/api"}


def test_case_76_this_repo_is_not_every_project(memory: Memory, workspace: Path) -> None:
    say(memory, workspace, "Remember: in this repo the invoice tests need a running redis.")
    report = memory.dream(engine="rules")
    assert not memory.candidates()
    assert "said of one project" in report.refused[0].reason
    say(memory, workspace, "Remember: always run the redis tests with docker.", "s2")
    memory.dream(engine="rules")
    assert [one.path for one in memory.candidates()] == ["tools/redis.md"]


def test_case_76_all_roots_of_an_editor_count(memory: Memory, workspace: Path) -> None:
    roots = [str(workspace / "api"), str(workspace / "web")]
    base = {"conversation_id": "c1", "cursor_version": "3.14", "workspace_roots": roots}
    start = json.dumps({**base, "hook_event_name": "sessionStart"}).encode()
    text = hook.answer(str(memory.home.path), "cursor", "sessionStart", "", start).decode()
    assert "X-Invoice" in text
    assert "vite" in text
    tool = {"tool_name": "Read", "tool_input": {"file_path": f"{roots[1]}/main.ts"}}
    memory.append("cursor", "postToolUse", {**base, "hook_event_name": "postToolUse", **tool})
    memory.append("cursor", "afterFileEdit", {**base, "file_path": f"{roots[1]}/a.ts", "edits": []})
    memory.append("cursor", "beforeSubmitPrompt", {**base, "prompt": "hello"})
    memory.sync()
    projects = [event.project for event in memory.events("cursor/c1")]
    assert projects == ["github.com/acme/web", "github.com/acme/web", "github.com/acme/api"]


def test_case_76_what_is_paused_stays_so_from_above(memory: Memory, workspace: Path) -> None:
    memory.pause(str(workspace / "web"))
    roots = [str(workspace / "api"), str(workspace / "web")]
    start = {"conversation_id": "c1", "hook_event_name": "sessionStart", "workspace_roots": roots}
    raw = json.dumps(start).encode()
    assert "vite" not in hook.answer(str(memory.home.path), "cursor", "sessionStart", "", raw).decode()
    tool = {
        "tool_name": "Read",
        "tool_input": {"file_path": f"{roots[1]}/main.ts"},
        "session_id": "s7",
        "cwd": roots[0],
    }
    memory.append("claude", "PostToolUse", {**tool, "hook_event_name": "PostToolUse"})
    memory.sync()
    assert not [one for one in memory.sessions() if one.key == "claude/s7"]


@pytest.mark.parametrize(
    ("pointer", "name"),
    [
        ("/Users/ana/shop/.git/worktrees/agent-1", "shop"),
        ("../shop/.git/worktrees/agent-1", "shop"),
        ("/srv/shop.git/worktrees/agent-1", "shop"),
        ("../.git/modules/lib", "lib"),
    ],
)
def test_case_77_a_work_tree_without_its_repository(
    memory: Memory, home: Path, monkeypatch: pytest.MonkeyPatch, pointer: str, name: str
) -> None:
    folder = home / "tree/src"
    folder.mkdir(parents=True)
    (home / "tree/.git").write_text(f"gitdir: {pointer}\n")
    path = learn(memory, folder)
    assert path.startswith(f"project/local-{name}-")
    assert is_given(memory, folder)
    (finding,) = findings(memory, folder, monkeypatch)
    assert f"gitdir: {pointer}" in finding.message


def test_unc_paths_of_a_checkout_have_a_project(memory: Memory, repo: Any, home: Path) -> None:
    from memwiki.capture.project import project_of

    folder = repo("shop", "git@github.com:acme/shop.git")
    dashed = str(folder).replace("/", "\\")
    for spelling in (f"/{folder}", f"\\{dashed}", f"\\\\wsl$\\Ubuntu{dashed}", f"//wsl.localhost/Ubuntu{folder}"):
        assert project_of(spelling) == ("github.com/acme/shop", str(folder), "main")
    assert project_of("\\\\server\\share\\gone") == ("", "", "")
    clone = repo("clone", "\\\\server\\share\\shop.git")
    other = repo("other", "//server/share/shop.git")
    assert project_of(str(clone))[0] == project_of(str(other))[0]
    assert project_of(str(other))[0].startswith("local/shop-")
