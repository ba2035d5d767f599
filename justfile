# Each task is one line; `.ci/run` runs the same ones. PY names the environment's programs.
bin := env_var_or_default("TAMIS_BIN", ".venv/bin")

lint:
    {{bin}}/ruff check . && {{bin}}/ruff format --check . && {{bin}}/mypy && {{bin}}/lint-imports

test *args:
    {{bin}}/pytest {{args}}

doctest:
    {{bin}}/pytest --doctest-modules --doctest-glob='*.md' src/tamis docs README.md

longer:
    {{bin}}/pytest -m 'longer and not slow'

slow:
    {{bin}}/pytest -m slow

bench name *args:
    {{bin}}/python benchmarks/{{name}}.py {{args}}

fuzz *args:
    PYTHONPATH=tests {{bin}}/python -m fuzz {{args}}
