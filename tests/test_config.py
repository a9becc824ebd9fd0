"""Settings: typed, checked, scoped, and changed without losing a comment."""

from pathlib import Path

import pytest

from memwiki.config import Home, change, find_home, load
from memwiki.errors import MemwikiError


@pytest.fixture
def place(home: Path) -> Home:
    found = find_home()
    found.make()
    return found


def test_precedence_default_file_host_project_variable(place: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    assert load(place).get("recall.notes") == 3
    change(place, "recall.notes", "2")
    change(place, "recall.notes", "1", host="codex")
    change(place, "recall.notes", "0", project="github.com/acme/shop")
    config = load(place)
    assert config.get("recall.notes") == 2
    assert config.get("recall.notes", host="codex") == 1
    assert config.get("recall.notes", host="codex", project="github.com/acme/shop") == 0
    monkeypatch.setenv("MEMWIKI_RECALL_NOTES", "5")
    assert load(place).get("recall.notes", host="codex", project="github.com/acme/shop") == 5


def test_a_change_keeps_comments_and_order(place: Home) -> None:
    place.config.write_text("# mine\n[recall]\nmax_bytes = 4000 # small screen\nnotes = 1\n", "utf-8")
    change(place, "recall.notes", "2")
    assert place.config.read_text("utf-8") == "# mine\n[recall]\nmax_bytes = 4000 # small screen\nnotes = 2\n"
    change(place, "recall.notes", None)
    assert place.config.read_text("utf-8") == "# mine\n[recall]\nmax_bytes = 4000 # small screen\n"


@pytest.mark.parametrize(
    ("key", "value"),
    [("recall.notes", "many"), ("recall.max_bytes", "9501"), ("recall.guide", "perhaps"), ("dream.engine", "gpt"),
     ("dream.max_cost", "-1"), ("no.such", "1")],
)  # fmt: skip
def test_a_bad_value_is_refused_and_the_file_stays(place: Home, key: str, value: str) -> None:
    change(place, "recall.notes", "2")
    before = place.config.read_bytes()
    with pytest.raises(MemwikiError) as refused:
        change(place, key, value)
    assert refused.value.message and refused.value.remedy
    assert place.config.read_bytes() == before


def test_a_setting_that_cannot_differ_by_host_says_so(place: Home) -> None:
    with pytest.raises(MemwikiError, match="cannot differ by host"):
        change(place, "dream.model", "x", host="codex")


@pytest.mark.parametrize(
    "text",
    [
        "[recall\n",
        "notes = 1\n",
        '[recall]\nnotes = "x"\n',
        "[recall]\nsize = 1\n",
        "\xff",
        "hosts = 3\n",
        "[hosts]\nclaude = 3\n",
        "[[projects]]\nx = 1\n",
    ],
)
def test_a_broken_file_names_itself_and_is_not_overwritten(place: Home, text: str) -> None:
    place.config.write_bytes(text.encode("latin-1"))
    with pytest.raises(MemwikiError):
        load(place)
    with pytest.raises(MemwikiError):
        change(place, "recall.notes", "1")
    assert place.config.read_bytes() == text.encode("latin-1")


def test_a_folder_in_its_place_is_refused(place: Home) -> None:
    place.config.mkdir()
    with pytest.raises(MemwikiError, match="is not a file"):
        load(place)


def test_a_key_is_never_shown(place: Home) -> None:
    place.config.write_text("[dream]\napi_key = 5\n", "utf-8")
    with pytest.raises(MemwikiError) as refused:
        load(place)
    assert "5" not in refused.value.message.replace(str(place.config), "")


def test_a_home_that_others_can_read_is_refused(place: Home) -> None:
    place.path.chmod(0o755)
    with pytest.raises(MemwikiError, match="can be read by others"):
        place.check()
