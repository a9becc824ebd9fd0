"""The rooms that a pass goes through, opened together."""

from dataclasses import dataclass
from typing import Self

from .config import Config, Home
from .index.sqlite import SqliteIndex
from .journal.sessions import Journal
from .vault.git import Git


@dataclass(frozen=True, slots=True)
class Rooms:
    """One memory as whatever keeps it in step needs it: settings, the vault's repository, journal, embedded index."""

    config: Config
    git: Git
    journal: Journal
    index: SqliteIndex

    @classmethod
    def of(cls, config: Config) -> Self:
        """Those that the settings name. MemwikiError when the vault is no repository."""
        return cls(config, Git.of(config), Journal(config.home.journal), SqliteIndex(config.home.index))

    @property
    def home(self) -> Home:
        """The home that the settings are of."""
        return self.config.home
