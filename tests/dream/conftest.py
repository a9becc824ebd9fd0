"""A home and a vault in real git, sessions through the real spool and drain, and a stubbed model."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from model_stub import KEY, Api
from pytest_httpserver import HTTPServer
from world import World


@pytest.fixture
def api(httpserver: HTTPServer) -> Api:
    return Api(httpserver)


@pytest.fixture
def world(home: Path, git: Callable[..., str], api: Api, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.setenv("ANTHROPIC_BASE_URL", api.url)
    yield World(home, git, api)
