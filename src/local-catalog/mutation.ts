import type { JsonObject } from "../model/json.ts";
import { parseUrn } from "../model/urn.ts";
import { writeAspect } from "./aspect-write.ts";
import type { AuditTrail } from "./aspect-store.ts";
import { catalogUser } from "./fresh-catalog.ts";
import { malformedUrn } from "./graphql-error.ts";
import type { RequestContext } from "./request-context.ts";

/** Resolves one mutation. It runs in a transaction of its own: all that it writes, or nothing. */
export type Mutation<Args> = (args: Args, context: RequestContext) => boolean;

/**
 * The text of a URN that a mutation is given, as it stands.
 * @throws GraphQLError when it is no URN.
 */
export function givenUrn(text: string): string {
  if ("fault" in parseUrn(text)) throw malformedUrn(text);
  return text;
}

/** Writes an aspect as the request's user, now, marked as DataHub marks what comes by GraphQL (MutationUtils.java). */
export function writeAsUser(context: RequestContext, urn: string, aspect: string, value: JsonObject): void {
  writeAspect(context.store, urn, aspect, value, userAudit(context.now()));
}

/** The stamp of the request's user at a time. */
export function userStamp(time: number): JsonObject {
  return { time, actor: catalogUser };
}

function userAudit(time: number): AuditTrail {
  return {
    actor: catalogUser,
    time,
    systemMetadata: {
      lastObserved: time,
      runId: "no-run-id-provided",
      lastRunId: "no-run-id-provided",
      properties: { appSource: "ui" },
    },
  };
}
