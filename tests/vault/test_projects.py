"""`.memwiki/projects.toml`, as everyone reads it."""

import pytest

from memwiki.vault.projects import Table, parsed


def test_folders_and_their_projects() -> None:
    assert parsed(b"") == Table()
    keys = {"shop": ("github.com/acme/shop", "local/x")}
    assert parsed(b'shop = ["github.com/acme/shop", "local/x"]') == Table(keys)


@pytest.mark.parametrize(
    "data",
    [
        b'a = ["x"]\nb = 3',
        b'a = "x"',
        b"a = [3]",
        b"[a]\nb = []",
        b"a =",
        b"\xff = []",
        b"alias = 3",
        b"[[alias]]\nwas = 'x'",
    ],
)
def test_a_file_with_anything_else_is_refused_whole(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        parsed(data)
