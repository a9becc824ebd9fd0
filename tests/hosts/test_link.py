"""Linking: settings files get our hooks and keep every other byte; unlinking gives back what was there."""

import json
import os
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memwiki.config import Home, load
from memwiki.errors import Finding, MemwikiError
from memwiki.hosts import NAMES
from memwiki.hosts.link import findings, link, survey, unlink
from memwiki.hosts.parts import whole_files
from memwiki.hosts.places import place as place_of
from memwiki.hosts.registration import flat, hook_word, owned, registration, settings_file, settings_folder, wanted
from memwiki.hosts.rules import rules_file

KEYS = st.sampled_from(["model", "permissions", "env", "é", "disableAllHooks"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(0, 9) | st.text('ab"\\\n/é', max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text("ab", max_size=2), inner, max_size=2),
    max_leaves=5,
)
SPLICED = [name for name in NAMES if not owned(name)]
FOREIGN = st.sampled_from(["say done", "h=1; exit 0", '[ -x "$HOME/.other/bin/hook" ] && exec it; exit 0'])


@pytest.fixture
def place(home: Path) -> Home:
    made = Home(home / ".memwiki")
    made.make()
    return made


def groups(name: str) -> st.SearchStrategy[list[Any]]:
    """Other people's hooks under one event, as that host writes them."""
    handler = FOREIGN.map(lambda command: {"type": "command", "bash" if name == "copilot" else "command": command})
    if flat(name):
        return st.lists(handler, max_size=2)
    grouped = st.fixed_dictionaries({"hooks": st.lists(handler, min_size=1, max_size=2)}, optional={"matcher": FOREIGN})
    return st.lists(grouped, max_size=2)


@st.composite
def files(draw: st.DrawFn, name: str) -> str:
    """A settings file: any layout, with or without hooks of others."""
    events = [*list(registration(name)["hooks"])[:3], "Foreign"]
    value = draw(st.dictionaries(KEYS, VALUES, max_size=3))
    if "version" in registration(name) and draw(st.booleans()):
        value["version"] = 1
    if draw(st.booleans()):
        value["hooks"] = draw(st.dictionaries(st.sampled_from(events), groups(name), max_size=3))
    if draw(st.booleans()):
        value["last"] = 1
    text = json.dumps(
        value, indent=draw(st.sampled_from([None, 0, 1, 2, 3, 4, "\t"])), ensure_ascii=draw(st.booleans())
    )
    text = text.replace("\n", draw(st.sampled_from(["\n", "\r\n"])))
    if place_of(name).comments and draw(st.booleans()):
        text = "// mine\n" + text.replace("{\n", "{ // opened\n", 1)
    mark = "\ufeff" if name != "codex" else ""
    return draw(st.sampled_from(["", mark, "\n\n"])) + text + draw(st.sampled_from(["", "\n", "\r\n \n"]))


def plain(text: str) -> Any:
    """The value of a settings file, comments and all."""
    return json.loads(re.sub(r"//[^\n\"]*$", "", text.lstrip("\ufeff"), flags=re.MULTILINE))


def foreign(value: Any) -> Any:
    """The value without memwiki's entries and what is empty without them."""
    hooks = {}
    for event, listed in value.get("hooks", {}).items():
        kept = []
        for group in listed:
            inner = [
                one
                for one in group.get("hooks", [group])
                if ".memwiki/bin/hook" not in one.get("command", one.get("bash"))
            ]
            if inner:
                kept.append({**group, "hooks": inner} if "hooks" in group else group)
        if kept:
            hooks[event] = kept
    rest = {key: one for key, one in value.items() if key not in ("hooks", "version")}
    return {**rest, "hooks": hooks} if hooks else rest


@pytest.mark.parametrize("name", SPLICED)
@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_link_and_unlink_any_settings_file(name: str, data: st.DataObject) -> None:
    place = Home(Path(os.environ["MEMWIKI_HOME"]))
    place.make()
    file = settings_file(name)
    file.parent.mkdir(parents=True, exist_ok=True)
    text = data.draw(files(name))
    file.write_bytes(text.encode())
    # Linked: every event once, as it should be; others' values in their order.
    assert link(place, name).changed
    ours = plain(file.read_bytes().decode())
    for event, handler in wanted(name, place).items():
        listed = [one for group in ours["hooks"][event] for one in group.get("hooks", [group])]
        assert listed.count(handler) == 1
    assert foreign(ours) == foreign(plain(text))
    # Again: nothing.
    linked = file.read_bytes()
    again = link(place, name)
    assert (again.changed, again.diff, file.read_bytes()) == (False, "", linked)
    # Nobody touched it: the bytes come back.
    if data.draw(st.booleans()):
        assert unlink(place, name).changed
        assert file.read_bytes() == text.encode()
    else:  # somebody did: only our entries go
        theirs = '{"theirs":[ 1 ],'
        file.write_bytes(linked.decode().replace("{", theirs, 1).encode())
        assert unlink(place, name).changed
        left, value = file.read_bytes().decode(), plain(text)
        assert ".memwiki/bin/hook" not in left
        assert foreign(plain(left)) == {"theirs": [1]} | foreign(value)
        ours_stays = "version" in registration(name) and "version" not in value
        if value and not ours_stays and foreign(value) == {key: value[key] for key in value if key != "version"}:
            assert left == text.replace("{", theirs, 1)  # nothing of theirs was empty, so the bytes come back too
    assert not unlink(place, name).changed


@pytest.mark.parametrize("name", NAMES)
def test_a_file_that_link_made_is_removed_with_its_folder(place: Home, name: str) -> None:
    file = settings_file(name)
    linked = link(place, name)
    assert linked.diff.startswith("--- /dev/null\n")
    if owned(name):
        for path, text in whole_files(place, name, file).items():
            assert path.read_text() == text
            assert path.stat().st_mode & 0o111
    else:
        assert json.loads(file.read_text()) == registration(name)
    again = link(place, name)
    assert (again.changed, again.diff) == (False, "")
    assert {one.host: one.state for one in survey(place)}[name] in ("linked", "untrusted")
    assert unlink(place, name).changed
    assert not file.parent.exists()
    assert not Path(os.environ["HOME"], place_of(name).folder).exists()


def test_a_folder_that_others_use_meanwhile_stays(place: Home) -> None:
    link(place, "claude")
    (settings_file("claude").parent / "agents").mkdir()
    unlink(place, "claude")
    assert [one.name for one in settings_file("claude").parent.iterdir()] == ["agents"]


def test_what_the_real_agents_do_not_read_is_refused(place: Home) -> None:
    """For a comment or a last comma Claude Code 2.1 drops the whole file, Codex 0.171 also for a byte order mark."""
    for name, text, ok in (
        ("claude", "\ufeff{}", True),
        ("claude", '{"a": 1,}', False),
        ("claude", "// a\n{}", False),
        ("codex", "\ufeff{}", False),
        ("codex", '{"a": 1,}', False),
        ("codex", "/* a */{}", False),
        ("cursor", '// a\n{"version": 1,}', True),
    ):
        file = settings_file(name)
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, "utf-8")
        if ok:
            link(place, name)
            unlink(place, name)
        else:
            with pytest.raises(MemwikiError, match=r"line 1: .*does not read"):
                link(place, name)
        assert file.read_text("utf-8") == text


