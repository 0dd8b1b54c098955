# Everything from a fresh clone with Python 3.11+ and make: `make demo`, `make check`, `make test`.

PYTHON ?= python3
# Not one of the caller: it is cleared when it is made.
override VENV := .venv
PDFS   ?= data/samples/pdfs
CORPUS ?= data/corpus
BIN    := $(VENV)/bin
LOCKED := tools/requirements

# Python before 3.13 reads where the project stands by the locale, and stops at a letter that is not in it.
ifneq ($(filter C POSIX,$(LC_ALL)),)
export LC_ALL := C.UTF-8
endif

# Modules are compiled once, even where the environment forbids it: a process starts in half the time.
export PYTHONDONTWRITEBYTECODE :=

# Tests run in this many processes: one more than processors, since tests wait for servers, clocks and the disk.
PARALLEL ?= --numprocesses $(shell $(PYTHON) -c 'import os; print(1 + max(2, os.cpu_count() or 1))') --dist loadfile --no-loadscope-reorder

# What `make check` runs, of which that which starts no process.
TESTS ?= tests/project tests/text

DEMO_KEY   ?= lindqvist2019
DEMO_WORDS ?= a temperature response that was fitted to daytime data
DEMO_QUESTION ?= how many nights have to be measured for a good budget?

.PHONY: help demo check test test-ci test-needs gate lint lock reference pictures bill site bundle clean samples vscode editor

help:
	@echo "make demo            build a corpus from the sample PDFs and ask it for a quote"
	@echo "make demo PDFS=dir   the same with your PDFs (and CORPUS=dir for where it goes)"
	@echo "make check           run make lint and the quick tests of the project and of text"
	@echo "make check TESTS=... the same with your tests, such as tests/quote; what starts processes is left out"
	@echo "make test            run the tests, but for those that take long"
	@echo "make test-ci         run those that take long or need Ray, DVC, pandas, schemathesis: CI's second step"
	@echo "make test-needs      run those of make test that need a program which README does not name"
	@echo "make gate            compare the measures of ../shared/corpus with their floors: before a release"
	@echo "make gate GATE=...   the same with --quick, --only papers, --update ...: benchmarks/README.md"
	@echo "make lint            run ruff, mypy, import-linter and the rules of tools/rules"
	@echo "make lock            resolve tools/requirements/*.txt anew (needs uv)"
	@echo "make site            make a site of the pages, in build/site"
	@echo "make bundle          write dist/pagequote.mcpb, which clients of agents install by a click"
	@echo "make reference       write docs/reference from the code"
	@echo "make pictures        draw the picture of the README (after make demo)"
	@echo "make bill            write the bill of materials and the page of licences anew"
	@echo "make vscode          pack the extension for VS Code (takes npm); make editor: install one to test it in"
	@echo "make clean           remove the environment and all that was built"

# uv installs in seconds; without it, pip does the same.
ifneq ($(shell command -v uv),)
CREATE  = uv venv --quiet --seed --clear --no-project --python $(PYTHON) $(VENV)
INSTALL = uv pip install --quiet --python $(BIN)/python
else
CREATE  = $(PYTHON) -m venv --clear $(VENV)
INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile
endif

