# `make demo` shows the main job, `make test` runs every check. Both set up all they need in .venv.
PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3; do \
  command -v $$p >/dev/null 2>&1 && $$p -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
  && $$p -c 'import sys; print(sys.executable)' && break; done)
VENV := .venv
RUN := $(VENV)/bin/python
WORKERS ?= $(shell $(RUN) -c 'import os; print(os.cpu_count() or 2)' 2>/dev/null || echo 2)

.PHONY: demo test lint types architecture tests test-clients bench clean

demo: $(VENV)/installed
	@$(RUN) docs/demo/demo.py

test: lint types architecture tests

lint: $(VENV)/developed
	$(RUN) -m ruff check .
	$(RUN) -m ruff format --check .

types: $(VENV)/developed
	$(RUN) -m mypy

architecture: $(VENV)/developed
	$(VENV)/bin/lint-imports

tests: $(VENV)/developed
	$(RUN) -m pytest -n $(WORKERS) --dist loadfile -m "not clients"

# Drives the real coding agents from npm; needs Node.js 20 or newer.
test-clients: $(VENV)/developed
	$(RUN) -m pytest tests/clients -m clients -q --no-header

bench: $(VENV)/developed
	$(RUN) -m benchmarks

$(VENV)/bin/python:
	@test -n "$(PYTHON)" || { echo "memwiki needs Python 3.11 or newer with venv (Debian: apt-get install python3-venv)" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: $(VENV)/bin/python pyproject.toml
	$(RUN) -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/developed: $(VENV)/bin/python pyproject.toml
	$(RUN) -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@ $(VENV)/installed

clean:
	rm -rf $(VENV) .cache .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis dist build
