.DEFAULT_GOAL := help
.PHONY: help setup demo test sweep lint check build bench
PY := .venv/bin/python
STAMP := .venv/.ready

help: ## Print this message
	@awk -F ': .*## ' '/^[a-z]+:.* ## / { printf "%-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(STAMP) ## Make .venv with the project (editable) and its tools

$(STAMP): pyproject.toml
	python3 -m venv .venv
	$(PY) -m pip install -q -U 'pip>=25.1'  # --group wants pip 25.1
	$(PY) -m pip install -q -e . --group dev --group build
	touch $(STAMP)

demo: setup ## Dream over our own fixture conversations, offline, in a temporary folder
	$(PY) -m memgardend.daemon.demo

test: setup ## Run all tests under coverage
	$(PY) -m pytest -q --cov

sweep: setup ## Run the long fault sweeps (about half an hour)
	$(PY) -m pytest -q -m sweep

lint: setup ## Lint, check formats and types, check who imports whom
	$(PY) -m ruff check . && $(PY) -m ruff format --check .
	$(PY) -m mypy && $(PY) -m mypy tests
	.venv/bin/lint-imports

check: lint test ## All of the above

build: setup ## Build the sdist, and the wheel from it
	rm -rf dist && $(PY) -m build -q && unzip -Z1 dist/*.whl

bench: setup ## Run the benchmarks
	$(PY) bench/run.py
