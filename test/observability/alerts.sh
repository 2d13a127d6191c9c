#!/usr/bin/env bash
# Checks the alert rules and runs their unit tests with promtool. Takes promtool from the path, or from Debian's package `prometheus`, which is
# unpacked and not installed. Ends with 77, not checked, where neither is possible.
set -euo pipefail
cd "$(dirname "$0")/../../deploy/observability"

if ! promtool=$(command -v promtool); then
  unpacked=$(mktemp -d)
  trap 'rm -rf "$unpacked"' EXIT
  if ! (cd "$unpacked" && apt-get download -qq prometheus && dpkg-deb -x prometheus_*.deb .) > /dev/null 2>&1; then
    echo 'alerts: not checked, because promtool is missing and the package prometheus cannot be downloaded'
    exit 77
  fi
  promtool="$unpacked/usr/bin/promtool"
fi

"$promtool" check config prometheus.yaml
"$promtool" test rules alerts.test.yaml
