# `make serve` and `make test` are all that is needed on a fresh machine; `make help` lists the rest.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
# uv does in 4 seconds what takes pip 20; pip knows a mirror that the machine's configuration of pip names.
INSTALL := install --quiet --disable-pip-version-check --no-compile
install = $(BIN)/uv pip install --quiet --python $(BIN)/python $(1) || \
  { $(ENSURE_PIP) && $(BIN)/python -m pip $(INSTALL) $(1); }
# CPython ships a pip of its own; unpacking it takes longer than downloading uv.
ENSURE_PIP := $(BIN)/python -m ensurepip --default-pip >/dev/null
# Tests start hundreds of processes, which load what is compiled. The server compiles the few modules that it needs as
# it loads them. Nothing of ours runs the tests of packages, or loads SciPy, which OpenSpiel brings.
COMPILE := -$(BIN)/python -m compileall -q -j 0 -x '/tests?/|/scipy/' $(VENV)/lib protocol engine clients server tools
TOOLS := tests/browser/node_modules
# The page's port follows that of the lines, as 7591 follows 7590; 0 picks free ones for both.
WEBSOCKET_PORT ?= $(if $(filter-out 0,$(PORT)),$(shell expr $(PORT) + 1),$(PORT))

.PHONY: serve help test check docs kernels lock screenshots clean

# Modules are compiled once, also where the environment says otherwise.
serve: export PYTHONDONTWRITEBYTECODE :=
serve: $(VENV)/installed
	@# The server does not need pip: people do, a moment later.
	@test -e $(BIN)/pip || $(BIN)/uv pip install --quiet --python $(BIN)/python pip &
	$(BIN)/plywire serve $(if $(PORT),--port $(PORT)) $(if $(WEBSOCKET_PORT),--websocket-port $(WEBSOCKET_PORT))

help:
	@echo 'make serve        Install Plywire into .venv and start the server. This is the default.'
	@echo '                  PORT=8000 is the port of line clients; the page and WebSocket then have 8001.'
	@echo '                  WEBSOCKET_PORT=9000 chooses the port of the page and WebSocket. 0 picks a free port.'
	@echo 'make test         Run the tests on all cores.'
	@echo 'make check        Run the linters, the type checker and the layer checks; build the documentation.'
	@echo 'make docs         Build the documentation into build/docs.'
	@echo 'make kernels      Build the IR of all kernels again, after an edit of one.'
	@echo 'make lock         Renew requirements.lock.'
	@echo 'make screenshots  Take the pictures of the README.'
	@echo 'make clean        Remove .venv, the tools of the checks and build.'
	@echo 'make help         Show this list.'
	@echo
	@echo 'PYTHON=python3.12 chooses the Python of a new .venv. CI=true installs the versions in requirements.lock.'

# Tests start hundreds of processes: each would compile its modules again.
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
	$(BIN)/python -m docs.plain_words
	$(BIN)/python -m tools.kernels --check
	$(BIN)/node $(TOOLS)/typescript/bin/tsc --project tests/browser
	$(BIN)/node --disable-warning=MODULE_TYPELESS_PACKAGE_JSON --test 'tests/browser/unit/*.test.mjs'

# A warning, such as of a link that leads nowhere, fails.
docs: $(VENV)/installed-docs
	$(BIN)/python -m sphinx --quiet --fail-on-warning --keep-going -c docs . build/docs
	@echo "The documentation: build/docs/index.html"

# Of one environment and the same sources it always makes the same bytes.
kernels: $(VENV)/installed-test
	@$(call install,--group wasm)
	$(BIN)/python -m tools.kernels

# The exact versions that CI tests, with hashes, for every Python and system that we support.
lock: | $(BIN)/python
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --all-extras --group build --upgrade \
	  --custom-compile-command 'make lock' --output-file requirements.lock pyproject.toml

screenshots: $(VENV)/installed-test
	$(BIN)/python -m docs.screenshots docs/images

clean:
	rm -rf $(VENV) $(TOOLS) build

$(BIN)/python:
	$(PYTHON) -m venv --without-pip $(VENV)
	-$(PYTHON) -m pip --python $(BIN)/python $(INSTALL) uv 2>/dev/null || \
	  { $(ENSURE_PIP) && $(BIN)/python -m pip $(INSTALL) uv; }

# CI installs what the lock names, everybody else the newest that `pyproject.toml` allows.
ifeq ($(CI),true)
$(VENV)/installed $(VENV)/installed-test $(VENV)/installed-check $(VENV)/installed-docs &: requirements.lock pyproject.toml | $(BIN)/python
	$(ENSURE_PIP)
	$(call install,--require-hashes --requirement requirements.lock)
	$(call install,--no-deps --no-build-isolation --editable .)
	$(COMPILE)
	touch $(VENV)/installed $(VENV)/installed-test $(VENV)/installed-check $(VENV)/installed-docs
else
$(VENV)/installed: pyproject.toml | $(BIN)/python
	$(call install,--editable '.[engine]')
	touch $@

$(VENV)/installed-test: pyproject.toml | $(BIN)/python
	$(call install,--editable '.[test]' pip)
	$(COMPILE)
	touch $@ $(VENV)/installed

$(VENV)/installed-check: pyproject.toml | $(VENV)/installed-test
	$(call install,--editable '.[check]')
	$(COMPILE)
	touch $@

$(VENV)/installed-docs: pyproject.toml | $(VENV)/installed
	$(call install,--editable '.[docs]' pip)
	$(COMPILE)
	touch $@
endif

$(TOOLS)/installed: tests/browser/package-lock.json | $(VENV)/installed-check
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/npm ci --prefix tests/browser --silent
	touch $@
