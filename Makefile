# Every target sets up what it needs first: `make run` on a fresh clone is enough. Works with GNU make 3.81 (macOS).
# Tools are run as modules: that also works where the path holds a space or the folder has been moved.

PY := .venv/bin/python
RUNTIME := .venv/.runtime
DEV := .venv/.dev

.DEFAULT_GOAL := help
.PHONY: help setup run demo test cover lint format types bench soak crowd docs openapi lock clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' Makefile

run: $(RUNTIME) ## Start everything on this machine: API, AI and clock workers, Redis (PORT=8000, REDIS_URL=…)
	@exec $(PY) -m service.run

demo: $(RUNTIME) ## Play a round in this terminal against AI seats, while `make run` runs elsewhere (ARGS="--help")
	@exec $(PY) -m demo $(ARGS)

test: $(DEV) ## Run every test (ARGS="-k name" for some of them)
	$(PY) -m pytest -n auto $(ARGS)

cover: $(DEV) ## Run every test and show which lines and branches none of them reaches
	$(PY) -m pytest -n auto --cov --cov-report=term:skip-covered $(ARGS)

lint: $(DEV) ## Check style, formatting, workflows and commit subjects
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	.venv/bin/zizmor --offline --strict-collection --persona pedantic --quiet .github
	$(PY) scripts/check_commits.py

format: $(DEV) ## Format the code and repair what can be repaired
	$(PY) -m ruff check --fix .
	$(PY) -m ruff format .

types: $(DEV) ## Check types
	$(PY) -m mypy -p service -p workers -p demo

bench: $(DEV) ## Measure against baselines and write bench/results.md (ARGS="rules http" for some of it)
	@exec $(PY) -m bench $(ARGS)

soak: $(DEV) ## Kill, stop and cut off everything 200 times and see that nothing is lost (ARGS="--seed 7")
	@exec $(PY) -m tests.faults $(ARGS)

crowd: $(RUNTIME) ## Play at many tables of the running service and check every one (ARGS="--minutes 60")
	@exec $(PY) -m demo.crowd $(ARGS)

docs: $(DEV) ## Build the documentation site into build/docs
	$(PY) -m mkdocs build --strict --quiet

openapi: $(RUNTIME) ## Write openapi.yaml from the routes and schemas
	@$(PY) -m service.api.openapi > openapi.yaml.new && mv openapi.yaml.new openapi.yaml || { rm -f openapi.yaml.new; exit 1; }

lock: ## Bring uv.lock and the requirements in line with pyproject.toml (needs uv)
	uv lock
	rm -rf shengji_service.egg-info
	uv export --quiet --frozen --no-header --no-dev > requirements.txt
	uv export --quiet --frozen --no-header --only-dev > requirements-dev.txt

setup: $(DEV) ## Set up .venv with everything for development

clean: ## Remove what can be made again; keeps the data of `make run` in var/
	rm -rf .venv build .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage* htmlcov openapi.yaml.new
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Stamps: set up again when the lock changed. dev after runtime, never both at once under `make -j`.
$(RUNTIME): uv.lock requirements.txt scripts/setup
	@scripts/setup runtime
	@touch $@

$(DEV): $(RUNTIME) requirements-dev.txt
	@scripts/setup dev
	@touch $@
