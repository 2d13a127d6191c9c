#!/usr/bin/env bash
# Connects the Python client of MCP, which most agents use, to the bridge: over HTTP and stdio, in both revisions of the
# protocol. Needs the build. Exits with 77 when the client cannot be installed: then nothing was checked.
set -euo pipefail
cd "$(dirname "$0")"

not_run=77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
../support/python-environment.sh "$work/tools" mcp==2.3.0 > "$work/install.log" 2>&1 ||
  { tail -n 5 "$work/install.log"; echo "Python client of MCP: not run, because it could not be installed"; exit "$not_run"; }
PYTHONDONTWRITEBYTECODE=1 "$work/tools/bin/python" mcp_client.py "$work"