@pytest.mark.parametrize("text", ["", " \n", "{}", "{\n}\n", "\ufeff"])
def test_an_empty_file_comes_back_as_it_was(place: Home, text: str) -> None:
    file = settings_file("claude")
    file.parent.mkdir()
    file.write_bytes(text.encode())
    link(place, "claude")
    assert set(json.loads(file.read_text("utf-8-sig"))["hooks"]) == set(wanted("claude", place))
    unlink(place, "claude")
    assert file.read_bytes() == text.encode()


def test_a_dry_run_shows_the_diff_and_writes_nothing(place: Home, home: Path) -> None:
    file = settings_file("codex")
    file.parent.mkdir()
    file.write_text('{"hooks": {}}')
    before = sorted(home.rglob("*"))
    shown = link(place, "codex", dry_run=True)
    assert shown.changed
    assert '-{"hooks": {}}\n' in shown.diff
    assert "+" in shown.diff
    assert sorted(home.rglob("*")) == before
    assert file.read_text() == '{"hooks": {}}'


def test_a_symlinked_file_stays_a_symlink(place: Home, tmp_path: Path) -> None:
    dotfiles = tmp_path / "dotfiles" / "claude.json"
    dotfiles.parent.mkdir()
    dotfiles.write_text('{"a": 1}\n')
    dotfiles.chmod(0o640)
    file = settings_file("claude")
    file.parent.mkdir()
    file.symlink_to(dotfiles)
    link(place, "claude")
    assert file.is_symlink()
    assert "hooks" in json.loads(dotfiles.read_text())
    assert dotfiles.stat().st_mode & 0o777 == 0o640
    unlink(place, "claude")
    assert (file.is_symlink(), dotfiles.read_text()) == (True, '{"a": 1}\n')


