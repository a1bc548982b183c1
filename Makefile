# Every target installs what it needs first, so `make run` works on a fresh clone. Compatible with GNU make 3.81 (macOS).
# Tools are run as modules, which also works if the path contains a space or the folder was moved.

PY := .venv/bin/python
RUNTIME := .venv/.runtime
DEV := .venv/.dev

# Container images often set this, which makes every process of the service and its tests compile all modules again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup run demo test again nightly cover lint format types bench soak crowd compose compiled docs wheel openapi tables traditional catalogues clients lock clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' Makefile

run: $(RUNTIME) ## Run the whole service on this machine: API, workers, clock, Redis (PORT=8000, REDIS_URL=…)
	@exec $(PY) -m service run

demo: $(RUNTIME) ## Play a round against AI players in this terminal, while `make run` runs in another (ARGS="--help")
	@exec $(PY) -m demo $(ARGS)

test: $(DEV) ## Run the tests (ARGS="-k name", ARGS=--changed select some; ARGS=--slowest tells what they take)
	$(PY) -m pytest -n auto $(ARGS)

again: $(DEV) ## Run the tests that failed the last time, one after the other
	@echo "These failed. If they pass now, they are flaky and need fixing:"
	$(PY) -m pytest -vv --last-failed --last-failed-no-failures none $(ARGS)

nightly: $(DEV) ## Run all tests, including measurements, with new random examples
	$(PY) -m pytest -n auto -m "nightly or not nightly" --hypothesis-profile=nightly --timeout=1200 $(ARGS)

cover: $(DEV) ## Run all tests and report lines and branches that are not covered
	$(PY) -m pytest -n auto --cov --cov-report=term:skip-covered $(ARGS)

lint: $(DEV) ## Check style, formatting, workflows and commit subjects
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m tools.page lint
	.venv/bin/zizmor --offline --strict-collection --persona pedantic --quiet .github
	$(PY) scripts/check_commits.py

format: $(DEV) ## Format the code and apply automatic fixes
	$(PY) -m ruff check --fix .
	$(PY) -m ruff format .
	$(PY) -m tools.page format

types: $(DEV) ## Check types
	$(PY) -m mypy -p service -p workers -p demo -p shengji_client -p shengji_conformance
	$(PY) -m tools.page types

bench: $(DEV) ## Run the benchmarks and write bench/results.md (ARGS="rules http" selects some)
	@exec $(PY) -m bench $(ARGS)

soak: $(DEV) ## Inject 500 faults (kills, stops, cuts, full disks, stepped clocks) and check what all clients saw (ARGS="--topology cluster")
	@exec $(PY) -m tools.faults $(ARGS)

crowd: $(RUNTIME) ## Load the running service with many tables and check each game (ARGS="--minutes 60")
	@exec $(PY) -m demo.crowd $(ARGS)

compose: $(DEV) ## Run docker-compose.yml: play while every container is killed, scaled and upgraded (needs Docker)
	@exec $(PY) -m tools.compose $(ARGS)

compiled: $(DEV) ## Compile the simulation of AI players into build/compiled: less CPU, the same moves (needs a C compiler)
	@$(PY) scripts/compiled.py

docs: $(DEV) ## Build the documentation site into build/docs
	$(PY) -m mkdocs build --strict --quiet

wheel: $(DEV) ## Build the whole service as one wheel into build/wheel, for machines without the repository (ARGS="--compiled")
	@$(PY) scripts/wheel.py build/wheel $(ARGS)

openapi: $(DEV) ## Generate openapi.yaml from the routes and schemas, and from it asyncapi.yaml, types of clients/python and the schema of records
	@$(PY) -m service.api.openapi > openapi.yaml.new && mv openapi.yaml.new openapi.yaml || { rm -f openapi.yaml.new; exit 1; }
	@$(PY) scripts/client_models.py
	@$(PY) -m scripts.asyncio_table
	@$(PY) -m scripts.asyncapi

tables: $(DEV) ## Write the tables that follow from rows of the code into the pages that show them
	@$(PY) -m scripts.tables

traditional: $(DEV) ## Write how the Chinese of the texts is written in Traditional characters, for the service and its page
	@$(PY) scripts/traditional.py

catalogues: $(DEV) ## Write all texts as gettext catalogues into build/catalogues (ARGS=FILE.po puts a translated one into the sources)
	@$(PY) -m scripts.catalogues $(if $(ARGS),read $(ARGS),write build/catalogues)

clients: $(DEV) ## Generate clients from openapi.yaml, compile them and play (needs Go, Rust, Maven, npm; ARGS="go rust")
	@exec $(PY) -m tools.clients.generators $(ARGS)

lock: ## Update uv.lock and the requirements files from pyproject.toml (needs uv)
	uv lock
	rm -rf shengji_service.egg-info
	uv export --quiet --frozen --no-header --no-dev > requirements.txt
	uv export --quiet --frozen --no-header --no-dev --group traces --group sentry > requirements-image.txt
	uv export --quiet --frozen --no-header --only-dev > requirements-dev.txt
	uv export --quiet --frozen --no-header --only-group compile > requirements-compile.txt

setup: $(DEV) ## Install everything for development into .venv, and compile AI players where a C compiler is
	@$(PY) scripts/compiled.py --if-possible

clean: ## Remove generated files; keeps the data of `make run` in var/
	rm -rf .venv build .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage* htmlcov openapi.yaml.new
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Stamps: install again when the lock changed; dev after runtime, never concurrently under `make -j`.
$(RUNTIME): uv.lock requirements.txt scripts/setup
	@scripts/setup runtime
	@touch $@

$(DEV): $(RUNTIME) requirements-dev.txt
	@scripts/setup dev
	@touch $@
