"""`.memwiki/projects.toml`: a person's own folders for projects, where those that memwiki would choose do not suit."""

import tomllib

PATH = ".memwiki/projects.toml"


def exceptions(data: bytes) -> dict[str, tuple[str, ...]]:
    """Folder below `project/` -> the keys of the projects whose notes live there; ValueError for any other content."""
    found = tomllib.loads(data.decode("utf-8"))
    for keys in found.values():
        if not isinstance(keys, list) or not all(isinstance(key, str) for key in keys):
            raise ValueError("a folder's value is a list of project keys")
    return {folder: tuple(keys) for folder, keys in found.items()}
