#!/usr/bin/env bash
# Checks the alert rules and runs their unit tests with promtool. Ends with 77, not checked, on a machine without it.
set -euo pipefail
cd "$(dirname "$0")/../../deploy/observability"

if ! command -v promtool > /dev/null; then
  echo "alerts: not checked, because promtool is missing: install Debian's package prometheus"
  exit 77
fi

promtool check config prometheus.yaml
promtool test rules alerts.test.yaml
