#!/usr/bin/env bash
# Checks the OpenAPI document with one tool: its recommended rules pass, or the client that it generates compiles.
# Installs the tool into its own folder. Exits with 77 when the tool cannot be installed: then nothing was checked.
# Usage: clients.sh redocly | spectral | openapi-typescript | hey-api | openapi-python-client
set -euo pipefail
cd "$(dirname "$0")/../.."

tool=$1
not_run=77
case "$tool" in
  redocly) package=@redocly/cli@2.77.0 ;;
  spectral) package=@stoplight/spectral-cli@6.16.3 ;;
  openapi-typescript) package=openapi-typescript@7.13.0 ;;
  hey-api) package=@hey-api/openapi-ts@0.99.0 ;;
  openapi-python-client) package=openapi-python-client==0.29.1 ;;
  *) echo "unknown tool: $tool" && exit 2 ;;
esac
home="${OPENAPI_CLIENTS_HOME:-${TMPDIR:-/tmp}/palimpsest-openapi}/${package//[@\/=]/_}"

install() {
  if [ "$tool" = openapi-python-client ]; then
    test/support/python-environment.sh "$home" "$package"
  else
    # openapi-typescript and hey-api compile with the TypeScript of this project.
    npm install --prefix "$home" --ignore-scripts --no-audit --no-fund --loglevel error "$package" typescript@5.9.3
  fi
}
if [ ! -e "$home/installed" ]; then
  mkdir -p "$home"
  install > "$home/install.log" 2>&1 || { tail -n 5 "$home/install.log"; echo "$tool: not run, because $package could not be installed"; exit "$not_run"; }
  touch "$home/installed"
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PATH="$home/node_modules/.bin:$home/bin:$PATH"
node --input-type=module -e "
  import { writeFileSync } from 'node:fs';
  import { openApiDocument } from './dist/shared/http/openapi/openapi-document.js';
  writeFileSync('$work/openapi.json', JSON.stringify(openApiDocument({ version: '0.1.0', vectorSize: 512 })));
"
cd "$work"
# Compiles the generated client alone, strictly.
echo '{ "compilerOptions": { "noEmit": true, "strict": true, "target": "es2022", "module": "esnext", "moduleResolution": "bundler",
  "lib": ["es2022", "dom", "dom.iterable"], "types": [] }, "include": ["client"] }' > tsconfig.json

case "$tool" in
  redocly) REDOCLY_TELEMETRY=off redocly lint openapi.json --extends=recommended --max-problems 100 ;;
  spectral)
    echo 'extends: ["spectral:oas"]' > rules.yaml
    spectral lint openapi.json --ruleset rules.yaml --fail-severity warn
    ;;
  openapi-typescript) openapi-typescript openapi.json --output client/api.ts && tsc ;;
  hey-api) openapi-ts --input openapi.json --output client --no-log-file && tsc ;;
  openapi-python-client)
    # The generator knows no application/gzip, the type of a backup; this setting of it names the same handling.
    echo 'content_type_overrides: { application/gzip: application/octet-stream }' > config.yaml
    openapi-python-client generate --path openapi.json --config config.yaml --meta none --output-path palimpsest_client --fail-on-warning
    # Imports every module, because Python compiles names and types late.
    PYTHONPATH=. python -W error - << 'PYTHON'
import importlib, pkgutil, palimpsest_client
modules = [m.name for m in pkgutil.walk_packages(palimpsest_client.__path__, "palimpsest_client.")]
for name in modules:
    importlib.import_module(name)
print(f"{len(modules)} modules imported")
PYTHON
    ;;
esac
echo "$tool: passed"
