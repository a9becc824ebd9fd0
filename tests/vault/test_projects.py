"""`.memwiki/projects.toml`, as everyone reads it."""

import pytest

from memwiki.vault.projects import exceptions


def test_folders_and_their_projects() -> None:
    assert exceptions(b"") == {}
    assert exceptions(b'shop = ["github.com/acme/shop", "local/x"]') == {"shop": ("github.com/acme/shop", "local/x")}


@pytest.mark.parametrize("data", [b'a = ["x"]\nb = 3', b'a = "x"', b"a = [3]", b"[a]\nb = []", b"a =", b"\xff = []"])
def test_a_file_with_anything_else_is_refused_whole(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        exceptions(data)
