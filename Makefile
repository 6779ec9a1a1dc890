# make train   set up, then learn to play Suzhou Baofen (about five minutes)
# make test    set up, then format, lint, types and tests
# make check   the checks alone, once set up
# make regenerate          make pages, games on file, counts and notebooks anew from the code (two minutes)
# make regenerate-values   of these or of what takes long, one alone: pages, playthroughs, perft, notebooks; values, par, speed
# make clean   remove what make and the tools have made, but for runs/

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: train test check regenerate clean
.DELETE_ON_ERROR:

train: $(VENV)/.train
	$(BIN)/baofen train

test: $(VENV)/.dev
	scripts/check

check:
	@test -e $(VENV)/.dev || { echo "not set up yet: run 'make test' once" >&2; exit 2; }
	scripts/check

regenerate: $(VENV)/.dev
	$(BIN)/python scripts/regenerate.py

regenerate-%: $(VENV)/.dev
	$(BIN)/python scripts/regenerate.py $*

# One stamp for each set of packages: .train for the [train] extra, .dev for [dev], which includes it.
$(VENV)/.%: pyproject.toml constraints.txt | $(BIN)/python
	@echo "installing baofen[$*] into $(VENV)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[$*]'
	@touch $@

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "Python 3.11 or newer is needed, and '$(PYTHON)' is not one; name another: make PYTHON=python3.11 $(MAKECMDGOALS)" >&2; \
	  exit 2; }
	@$(PYTHON) -m venv $(VENV)

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .coverage
	find . -name __pycache__ -type d -not -path './.git/*' -prune -exec rm -rf {} +
