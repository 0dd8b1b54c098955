# Everything from a fresh clone with Python 3.11+ and make: `make demo`, `make test`.

PYTHON ?= python3
VENV   ?= .venv
PDFS   ?= data/samples/pdfs
CORPUS ?= data/corpus
BIN    := $(VENV)/bin

DEMO_KEY   ?= lindqvist2019
DEMO_WORDS ?= a temperature response that was fitted to daytime data

.PHONY: help demo test lint lock clean samples

help:
	@echo "make demo            build a corpus from the sample PDFs and ask it for a quote"
	@echo "make demo PDFS=dir   the same with your PDFs (and CORPUS=dir for where it goes)"
	@echo "make test            run the tests"
	@echo "make lint            run ruff and mypy"
	@echo "make lock            resolve requirements-dev.txt anew"
	@echo "make clean           remove the environment and all that was built"

# The environment: the locked packages by hash, then this project on top.
$(BIN)/pagequote: requirements-dev.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "PageQuote needs Python 3.11 or newer; name one: make PYTHON=python3.12")'
	$(PYTHON) -m venv --clear $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

samples: $(BIN)/pagequote
	$(BIN)/python data/samples/typeset.py --out data/samples/pdfs

ifeq ($(PDFS),data/samples/pdfs)
demo: samples
	$(BIN)/pagequote build $(PDFS) --bib data/samples/pdfs/samples.bib --corpus $(CORPUS)
	@echo
	$(BIN)/pagequote quote $(DEMO_KEY) "$(DEMO_WORDS)" --corpus $(CORPUS)
else
demo: $(BIN)/pagequote
	$(BIN)/pagequote build "$(PDFS)" --corpus $(CORPUS)
	@echo
	$(BIN)/pagequote sql "SELECT key, pages, paragraphs, title FROM papers" --corpus $(CORPUS)
	@echo 'Now ask: $(BIN)/pagequote quote KEY "words of the paper"'
endif

test: $(BIN)/pagequote
	$(BIN)/python -m pytest

lint: $(BIN)/pagequote
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

lock:
	uv pip compile pyproject.toml --extra dev --universal --python-version 3.11 --generate-hashes \
	  --no-emit-index-url --no-header --quiet -o requirements-dev.txt

clean:
	rm -rf $(VENV) data/corpus data/work data/samples/pdfs data/metrics.json data/report.html data/growth.json .pytest_cache .mypy_cache .ruff_cache .hypothesis
