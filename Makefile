# The one door. `make` alone lists what there is.
# Nothing but python3 (3.11 or newer, with venv) and make is needed first.

PYTHON  ?= python3
HOST = 127.0.0.1
PORT = 8000
DATA = polemarque-data
SEATS = 4
SEED = 300
OUT = out/demo
SECONDS = 60
ARGS =
VENV = .venv

BIN   := $(VENV)/bin
PIP   := -m pip install --disable-pip-version-check --quiet
PEERS := icepool dyce diplomacy open_spiel numpy

# Each worker of the tests, and each program that they start, would compile everything once more.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help run papers quick test lint format types imports check fuzz bench pages bots goldens clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: $(VENV)/.runtime ## open the club in the browser, with a demonstration to play in (PORT, HOST, DATA)
	$(BIN)/polemarque serve --host $(HOST) --port $(PORT) --data $(DATA)

papers: $(VENV)/.runtime ## play a whole Atlantide campaign and keep its papers (SEATS, SEED, OUT)
	$(BIN)/polemarque run atlantide --seats $(SEATS) --seed $(SEED) --out $(OUT)
	@printf '\nTo read what happened, open:\n'
	@find $(OUT) -type f | sort | sed 's/^/  /'

quick: $(VENV)/.dev ## the tests for daily work: all but the slow ones (ARGS="-k supply" for some)
	$(BIN)/python -m pytest -n auto --dist worksteal -m "not slow" $(ARGS)

test: $(VENV)/.dev ## run every test on all cores (ARGS="-k supply" for some of them)
	$(BIN)/python -m pytest -n auto --dist worksteal $(ARGS)

lint: $(VENV)/.dev ## style, and the layout of the code
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(VENV)/.dev ## lay the code out as `lint` wants it
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: $(VENV)/.dev ## mypy, strict
	$(BIN)/mypy

imports: $(VENV)/.dev ## the import law: which room may know which
	$(BIN)/lint-imports

check: $(VENV)/.runtime ## tables, maps and ledgers: gaps, overlaps, missing words, rules without code
	$(BIN)/polemarque check
	$(BIN)/polemarque rules --coverage

fuzz: $(VENV)/.dev ## random games for SECONDS (ARGS="--seed 1": those again); each crash is saved
	$(BIN)/python -m tests.fuzz --seconds $(SECONDS) $(ARGS)

bench: .venv-bench/.ready ## speed, beside other programs, in an environment of its own
	.venv-bench/bin/python bench/run.py $(ARGS)

pages: $(VENV)/.dev ## page times and memory of the club under 20 players and 100 watchers
	$(BIN)/python bench/pages.py $(ARGS)

bots: $(VENV)/.runtime ## bots against each other: the tables of docs/bots.md (ARGS="--write" puts them there)
	$(BIN)/python bench/bots.py $(ARGS)

goldens: $(VENV)/.dev ## write the golden games again, to be read before they are committed
	$(BIN)/python -m tests.goldens

clean: ## remove environments, caches and what `run` wrote
	rm -rf .venv .venv-* .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	rm -rf build dist out
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

# Environments. A stamp says when one was last made from these names.

$(VENV)/bin/python .venv-bench/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed: make PYTHON=python3.12" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(@:/bin/python=)

$(VENV)/.runtime: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(BIN)/python $(PIP) -c constraints.txt -e '.[export]'
	@touch $@

$(VENV)/.dev: $(VENV)/.runtime
	$(BIN)/python $(PIP) -c constraints.txt -e '.[dev]'
	@touch $@

.venv-bench/.ready: pyproject.toml constraints.txt | .venv-bench/bin/python
	.venv-bench/bin/python $(PIP) -c constraints.txt -e '.[cluster,fast]' $(PEERS)
	@touch $@
