# An image with the command line, to plan and apply against a server. It does not support the local catalog.
# docker build --tag IMAGE .
# docker run --rm --read-only -v "$PWD:/repository" -e DATAHUB_GMS_URL -e DATAHUB_GMS_TOKEN IMAGE plan

FROM node:24.19.0-alpine3.24@sha256:d32cdf619f63fe0471182d08996dd516c6275bb5fd31ae06e55a570bd9e1ad43 AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
# The package has no required dependencies, so it only needs to be unpacked. Its optional dependency is left out.
RUN npm run build \
  && npm pack --ignore-scripts \
  && mkdir /package \
  && tar -xzf datahub-gitops-*.tgz -C /package --strip-components=1 \
  && chmod +x /package/dist/cli.js

FROM node:24.19.0-alpine3.24@sha256:d32cdf619f63fe0471182d08996dd516c6275bb5fd31ae06e55a570bd9e1ad43
# Git provides the earlier declarations. Its version is not pinned, because Alpine removes a version when it releases the next one.
# The base image determines the Alpine release. A mounted repository belongs to a user of the host, so Git must trust all directories.
RUN apk add --no-cache git \
  && git config --system --add safe.directory '*' \
  && rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /opt/yarn* \
  && ln -s /opt/datahub-gitops/dist/cli.js /usr/local/bin/datahub-gitops
COPY --from=build /package /opt/datahub-gitops
USER 1000:1000
WORKDIR /repository
ENTRYPOINT ["datahub-gitops"]
CMD ["--help"]
