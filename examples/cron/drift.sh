#!/usr/bin/env bash
# Updates a clone and checks for drift. Prints only drift and errors. Usage: drift.sh CLONE
# DATAHUB_GMS_TOKEN_FILE must contain the path of a file with the DataHub token.
set -euo pipefail
cd "$1"
git fetch --quiet --prune origin '+refs/heads/*:refs/remotes/origin/*' '+refs/datahub-gitops/*:refs/datahub-gitops/*'
git merge --quiet --ff-only '@{upstream}'
code=0
# Only this command gets the token. Git and the programs that it starts do not need it.
token="$(cat "$DATAHUB_GMS_TOKEN_FILE")"
result="$(DATAHUB_GMS_TOKEN="$token" datahub-gitops drift --quiet 2>&1)" || code=$?
if [ "$code" -ne 0 ]; then printf '%s\n' "$result"; fi
exit "$code"
