# Each task is one line; `.ci/run` runs the same ones. PY names the environment's programs.
bin := env_var_or_default("TAMIS_BIN", ".venv/bin")

lint:
    {{bin}}/ruff check . && {{bin}}/ruff format --check . && {{bin}}/mypy && {{bin}}/lint-imports

test *args:
    {{bin}}/pytest {{args}}

full *args:
    {{bin}}/pytest --tier full {{args}}

slow *args:
    {{bin}}/pytest --tier slow {{args}}

doctest:
    {{bin}}/pytest --doctest-modules --doctest-glob='*.md' \
        $(grep -rL '>>> ' --include='*.py' src/tamis docs | sed 's/^/--ignore=/') \
        --ignore=docs/site src/tamis docs README.md

site:
    {{bin}}/python docs/site/make_reports.py build/reports/reports
    {{bin}}/sphinx-build -q -W --keep-going docs build/site
    {{bin}}/python -m webbrowser file://$PWD/build/site/index.html

measure:
    NUMBA_CACHE_DIR=$(mktemp -d) PYTHONPATH=tests {{bin}}/pytest -p common.measured --measure costs --tier full
    NUMBA_CACHE_DIR=$(mktemp -d) PYTHONPATH=tests {{bin}}/pytest -p common.measured --measure kernels

bench name *args:
    {{bin}}/python benchmarks/{{name}}.py {{args}}

fuzz *args:
    PYTHONPATH=tests {{bin}}/python -m fuzz {{args}}

mutate *args:
    PYTHONPATH=tests {{bin}}/python -m mutate {{args}}

pictures folder:
    mkdir -p {{folder}} && TAMIS_PICTURES={{folder}} {{bin}}/pytest -n0 tests/plotting

pages:
    TAMIS_PAGES=1 {{bin}}/pytest -n0 tests/report/test_page_texts.py

constants:
    PYTHONPATH=tests {{bin}}/python -m common.test_constants && PYTHONPATH=tests {{bin}}/python -m common.test_defaults

sentences:
    PYTHONPATH=tests {{bin}}/python -m common.sentences

answers:
    TAMIS_ANSWERS=1 {{bin}}/pytest -n0 tests/checks/test_answers.py
