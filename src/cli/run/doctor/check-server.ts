/** Checks the address, the server, its clock, and the token with its permissions. */

import { createReader, type Reader } from "../../../datahub/client.ts";
import { expiryOf } from "../../../datahub/access-token.ts";
import { askServer, type ServerAnswer } from "../../../datahub/server-config.ts";
import { CatalogError } from "../../../model/catalog-error.ts";
import { type Check, type Diagnosis, ok, problem, warning } from "../../../model/diagnosis.ts";
import type { Rule } from "../../../model/rule.ts";
import type { State } from "../../../model/state.ts";
import type { Urn } from "../../../model/urn.ts";
import { releaseProblems } from "../../../plan/checks/releases.ts";
import { count } from "../../../report/count.ts";
import { messageOf } from "../../../report/document/problems.ts";
import { readActor } from "../../../sync/read/actor.ts";
import { knownCapabilities, probeTypes } from "../../../sync/read/capabilities.ts";
import { optionalTypes, typesOf } from "../../../sync/read/optional-types.ts";
import { missingPrivileges } from "../../../sync/read/missing-privileges.ts";
import { systemUser } from "../../../sync/write/provenance.ts";
import { asCommandError } from "../../output/command-error.ts";
import type { Io } from "../../io.ts";
import { openTarget, type Target, type TargetOptions } from "../../options/target.ts";
import { checkCapabilities, checkRelease } from "./check-capabilities.ts";
import type { Known } from "./check-repository.ts";
import { checkView } from "./check-view.ts";

/** Checks the server and the token. Sends nothing if the settings could not be read, because they may allow only another server. */
export async function checkServerAndToken(
  known: Known | undefined,
  options: TargetOptions,
  io: Io,
): Promise<Diagnosis> {
  if (!known)
    return only(
      warning(
        "server",
        "the server and the token were not checked: it is not known which server the settings allow",
        "solve the problem with the settings, and run doctor again",
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
          ? "set DATAHUB_GMS_URL to the address of DataHub, such as https://datahub.acme.com/api/gms"
          : `set DATAHUB_GMS_URL to ${settings.server}, which the settings name, or correct \`server\` there`,
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
  const address =
    name.startsWith("http://") && !/^http:\/\/(?:localhost|127\.|\[::1\])/.test(name)
      ? warning(
          "address",
          `${name} is not encrypted`,
          "use https: the token and the metadata can be read on the way",
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
        ? [refusedToken(actor, connection.token !== undefined)]
        : await checkToken(reader, { actor, token: connection.token, known }, io)),
    ],
    capabilities: capabilities === undefined || capabilities instanceof CatalogError ? [] : capabilities,
  };
}

/** The suggested action if the server does not answer. */
function todoFor(message: string): string {
  if (message.includes("NODE_EXTRA_CA_CERTS"))
    return "set NODE_EXTRA_CA_CERTS before the program starts, and ask for the certificate where the server is run";
  if (message.startsWith("the proxy "))
    return "correct HTTPS_PROXY, HTTP_PROXY or ALL_PROXY, or name the server in NO_PROXY";
  return "correct the address, or try again when the server is up";
}

/** The maximum difference in seconds. A larger difference means a wrong clock, and not a slow answer. */
const maxClockDifference = 60;

function checkClock({ date }: ServerAnswer, io: Io): readonly Check[] {
  const there = date === undefined ? Number.NaN : Date.parse(date);
  if (Number.isNaN(there)) return [];
  const seconds = Math.round((io.now().getTime() - there) / 1000);
  if (Math.abs(seconds) <= maxClockDifference) return [ok("clock", "it agrees with that of the server")];
  const words = `the clock here is ${Math.abs(seconds)} s ${seconds > 0 ? "ahead of" : "behind"} that of the server`;
  return [warning("clock", words, "set the clock: tokens, certificates and waivers end by it")];
}

const newToken =
  "create a new access token in DataHub (Settings, Access Tokens) and set DATAHUB_GMS_TOKEN to it";

function refusedToken({ message }: CatalogError, hasToken: boolean): Check {
  const todo = hasToken
    ? newToken
    : "set DATAHUB_GMS_TOKEN to an access token (in DataHub: Settings, Access Tokens)";
  return problem("token", message, todo);
}

/** The warnings about a token begin this number of days before its end. */
const daysBefore = 30;

const dayInMilliseconds = 86_400_000;

function checkExpiry(token: string, io: Io): readonly Check[] {
  const end = expiryOf(token);
  if (!end) return [];
  const days = Math.floor((end.getTime() - io.now().getTime()) / dayInMilliseconds);
  const day = end.toISOString().slice(0, 10);
  if (days >= daysBefore) return [ok("token", `it ends on ${day}`)];
  return [
    warning(
      "token",
      `it ends on ${day}: ${days < 0 ? "it has ended" : `in ${count(days, "day")}`}`,
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
      ? [ok("token", `none is needed; the server takes requests for ${actor}`)]
      : [ok("token", `it is that of ${actor}`), ...checkExpiry(token, io)];
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
      ? [unknownRelease(`the server does not name the fields of ${unnamed.join(", ")}`)]
      : []),
    ...releaseProblems(state, { fields }).map((each) =>
      problem("release", messageOf(each), "upgrade the server, or do not declare it"),
    ),
  ];
}

function unknownRelease(reason: string): Check {
  return warning(
    "release",
    `it is not known what the release lacks: ${reason}`,
    "try again, or allow introspection of GraphQL on the server",
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
        "look in DataHub (Settings, Permissions) whether the token may write what the manifests declare",
      ),
    ];
  const apart = rules.length > 0 ? ", apart from rules" : "";
  if (missing.length === 0)
    return [ok("privileges", `the token may write what the manifests declare${apart}`)];
  return missing.map(({ privilege, entities, first }) =>
    problem(
      "privileges",
      `${actor} lacks the privilege ${privilege} on ${first}${entities > 1 ? ` and ${count(entities - 1, "other")}` : ""}`,
      "grant it in DataHub (Settings, Permissions), or use the token of somebody who has it",
    ),
  );
}

function checkRules(rules: readonly Rule[]): readonly Check[] {
  if (rules.length === 0) return [];
  return [
    warning(
      "privileges",
      `what rules match was not checked: the manifests have ${count(rules.length, "rule")}`,
      "see with datahub-gitops plan what they change, and in DataHub (Settings, Permissions) whether the token may write it",
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