def test_a_symlink_to_nothing_is_filled_and_emptied(place: Home, tmp_path: Path) -> None:
    file = settings_file("claude")
    file.parent.mkdir()
    file.symlink_to(tmp_path / "away" / "settings.json")
    link(place, "claude")
    assert "hooks" in json.loads((tmp_path / "away" / "settings.json").read_text())
    unlink(place, "claude")
    assert file.is_symlink()
    assert not (tmp_path / "away").exists()


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b'{\n  "a": 1\n  "b": 2\n}', "line 3: no `,` or `}`"),
        (b'{\n// mine\n"a": 1}', "line 2: a comment, which this agent does not read"),
        (b'{"a": "\xff"}', "line 1: not UTF-8"),
        (b"{}\n[]", "line 2: text after the end"),
        (b"[]", "line 1: a list where settings are an object"),
        (b'{"hooks": []}', "line 1: a list where hooks are an object"),
        (b'{"hooks": {"Stop": {}}}', "line 1: the hooks of Stop are not a list"),
    ],
)
def test_a_broken_file_is_refused_with_its_line_and_kept(place: Home, data: bytes, said: str) -> None:
    file = settings_file("claude")
    file.parent.mkdir()
    file.write_bytes(data)
    with pytest.raises(MemwikiError, match=re.escape(said)) as caught:
        link(place, "claude")
    assert str(file) in caught.value.message
    assert caught.value.remedy
    assert file.read_bytes() == data
    assert list(place.backup.iterdir()) == []


def test_a_read_only_file_is_refused(place: Home) -> None:
    file = settings_file("claude")
    file.parent.mkdir()
    file.write_text("{}")
    file.chmod(0o444)
    with pytest.raises(MemwikiError, match="read-only"):
        link(place, "claude")
    assert file.read_text() == "{}"
    assert list(place.backup.iterdir()) == []


def test_a_folder_in_the_files_place_is_refused(place: Home) -> None:
    settings_file("claude").mkdir(parents=True)
    with pytest.raises(MemwikiError, match="Cannot read"):
        link(place, "claude")


def test_an_unknown_agent_and_a_missing_project(place: Home, tmp_path: Path) -> None:
    with pytest.raises(MemwikiError, match="emacs"):
        link(place, "emacs")
    with pytest.raises(MemwikiError, match="not a folder"):
        link(place, "claude", tmp_path / "gone")


