# The one door. `make` alone lists what there is.
# Nothing but python3 (3.11 or newer, with venv) and make is needed beforehand.

PYTHON  ?= python3
HOST = 127.0.0.1
PORT = 8000
DATA = polemarque-data
SEATS = 4
SEED = 300
OUT = out/demo
SECONDS = 60
ARGS =

BIN   := .venv/bin
PIP   := -m pip install --disable-pip-version-check --quiet
PEERS := icepool dyce diplomacy open_spiel numpy

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help run papers test lint format types imports check fuzz bench pages bots goldens clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: .venv/.runtime ## open the club in the browser, with a demonstration to play in (PORT, HOST, DATA)
	$(BIN)/polemarque serve --host $(HOST) --port $(PORT) --data $(DATA)

papers: .venv/.runtime ## play a whole Atlantide campaign and keep its papers (SEATS, SEED, OUT)
	$(BIN)/polemarque run atlantide --seats $(SEATS) --seed $(SEED) --out $(OUT)
	@printf '\nTo read what happened, open:\n'
	@find $(OUT) -type f | sort | sed 's/^/  /'

test: .venv/.dev ## run every test on all cores (ARGS="-k supply" for some of them)
	$(BIN)/python -m pytest -n auto $(ARGS)

lint: .venv/.dev ## style, and the layout of the code
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: .venv/.dev ## lay the code out as `lint` wants it
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: .venv/.dev ## mypy, strict
	$(BIN)/mypy

imports: .venv/.dev ## the import law: which room may know which
	$(BIN)/lint-imports

check: .venv/.runtime ## tables, maps and ledgers: gaps, overlaps, missing words, rules without code
	$(BIN)/polemarque check
	$(BIN)/polemarque rules --coverage

fuzz: .venv/.dev ## random games for SECONDS (ARGS="--seed 1": those again); each crash is saved
	$(BIN)/python -m tests.fuzz --seconds $(SECONDS) $(ARGS)

bench: .venv-bench/.ready ## speed, beside other programs, in an environment of its own
	.venv-bench/bin/python bench/run.py $(ARGS)

pages: .venv/.dev ## page times and memory of the club under 20 players and 100 watchers
	$(BIN)/python bench/pages.py $(ARGS)

bots: .venv/.runtime ## bots against each other: the tables of docs/bots.md (ARGS="--write" puts them there)
	$(BIN)/python bench/bots.py $(ARGS)

goldens: .venv/.dev ## write the golden games anew, to be read before they are committed
	$(BIN)/python -m tests.goldens

clean: ## remove environments, caches and what `run` wrote
	rm -rf .venv .venv-bench .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	rm -rf build dist out
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

# Environments. A stamp says when one was last made from these names.

.venv/bin/python .venv-bench/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed: make PYTHON=python3.12" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(@:/bin/python=)

.venv/.runtime: pyproject.toml constraints.txt | .venv/bin/python
	$(BIN)/python $(PIP) -c constraints.txt -e '.[web]'
	@touch $@

.venv/.dev: .venv/.runtime
	$(BIN)/python $(PIP) -c constraints.txt -e '.[dev]'
	@touch $@

.venv-bench/.ready: pyproject.toml constraints.txt | .venv-bench/bin/python
	.venv-bench/bin/python $(PIP) -c constraints.txt -e . $(PEERS)
	@touch $@
