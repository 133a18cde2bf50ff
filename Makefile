# `make serve` and `make test` are all that is needed on a fresh machine.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
# uv does in 4 seconds what takes pip 20; pip knows a mirror that the machine's configuration of pip names.
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile
install = $(BIN)/uv pip install --quiet --python $(BIN)/python $(1) || $(PIP) $(1)
# Nothing of ours runs the tests of packages, or loads SciPy, which OpenSpiel brings.
COMPILE := -$(BIN)/python -m compileall -q -j 0 -x '/tests?/|/scipy/' $(VENV)/lib protocol engine clients server
TOOLS := tests/browser/node_modules

.PHONY: serve test check docs lock screenshots film-strip clean

serve: $(VENV)/installed
	$(BIN)/plywire serve

# Tests start hundreds of processes, each of which would compile its modules anew.
test: export PYTHONDONTWRITEBYTECODE :=
test: $(VENV)/installed-test
	$(BIN)/python -m tests.set_up
	$(BIN)/python -m pytest --numprocesses auto --dist worksteal

check: docs $(VENV)/installed-check $(TOOLS)/installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m docs.house_map --check
	$(BIN)/node $(TOOLS)/typescript/bin/tsc --project tests/browser
	$(BIN)/node --disable-warning=MODULE_TYPELESS_PACKAGE_JSON --test 'tests/browser/unit/*.test.mjs'

# A warning, such as of a link that leads nowhere, fails.
docs: $(VENV)/installed-docs
	$(BIN)/python -m sphinx --quiet --fail-on-warning --keep-going -c docs . build/docs
	@echo "The documentation: build/docs/index.html"

# The exact versions that CI tests, with hashes, for every Python and system that we support.
lock: | $(BIN)/python
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --all-extras --group build --upgrade \
	  --custom-compile-command 'make lock' --output-file requirements.lock pyproject.toml

screenshots: $(VENV)/installed-test
	$(BIN)/python -m docs.screenshots docs/images

film-strip: $(VENV)/installed-test
	$(BIN)/python -m docs.film_strip build/film-strip

clean:
	rm -rf $(VENV) $(TOOLS) build

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)
	-$(PIP) uv

# CI installs what the lock names, everybody else the newest that `pyproject.toml` allows.
ifeq ($(CI),true)
$(VENV)/installed $(VENV)/installed-test $(VENV)/installed-check $(VENV)/installed-docs &: requirements.lock pyproject.toml | $(BIN)/python
	$(call install,--require-hashes --requirement requirements.lock)
	$(call install,--no-deps --no-build-isolation --editable .)
	$(COMPILE)
	touch $(VENV)/installed $(VENV)/installed-test $(VENV)/installed-check $(VENV)/installed-docs
else
$(VENV)/installed: pyproject.toml | $(BIN)/python
	$(call install,--editable .)
	$(COMPILE)
	touch $@

$(VENV)/installed-test: pyproject.toml | $(BIN)/python
	$(call install,--editable '.[test]')
	$(COMPILE)
	touch $@ $(VENV)/installed

$(VENV)/installed-check: pyproject.toml | $(VENV)/installed-test
	$(call install,--editable '.[check]')
	$(COMPILE)
	touch $@

$(VENV)/installed-docs: pyproject.toml | $(BIN)/python
	$(call install,--editable '.[docs]')
	$(COMPILE)
	touch $@ $(VENV)/installed
endif

$(TOOLS)/installed: tests/browser/package-lock.json | $(VENV)/installed-check
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/npm ci --prefix tests/browser --silent
	touch $@
