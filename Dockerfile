# The command line in a container: it plans and applies against a server. The local catalog is not part of it.
# docker build --tag IMAGE .
# docker run --rm --read-only -v "$PWD:/repository" -e DATAHUB_GMS_URL -e DATAHUB_GMS_TOKEN IMAGE plan

FROM node:24.19.0-alpine3.24@sha256:d32cdf619f63fe0471182d08996dd516c6275bb5fd31ae06e55a570bd9e1ad43 AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
# The package needs no other one: to unpack it is to install it, without its optional part.
RUN npm run build \
  && npm pack --ignore-scripts \
  && mkdir /package \
  && tar -xzf datahub-gitops-*.tgz -C /package --strip-components=1 \
  && chmod +x /package/dist/cli.js

FROM node:24.19.0-alpine3.24@sha256:d32cdf619f63fe0471182d08996dd516c6275bb5fd31ae06e55a570bd9e1ad43
# Git knows what was declared before. It has no version: Alpine removes each one when the next comes, and the image above has the release. A repository that is mounted belongs to a user of the machine, whom git does not know.
RUN apk add --no-cache git \
  && git config --system --add safe.directory '*' \
  && rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /opt/yarn* \
  && ln -s /opt/datahub-gitops/dist/cli.js /usr/local/bin/datahub-gitops
COPY --from=build /package /opt/datahub-gitops
USER 1000:1000
WORKDIR /repository
ENTRYPOINT ["datahub-gitops"]
CMD ["--help"]
