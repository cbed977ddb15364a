# demo: set up and grade a sample class · test: set up, check and run the tests
# quick: the engine on toy courses · prove: what the tests try only a part of
# check: style, types, the order of imports and the site · build: stubs and notebooks from the solutions
# docs: the documentation as a site, in build/site
# wheel: what students install with pip, with the course in it
# bench: measure the grader beside others; PARTS="cold watch" for a part of it; wants a machine that does nothing else
# versions: the tests on each Python here, with the newest and the lowest torch; PARTS="3.12 -k walls" for a part of it
# mutants, gallery: prove the grader again and write the figures down; for a part of the course, as of prove too:
# NAMES="softmax ch05"
PYTHON ?= python3
BIN := .venv/bin
WHEEL := build/hatchling

.PHONY: demo quick test versions prove check docs build wheel bench mutants gallery bubblewrap

demo: .venv/ready bubblewrap
	$(BIN)/attend demo

# One thread for each process, and compiled files kept: the tests start many processes.
quick test versions prove: export OMP_NUM_THREADS := 1
quick test versions prove: export PYTHONDONTWRITEBYTECODE :=

quick: .venv/ready
	$(BIN)/python -m pytest -n logical --quick tests/autograder

test: check bubblewrap
	$(BIN)/python -m pytest -n logical -m "not exhaustive"
	$(BIN)/attend build --check

# Environments in build/versions, some gigabytes each; a run that was stopped goes on with the same command.
versions: .venv/ready bubblewrap
	$(BIN)/python -m tests.versions $(PARTS)

# What has passed on a commit is not tried again on it.
COMMIT = $(if $(shell git status --porcelain),,$(shell git rev-parse --short HEAD))
prove: .venv/ready bubblewrap
	$(BIN)/python -m pytest -n logical -m exhaustive \
	  $(if $(COMMIT),-p tests.ends --log-ends build/prove/$(COMMIT).jsonl) \
	  $(if $(NAMES),-k "$(shell echo $(NAMES) | sed 's/ / or /g')")
	$(MAKE) mutants gallery

check: .venv/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(MAKE) docs

# A broken link or anchor fails it. The variable leaves out an advertisement.
docs: .venv/ready
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
	@echo "build/site has the site: $(BIN)/python -m http.server -d build/site, then http://localhost:8000"

build: .venv/ready
	$(BIN)/attend build

wheel: $(WHEEL)/ready
	$(WHEEL)/bin/python -m hatchling build -t wheel

bench: .venv/ready bubblewrap
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[instructor,notebook,nbgrader,dev,cluster]'
	$(BIN)/python -m benchmarks $(PARTS)

mutants gallery: .venv/ready bubblewrap
	$(BIN)/python -m autograder.author.proof $@ $(NAMES)
	$(BIN)/attend build

# One environment for everything; made anew when what it is made of changes.
.venv/ready: pyproject.toml constraints.txt
	$(make-environment)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[instructor,notebook,nbgrader,dev]'
	@touch $@

# A small one, as students' files are packed without torch and all the rest.
$(WHEEL)/ready: constraints.txt
	$(make-environment)
	$(WHEEL)/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt hatchling
	@touch $@

define make-environment
@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
  { echo "Attend needs Python 3.11 or newer: make PYTHON=/path/to/python3.11"; exit 1; }
@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
  { echo "Python's venv module is missing: apt install python3-venv"; exit 1; }
$(PYTHON) -m venv $(@D)
endef

# The only system package: the outer wall around students' code. Without it grading uses the strongest wall there is.
bubblewrap:
	@command -v bwrap >/dev/null || \
	  { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && echo "installing bubblewrap" && \
	    { apt-get install -qq -y bubblewrap || { apt-get update -qq && apt-get install -qq -y bubblewrap; }; } >/dev/null 2>&1; } || \
	  echo "bubblewrap is not installed and cannot be from here: grading goes on with a weaker wall (apt install bubblewrap)"
