# The project sets itself up: a virtual environment in .venv with the versions of
# constraints.txt. `make PYTHON=python3.12 test` takes another interpreter.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
INSTALL := $(PIP) install --constraint constraints.txt
WRITTEN := setup.py pyproject.toml constraints.txt

.PHONY: help demo test check bench map clean

help:
	@echo "make demo    crawl the bundled sample web and print its network"
	@echo "make test    run all tests"
	@echo "make check   lint, formatting, types"
	@echo "make bench   the tables of benchmarks/ (minutes)"
	@echo "make map     build the script of map.html anew, with npm, from its sources"
	@echo "make clean   remove what the above made"

demo: $(VENV)/.run
	$(BIN)/python -m issuecrawl.demo

test: $(VENV)/.dev
	$(BIN)/python -m pytest $(ARGS)

check: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/.dev
	@for script in $$(grep -l '^if __name__' benchmarks/*.py); do \
	  echo "== $$script"; $(BIN)/python $$script || exit 1; \
	done

map:
	cd analysis/map/web && npm ci --ignore-scripts --no-audit --no-fund && node build.mjs

clean:
	rm -rf $(VENV) build dist demo *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(VENV)/.made:
	@command -v $(PYTHON) >/dev/null || { \
	  echo "$(PYTHON) is not there; install Python 3.11 or later, or name it: make PYTHON=..." >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "$$($(PYTHON) --version) is too old; issuecrawl needs Python 3.11 or later: make PYTHON=..." >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { \
	  echo "$(PYTHON) has no venv or ensurepip; on Debian: apt-get install python3-venv" >&2; exit 1; }
	$(PYTHON) -m venv --clear $(VENV)
	@touch $@

# Built with the setuptools of constraints.txt, so that nothing comes unpinned.
$(VENV)/.run: $(VENV)/.made $(WRITTEN)
	$(INSTALL) setuptools
	$(INSTALL) --no-build-isolation --editable '.[bundle]'
	@touch $@

$(VENV)/.dev: $(VENV)/.run
	$(INSTALL) --no-build-isolation --editable '.[dev]'
	@touch $@
