#!/usr/bin/env bash
# Tests the Python client: style and types, then its wheel in a new environment against a running service and against
# failing ones. With PALIMPSEST_URL the service there is used, whose variables are those of tests/conftest.py; else an
# embedded one of its own. .ci/readme.mjs tests the client against the distributed service. Needs the build. Exits with
# 77 when the tools cannot be installed: then nothing was checked.
set -euo pipefail
cd "$(dirname "$0")/../../deploy/clients/python"

not_run=77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
../../../test/support/python-environment.sh "$work/tools" build==1.6.1 hatchling==1.27.0 httpx==0.28.1 langchain-core==1.8.3 \
  llama-index-core==0.14.25 mypy==2.4.1 openai-agents==0.24.0 pytest==9.2.0 ruff==0.17.6 'typing_extensions>=4.6' > "$work/install.log" 2>&1 ||
  { tail -n 5 "$work/install.log"; echo "Python client: not run, because its tools could not be installed"; exit "$not_run"; }
export PATH="$work/tools/bin:$PATH" PYTHONDONTWRITEBYTECODE=1 RUFF_NO_CACHE=true
# Its frameworks bring plugins, which take seconds to load.
export PYTEST_DISABLE_PLUGIN_AUTOLOAD=1

ruff check .
ruff format --check .
MYPYPATH=src mypy --cache-dir "$work/mypy" src tests
python -m build --no-isolation --wheel --outdir "$work" . > "$work/build.log" || { cat "$work/build.log"; exit 1; }

# In an empty environment the wheel brings what it needs.
python3 -m venv "$work/user"
"$work/user/bin/pip" install --quiet --no-compile --disable-pip-version-check "$work"/*.whl
"$work/user/bin/python" -c 'import palimpsest_client'

# The adapters need their frameworks.
pip install --quiet --no-compile --disable-pip-version-check --no-deps "$work"/*.whl
python -m pytest -q -p no:cacheprovider tests
