# `make serve` and `make test` are all that is needed on a fresh machine.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
TOOLS := tests/browser/node_modules

.PHONY: serve test check screenshots clean

serve: $(VENV)/installed
	$(BIN)/plywire serve

test: $(VENV)/installed-test $(TOOLS)/installed
	$(BIN)/python -m pytest

check: $(VENV)/installed-check $(TOOLS)/installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(TOOLS)/.bin/tsc --project tests/browser

screenshots: $(VENV)/installed-test
	$(BIN)/python -m docs.screenshots docs/images

clean:
	rm -rf $(VENV) $(TOOLS)

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

$(TOOLS)/installed: tests/browser/package-lock.json
	npm ci --prefix tests/browser --silent
	touch $@