def test_the_hosts_own_variables_are_followed(place: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "c"))
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / "x"))
    assert link(place, "claude").path == tmp_path / "c" / "settings.json"
    assert link(place, "codex").path == tmp_path / "x" / "hooks.json"
    assert {one.host: one.state for one in survey(place)} == {
        **dict.fromkeys(NAMES, "not linked"),
        "claude": "linked",
        "codex": "untrusted",
    }
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "xdg"))
    assert link(place, "opencode").path == tmp_path / "xdg" / "opencode" / "plugins" / "memwiki.js"
    monkeypatch.setenv("OPENCODE_CONFIG_DIR", str(tmp_path / "oc"))
    assert settings_file("opencode").is_relative_to(tmp_path / "oc")


def test_one_project(place: Home, tmp_path: Path) -> None:
    project = tmp_path / "shop"
    project.mkdir()
    linked = link(place, "claude", project)
    assert linked.path == project / ".claude" / "settings.local.json"
    assert not settings_file("claude").exists()
    assert next(one for one in survey(place) if one.host == "claude").projects == (str(project),)
    unlink(place, "claude", project)
    assert list(project.iterdir()) == []


def test_a_project_that_is_gone_can_be_unlinked(place: Home, tmp_path: Path) -> None:
    project = tmp_path / "shop"
    project.mkdir()
    link(place, "codex", project)
    project.rename(tmp_path / "moved")
    assert not unlink(place, "codex", project).changed
    assert next(one for one in survey(place) if one.host == "codex").projects == ()


@pytest.mark.parametrize("text", ["[hooks]\nstate = 1\n", "hooks = 3\n", "[hooks.state]\nx = 1\n", "not toml", ""])
def test_codex_settings_of_other_shapes_mean_no_trust(place: Home, text: str) -> None:
    link(place, "codex")
    (settings_file("codex").parent / "config.toml").write_text(text)
    assert next(one for one in survey(place) if one.host == "codex").state == "untrusted"


def test_a_project_of_an_agent_that_is_linked_for_all_is_left_alone(place: Home, tmp_path: Path) -> None:
    link(place, "codex")
    done = link(place, "codex", tmp_path)
    assert (done.changed, done.diff, done.state) == (False, "", "skipped")
    assert "all projects already" in done.words[0]
    assert not (tmp_path / ".codex").exists()


def test_codex_says_that_hooks_wait_for_trust(place: Home) -> None:
    assert any("trust" in sentence and "/hooks" in sentence for sentence in link(place, "codex").words)


def test_a_home_elsewhere_is_named_in_the_command(tmp_path: Path) -> None:
    odd = Home(tmp_path / "it's here")
    odd.make()
    link(odd, "claude")
    command = json.loads(settings_file("claude").read_text())["hooks"]["Stop"][0]["hooks"][0]["command"]
    quoted = "'" + str(odd.bin / "hook").replace("'", "'\\''") + "'"
    assert command == f"[ -x {quoted} ] && {quoted} claude Stop; exit 0"
    assert unlink(odd, "claude").changed
    for name in ("opencode", "cline"):
        assert link(odd, name).changed
        assert "s here/bin/hook" in settings_file(name).joinpath("" if name == "opencode" else "TaskStart").read_text()
        assert {one.host: one.state for one in survey(odd)}[name] == "linked"
        assert unlink(odd, name).changed


def test_an_older_registration_is_brought_up_to_date_in_place(place: Home) -> None:
    """Places count: Codex trusts a handler by its place in the file, so nothing right may move."""
    file = settings_file("codex")
    link(place, "codex")
    value = json.loads(file.read_text())
    value["hooks"]["Stop"][0]["hooks"][0]["timeout"] = 99
    value["hooks"]["Stop"].append({"hooks": [{"type": "command", "command": "say"}]})
    value["hooks"]["PreToolUse"] *= 2
    del value["hooks"]["Interrupt"]
    value["hooks"]["Retired"] = [{"hooks": [{**wanted("codex", place)["Stop"]}]}]
    file.write_text(json.dumps(value))
    assert link(place, "codex").changed
    now = json.loads(file.read_text())["hooks"]
    handlers = {event: [one for group in now[event] for one in group["hooks"]] for event in now}
    stop = [wanted("codex", place)["Stop"], {"type": "command", "command": "say"}]
    assert handlers == {event: [one] for event, one in wanted("codex", place).items()} | {"Stop": stop}
    unlink(place, "codex")
    assert json.loads(file.read_text()) == {"hooks": {"Stop": [value["hooks"]["Stop"][1]]}}