# The environment: locked packages by hash, and this project, where it stands. First what the demo uses ...
$(BIN)/pagequote: $(LOCKED)/demo.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "PageQuote needs Python 3.11 or newer; name one: make PYTHON=python3.12")'
	@echo "Installing what the demo uses into $(VENV) (seconds with uv, half a minute with pip) ..."
	@$(CREATE)
	@$(INSTALL) --require-hashes -r $(LOCKED)/demo.txt
	@$(INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@

# ... then the rest, which is for work on the project.
$(VENV)/dev: $(LOCKED)/dev.txt $(BIN)/pagequote
	@echo "Installing what the tests use into $(VENV) ..."
	@$(INSTALL) --require-hashes -r $(LOCKED)/dev.txt
	@touch $@

$(VENV)/ci: $(LOCKED)/ci.txt $(VENV)/dev
	@echo "Installing Ray, DVC, pandas and schemathesis into $(VENV) ..."
	@$(INSTALL) --require-hashes -r $(LOCKED)/ci.txt
	@touch $@

# The extension for VS Code, packed, and the editor without a window that its test starts; both take npm.
vscode: tools/vscode/pagequote.vsix

tools/vscode/pagequote.vsix: tools/vscode/extension.js tools/vscode/package.json
	cd tools/vscode && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error && npm test --silent && npm run --silent package

editor: $(VENV)/dev tools/vscode/pagequote.vsix
	$(BIN)/python tools/headless_editor.py $(VENV)/editor

samples: $(BIN)/pagequote
	$(BIN)/python data/samples/typeset.py --out data/samples/pdfs

ifeq ($(PDFS),data/samples/pdfs)
demo: samples
	-@$(BIN)/pagequote model get --if-missing
	$(BIN)/pagequote build $(PDFS) --bib data/samples/pdfs/samples.bib --corpus $(CORPUS)
	@echo
	$(BIN)/pagequote quote $(DEMO_KEY) "$(DEMO_WORDS)" --corpus $(CORPUS)
	@echo
	$(BIN)/pagequote search "$(DEMO_QUESTION)" -n 1 --corpus $(CORPUS)
	@echo
	@echo 'The command is $(BIN)/pagequote; `source $(BIN)/activate` lets you type pagequote alone.'
else
demo: $(BIN)/pagequote
	-@$(BIN)/pagequote model get --if-missing
	$(BIN)/pagequote build "$(PDFS)" --corpus $(CORPUS)
	@echo
	$(BIN)/pagequote sql "SELECT key, pages, paragraphs, title FROM papers" --corpus $(CORPUS)
	@echo 'Now ask: $(BIN)/pagequote quote KEY "words of the paper"'
endif

check: lint
	HYPOTHESIS_PROFILE=check $(BIN)/python -m pytest --quiet $(PARALLEL) -m "not system and not long" \
	  $(TESTS)

test: $(VENV)/dev
	$(BIN)/python -m pytest --quiet $(PARALLEL) -m "not long"

test-ci: $(VENV)/ci
	$(BIN)/python -m pytest --quiet $(PARALLEL) -m "long"

test-needs: $(VENV)/dev
	$(BIN)/python -m pytest --quiet $(PARALLEL) -m "needs and not long"

gate: $(VENV)/dev
	$(BIN)/python benchmarks/gate.py $(GATE)

lint: $(VENV)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	for rule in tools/rules/*.py; do $(BIN)/python $$rule || exit; done

LOCK = uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --quiet

# Each has the versions of the next larger one, which is made on top of it.
lock:
	$(LOCK) --extra dev --group ci --no-annotate -o $(LOCKED)/ci.txt
	$(LOCK) --extra dev --constraint $(LOCKED)/ci.txt --no-annotate -o $(LOCKED)/dev.txt
	$(LOCK) --extra pipeline --group demo --constraint $(LOCKED)/ci.txt --no-annotate -o $(LOCKED)/demo.txt

reference: $(VENV)/dev
	$(BIN)/python tools/reference.py

pictures: $(BIN)/pagequote
	$(BIN)/python tools/pictures.py

# What the wheel runs with, and under which licences: after `make lock`, and `make lint`, which installs it.
bill: $(VENV)/dev
	$(BIN)/python tools/bill_of_materials.py

site: $(VENV)/dev
	$(BIN)/python tools/site.py
	$(BIN)/zensical build --strict --clean --config-file build/zensical.toml

bundle: $(VENV)/dev
	$(BIN)/python tools/mcp_bundle.py

clean:
	rm -rf $(VENV) build dist data/corpus data/work data/samples/pdfs data/metrics.json data/report.html data/growth.json
	rm -rf .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
