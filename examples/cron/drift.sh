#!/usr/bin/env bash
# Looks for drift in the catalog of a clone, and prints it only if there is some: drift.sh CLONE
# The token is in the file that DATAHUB_GMS_TOKEN_FILE names.
set -euo pipefail
cd "$1"
git fetch --quiet --prune origin '+refs/heads/*:refs/remotes/origin/*' '+refs/datahub-gitops/*:refs/datahub-gitops/*'
git merge --quiet --ff-only '@{upstream}'
code=0
# Only now, and for this command alone: what Git starts needs no token of DataHub.
token="$(cat "$DATAHUB_GMS_TOKEN_FILE")"
result="$(DATAHUB_GMS_TOKEN="$token" datahub-gitops drift --quiet 2>&1)" || code=$?
if [ "$code" -ne 0 ]; then printf '%s\n' "$result"; fi
exit "$code"
