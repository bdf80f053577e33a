#!/usr/bin/env bash
# Looks for drift in the catalog of a clone, and prints it only if there is some: drift.sh CLONE
# The token is in the file that DATAHUB_GMS_TOKEN_FILE names.
set -euo pipefail
cd "$1"
DATAHUB_GMS_TOKEN="$(cat "$DATAHUB_GMS_TOKEN_FILE")"
export DATAHUB_GMS_TOKEN
git fetch --quiet --prune origin '+refs/heads/*:refs/remotes/origin/*' '+refs/datahub-gitops/*:refs/datahub-gitops/*'
git merge --quiet --ff-only '@{upstream}'
code=0
result="$(datahub-gitops drift --quiet 2>&1)" || code=$?
if [ "$code" -ne 0 ]; then printf '%s\n' "$result"; fi
exit "$code"
