/** Checks the server, its URL and clock, and the token and its permissions. */

import { createReader, type Reader } from "../../../datahub/client.ts";
import { expiryOf } from "../../../datahub/access-token.ts";
import { askServer, type ServerAnswer } from "../../../datahub/server-config.ts";
import { CatalogError } from "../../../model/catalog-error.ts";
import { type Check, type Diagnosis, ok, problem, warning } from "../../../model/diagnosis.ts";
import type { Rule } from "../../../model/rule.ts";
import type { State } from "../../../model/state.ts";
import { keyOf, type Urn } from "../../../model/urn.ts";
import { releaseProblems } from "../../../plan/checks/releases.ts";
import { count } from "../../../report/count.ts";
import { messageOf } from "../../../report/document/problems.ts";
import { readActor } from "../../../sync/read/actor.ts";
import { knownCapabilities, probeTypes } from "../../../sync/read/capabilities.ts";
import { optionalTypes, typesOf } from "../../../sync/read/optional-types.ts";
import { missingPrivileges } from "../../../sync/read/missing-privileges.ts";
import { systemUser } from "../../../sync/write/conditional-writes.ts";
import { asCommandError } from "../../output/command-error.ts";
import type { Io } from "../../io.ts";
import { isUnprotected, openTarget, type Target, type TargetOptions } from "../../options/target.ts";
import { checkCapabilities, checkRelease } from "./check-capabilities.ts";
import type { Known } from "./check-repository.ts";
import { checkView } from "./check-view.ts";

/** Checks the server and the token. Sends nothing if the settings could not be read, because they may pin a different server. */
export async function checkServerAndToken(
  known: Known | undefined,
  options: TargetOptions,
  io: Io,
): Promise<Diagnosis> {
  if (!known)
    return only(
      warning(
        "server",
        "the server and token were not checked, because the settings could not be read",
        "fix the settings, and run doctor again",
      ),
    );
  const { settings } = known.repository;
  let target: Target;
  try {
    target = await openTarget(options, { settings, writes: false }, io);
  } catch (thrown) {
    const error = asCommandError(thrown);
    if (!(error instanceof Error) || error === thrown) throw thrown;
    return only(
      problem(
        "address",
        error.message,
        settings.server === undefined
          ? "set DATAHUB_GMS_URL to the URL of DataHub, such as https://datahub.acme.com/api/gms"
          : `set DATAHUB_GMS_URL to ${settings.server}, or correct \`server\` in the settings`,
      ),
    );
  }
  return await checkTarget(target, known, io).finally(() => target.close());
}

function only(...checks: readonly Check[]): Diagnosis {
  return { checks, capabilities: [] };
}

async function checkTarget(target: Target, known: Known, io: Io): Promise<Diagnosis> {
  const { connection, name } = target;
  const address = isUnprotected(name)
    ? warning(
        "address",
        `the connection to ${name} is not encrypted`,
        "use https; otherwise, anyone on the network can read the token and the metadata",
      )
    : ok("address", `the target is ${name}`);
  const answer = await attempt(() => askServer(connection, io.interrupted));
  if (answer instanceof CatalogError)
    return only(address, problem("server", answer.message, todoFor(answer.message)));
  const reader = createReader(connection);
  const actor = await attempt(() => readActor(reader, io.interrupted));
  const capabilities =
    actor instanceof CatalogError
      ? undefined
      : await attempt(() => knownCapabilities(reader, io.interrupted));
  return {
    checks: [
      address,
      ...(await checkRelease(reader, answer, known, io)),
      ...checkClock(answer, io),
      ...checkCapabilities(capabilities),
      ...(actor instanceof CatalogError
        ? [problem("token", actor.message, newToken)]
        : await checkToken(reader, { actor, token: connection.token, known }, io)),
    ],
    capabilities: capabilities === undefined || capabilities instanceof CatalogError ? [] : capabilities,
  };
}

/** Returns the suggested action for a server that does not respond. */
function todoFor(message: string): string {
  if (message.includes("NODE_EXTRA_CA_CERTS"))
    return "set NODE_EXTRA_CA_CERTS before you start the program; the server operators can provide the certificate file";
  if (message.startsWith("the proxy "))
    return "correct HTTPS_PROXY, HTTP_PROXY or ALL_PROXY, or add the server to NO_PROXY";
  return "correct the URL, or try again when the server is running";
}

/** The maximum clock difference in seconds. A larger difference indicates a wrong clock rather than a slow response. */
const maxClockDifference = 60;

