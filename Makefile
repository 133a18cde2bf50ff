# `make serve` and `make test` are all that is needed on a fresh machine.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: serve test check clean

serve: $(VENV)/installed
	$(BIN)/plywire serve

test: $(VENV)/installed-test
	$(BIN)/python -m pytest

check: $(VENV)/installed-check
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

clean:
	rm -rf $(VENV)

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

$(VENV)/installed-test: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable '.[test]'
	touch $@ $(VENV)/installed

$(VENV)/installed-check: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable '.[test,check]'
	touch $@ $(VENV)/installed $(VENV)/installed-test