def test_entries_of_a_home_that_is_gone_are_taken_over(place: Home, tmp_path: Path) -> None:
    old = Home(tmp_path / "old")
    old.make()
    link(old, "claude")
    old.path.rename(tmp_path / "moved")
    moved = Home(tmp_path / "moved")
    assert any("a hook that is gone" in one.message for one in findings(moved, load(moved)))
    link(moved, "claude")
    text = settings_file("claude").read_text()
    assert "/old/" not in text
    assert findings(moved, load(moved)) == []


def test_entries_of_another_home_that_is_in_use_stay(place: Home, tmp_path: Path) -> None:
    other = Home(tmp_path / "other")
    other.make()
    link(other, "claude")
    link(place, "claude")
    assert any("another memwiki home" in one.message for one in findings(place, load(place)))
    unlink(place, "claude")
    assert set(re.findall(r"&& (\S+) ", settings_file("claude").read_text())) == {hook_word(other)}


@pytest.mark.parametrize("name", ["cline", "opencode", "windsurf", "codex"])
def test_files_of_another_home_that_is_in_use_stay(place: Home, tmp_path: Path, name: str) -> None:
    """Whole files and MCP servers, too; a rules file, which has one block for all, until both are linked."""
    other = Home(tmp_path / "other")
    other.make()
    link(other, name, mcp=True)
    top, rules = settings_folder(name), rules_file(name)

    def there() -> dict[Path, bytes]:
        return {file: file.read_bytes() for file in top.rglob("*") if file.is_file()}

    before = there()
    assert not unlink(place, name).changed
    assert there() == before
    done = link(place, name, mcp=True)
    assert owned(name) == any(f"another memwiki home's, {other.path}, and stays so" in word for word in done.words)
    unlink(place, name)
    before.pop(rules or top, None)
    assert there() == before
    assert unlink(other, name).changed
    assert there() == {}


def test_entries_of_the_first_release_are_ours_too(place: Home) -> None:
    """It used `exec`, so that the host saw the script's own exit code."""
    file = settings_file("claude")
    link(place, "claude")
    now = file.read_text()
    file.write_text(now.replace("] && ", "] && exec "))
    assert "present form" in messages(findings(place, load(place)))
    assert link(place, "claude").changed
    assert file.read_text() == now


def test_somebody_elses_file_in_our_files_place_stays(place: Home) -> None:
    folder = settings_file("cline")
    folder.mkdir(parents=True)
    (folder / "PreToolUse").write_text("#!/bin/sh\necho mine\n")
    done = link(place, "cline")
    assert done.changed
    assert any("PreToolUse is not memwiki's" in word for word in done.words)
    assert next(one for one in survey(place) if one.host == "cline").state == "incomplete"
    unlink(place, "cline")
    assert [one.name for one in folder.iterdir()] == ["PreToolUse"]
    assert (folder / "PreToolUse").read_text() == "#!/bin/sh\necho mine\n"


def test_a_file_of_ours_that_was_changed_is_removed_and_a_copy_kept(place: Home) -> None:
    file = settings_file("opencode")
    link(place, "opencode")
    file.write_text(file.read_text() + "// my own line\n")
    assert next(one for one in survey(place) if one.host == "opencode").state == "incomplete"
    done = unlink(place, "opencode")
    assert not file.exists()
    copy = next(place.backup.glob("opencode-*.edited"))
    assert copy.read_text().endswith("// my own line\n")
    assert str(copy) in done.words[0]


def test_another_name_of_an_agent(place: Home) -> None:
    assert link(place, "cascade").host == "windsurf"