function checkClock({ date }: ServerAnswer, io: Io): readonly Check[] {
  const there = date === undefined ? Number.NaN : Date.parse(date);
  if (Number.isNaN(there)) return [];
  const seconds = Math.round((io.now().getTime() - there) / 1000);
  if (Math.abs(seconds) <= maxClockDifference) return [ok("clock", "in sync with the server")];
  const words = `${Math.abs(seconds)} s ${seconds > 0 ? "ahead of" : "behind"} the server`;
  return [
    warning(
      "clock",
      words,
      "correct this machine's clock, which determines when tokens, certificates and waivers expire",
    ),
  ];
}

const newToken =
  "create an access token in DataHub (Settings, Access Tokens) and set DATAHUB_GMS_TOKEN to it";

/** Warnings begin this number of days before a token expires. */
const daysBefore = 30;

const dayInMilliseconds = 86_400_000;

function checkExpiry(token: string, io: Io): readonly Check[] {
  const end = expiryOf(token);
  if (!end) return [];
  const days = Math.floor((end.getTime() - io.now().getTime()) / dayInMilliseconds);
  const day = end.toISOString().slice(0, 10);
  if (days >= daysBefore) return [ok("token", `expires on ${day}`)];
  return [
    warning(
      "token",
      days < 0 ? `expired on ${day}` : `expires on ${day}, in ${count(days, "day")}`,
      newToken,
    ),
  ];
}

interface KnownToken {
  readonly actor: Urn;
  readonly token: string | undefined;
  readonly known: Known;
}

async function checkToken(
  reader: Reader,
  { actor, token, known }: KnownToken,
  io: Io,
): Promise<readonly Check[]> {
  const who =
    token === undefined
      ? [ok("token", `not needed; the server accepts requests without a token as user ${keyOf(actor)}`)]
      : [ok("token", `belongs to user ${keyOf(actor)}`), ...checkExpiry(token, io)];
  const { state, rules } = known.manifests;
  if (state.size === 0) return [...who, ...checkRules(rules)];
  return [
    ...who,
    ...(await checkFeatures(reader, state, io)),
    ...(await checkView(reader, state, io.interrupted)),
    ...(actor === systemUser ? [] : await checkPrivileges(reader, actor, known, io)),
    ...checkRules(rules),
  ];
}

async function checkFeatures(reader: Reader, state: State, io: Io): Promise<readonly Check[]> {
  const types = optionalTypes(state);
  const fields = await attempt(() => probeTypes(reader, types, io.interrupted));
  if (fields instanceof CatalogError) return [unknownRelease(fields.message)];
  const named = new Set(typesOf([...fields]));
  const unnamed = types.filter((type) => !named.has(type));
  return [
    ...(unnamed.length > 0
      ? [unknownRelease(`the server did not list the fields of ${unnamed.join(", ")}`)]
      : []),
    ...releaseProblems(state, { fields }).map((each) =>
      problem("release", messageOf(each), "upgrade the server, or remove the declaration"),
    ),
  ];
}

function unknownRelease(reason: string): Check {
  return warning(
    "release",
    `could not determine which features the release lacks: ${reason}`,
    "try again, or allow GraphQL introspection on the server",
  );
}

async function checkPrivileges(
  reader: Reader,
  actor: Urn,
  { repository, manifests: { state, rules } }: Known,
  io: Io,
): Promise<readonly Check[]> {
  const writes = repository.settings.writes ?? "graphql";
  const missing = await attempt(() =>
    missingPrivileges(reader, actor, { desired: state, writes }, { signal: io.interrupted }),
  );
  if (missing instanceof CatalogError)
    return [
      warning(
        "privileges",
        missing.message,
        "check in DataHub (Settings, Permissions) whether the token is allowed to write what the manifests declare",
      ),
    ];
  const apart = rules.length > 0 ? ", not counting rules" : "";
  if (missing.length === 0)
    return [ok("privileges", `the token is allowed to write what the manifests declare${apart}`)];
  return missing.map(({ privilege, entities, first }) =>
    problem(
      "privileges",
      `${actor} lacks the privilege ${privilege} on ${first}${entities > 1 ? ` and ${count(entities - 1, "other")}` : ""}`,
      "grant it in DataHub (Settings, Permissions), or use the token of someone who has it",
    ),
  );
}

function checkRules(rules: readonly Rule[]): readonly Check[] {
  if (rules.length === 0) return [];
  return [
    warning(
      "privileges",
      `not checked for the assets that ${count(rules.length, "rule")} match${rules.length === 1 ? "es" : ""}`,
      "run `datahub-gitops plan` to see the changes, and check in DataHub (Settings, Permissions) whether the token is allowed to write them",
    ),
  ];
}

async function attempt<T>(ask: () => Promise<T>): Promise<T | CatalogError> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof CatalogError) return error;
    throw error;
  }
}
