#!/usr/bin/env bash
# Starts the official quickstart of the newest release of a line of DataHub, such as 1.4, with the compose file of that release
# and authentication on. Then exports DATAHUB_GMS_URL and a token of the root user to the next steps of a job.
set -euo pipefail
line=$1
datahub=https://github.com/datahub-project/datahub

release=$(git ls-remote --tags --refs --sort=-version:refname "$datahub" "v$line" "v$line.*" |
  sed 's:.*/::' | grep -Em1 '^v[0-9.]+$')
echo "The newest release of $line is $release."

dir=$(mktemp -d)
cd "$dir"
git clone --quiet --depth 1 --filter=blob:none --sparse --branch "$release" "$datahub" .
git sparse-checkout set docker/quickstart docker/mysql
cd docker/quickstart
# Newer releases have one file with profiles.
compose=docker-compose.quickstart-profile.yml
if [[ ! -f $compose ]]; then compose=docker-compose-without-neo4j.quickstart.yml; fi

export DATAHUB_VERSION=$release
export DATAHUB_TELEMETRY_ENABLED=false
export UI_INGESTION_DEFAULT_CLI_VERSION=${release#v}
export DATAHUB_TOKEN_SERVICE_SALT DATAHUB_TOKEN_SERVICE_SIGNING_KEY
DATAHUB_TOKEN_SERVICE_SALT=$(openssl rand -hex 16)
DATAHUB_TOKEN_SERVICE_SIGNING_KEY=$(openssl rand -base64 32)
export COMPOSE_PROFILES=quickstart

{
  echo "services:"
  docker compose --file "$compose" config --services | grep -E '^(datahub-gms|datahub-frontend-react|frontend)(-quickstart)?$' |
    sed 's/.*/  &: { environment: { METADATA_SERVICE_AUTH_ENABLED: "true" } }/'
} >authentication.yml
docker compose --file "$compose" --file authentication.yml up --detach --quiet-pull

# Looks until a service answers, for 15 minutes in all.
end=$((SECONDS + 900))
until_answers() {
  until curl --silent --fail --output /dev/null "$1"; do
    if ((SECONDS > end)); then
      docker compose --file "$compose" ps --all
      echo "$1 does not answer" >&2
      exit 1
    fi
    sleep 2
  done
}
until_answers http://localhost:8080/health
until_answers http://localhost:9002/admin

# As a person does it: the user logs in to the frontend and makes a token.
curl --silent --fail --output /dev/null --cookie-jar cookies --header "Content-Type: application/json" \
  --data '{"username": "datahub", "password": "datahub"}' http://localhost:9002/logIn
document='mutation ($input: CreateAccessTokenInput!) { createAccessToken(input: $input) { accessToken } }'
input='{"type": "PERSONAL", "actorUrn": "urn:li:corpuser:datahub", "duration": "ONE_DAY", "name": "acceptance"}'
token=$(curl --silent --fail --cookie cookies --header "Content-Type: application/json" \
  --data "$(jq -n --arg query "$document" --argjson input "$input" '{$query, variables: {$input}}')" \
  http://localhost:9002/api/v2/graphql | jq --exit-status --raw-output .data.createAccessToken.accessToken)
echo "::add-mask::$token"
echo "DATAHUB_GMS_TOKEN=$token" >>"$GITHUB_ENV"
echo "DATAHUB_GMS_URL=http://localhost:8080" >>"$GITHUB_ENV"