def test_somebodys_group_with_our_handler_keeps_its_rest(place: Home) -> None:
    file = settings_file("claude")
    link(place, "claude")
    value = json.loads(file.read_text())
    value["hooks"]["Stop"][0] = {"note": "x", "hooks": value["hooks"]["Stop"][0]["hooks"]}
    value["hooks"]["SessionEnd"][0]["hooks"].append({"type": "command", "command": "say"})
    file.write_text(json.dumps(value, indent=3))
    unlink(place, "claude")
    kept = {"Stop": [{"note": "x", "hooks": []}], "SessionEnd": [{"hooks": [{"type": "command", "command": "say"}]}]}
    assert json.loads(file.read_text())["hooks"] == kept


def messages(found: list[Finding]) -> str:
    return "\n".join(one.message for one in found)


def test_what_doctor_finds(place: Home, tmp_path: Path) -> None:
    config = load(place)
    assert "No agent is linked" in messages(findings(place, config))
    link(place, "claude")
    assert findings(place, config) == []
    settings = settings_file("claude")
    whole = settings.read_text()
    settings.write_text(whole.replace('"timeout": 5', '"timeout": 6', 1))
    assert "present form" in messages(findings(place, config))
    settings.write_text('{"disableAllHooks": true, ' + whole[1:])
    assert "turns all of Claude Code's hooks off" in messages(findings(place, config))
    settings.write_text(whole + "x")
    assert re.search(r"settings.json, line \d+: text after the end", messages(findings(place, config)))
    assert next(one for one in survey(place) if one.host == "claude").state == "broken"
    settings.write_text(whole)
    next(place.bin.glob("hot-*")).write_bytes(b"")
    assert f"{place.bin} do not work" in messages(findings(place, config))
    link(place, "claude")
    assert findings(place, config) == []
    script = place.bin / "hook"
    script.write_text(script.read_text().replace("memwiki=", "memwiki=/moved"))
    assert "another memwiki, or of one that has moved" in messages(findings(place, config))
    script.unlink()
    assert "names a hook that is gone" not in messages(findings(place, config))
    assert f"{place.bin} do not work" in messages(findings(place, config))


def test_what_doctor_finds_between_agents_and_projects(place: Home, tmp_path: Path) -> None:
    project = tmp_path / "shop"
    project.mkdir()
    link(place, "claude", project)
    link(place, "claude")
    link(place, "cursor")
    found = findings(place, load(place))
    assert "hooks run twice there" in messages(found)
    assert [one.level for one in found if "Cursor runs Claude Code's hooks too" in one.message] == ["note"]


@pytest.mark.parametrize("switch", ["hooks", "codex_hooks"])
def test_codex_with_hooks_turned_off(place: Home, switch: str) -> None:
    link(place, "codex")
    (settings_file("codex").parent / "config.toml").write_text(f"[features]\n{switch} = false\n")
    assert "turns all of Codex's hooks off" in messages(findings(place, load(place)))


def test_codex_installed_not_trusted(place: Home) -> None:
    """The hashes are those that Codex 0.171 wrote for these very handlers when its user trusted them."""
    link(place, "codex")
    config = load(place)
    assert "installed, not trusted" in messages(findings(place, config))
    trusted = tomllib.loads((Path(__file__).parent / "codex-trust.toml").read_text())["hooks"]["state"]
    lines = [
        f'[hooks.state."{settings_file("codex")}:{key}"]\ntrusted_hash = "{one["trusted_hash"]}"\n'
        for key, one in trusted.items()
    ]
    (settings_file("codex").parent / "config.toml").write_text("".join(lines))
    (said,) = findings(place, config)
    assert (said.level, "there is no `codex` on PATH" in said.message) == ("note", True)
    assert next(one for one in survey(place) if one.host == "codex").state == "linked"
    (settings_file("codex").parent / "config.toml").write_text("".join(lines[1:]))
    assert "installed, not trusted" in messages(findings(place, config))
