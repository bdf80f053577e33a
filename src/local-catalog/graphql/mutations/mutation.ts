import type { JsonObject } from "../../../model/json.ts";
import { parseUrn } from "../../../model/urn.ts";
import { writeAspect } from "../../store/aspect-write.ts";
import type { AuditTrail } from "../../store/aspect-store.ts";
import { catalogUser } from "../../store/seed.ts";
import { badRequest, malformedUrn } from "../errors.ts";
import { entityTypeOfUrn } from "../../registry/entity-types.ts";
import type { RequestContext } from "../request-context.ts";

/** Resolves one mutation. */
export type Mutation<Args, Result = boolean> = (args: Args, context: RequestContext) => Result;

/**
 * The text of a URN that a mutation is given, as it stands.
 * @throws GraphQLError when it is no URN.
 */
export function requireUrn(text: string): string {
  if ("fault" in parseUrn(text)) throw malformedUrn(text);
  return text;
}

/** The same for one that may be left out. */
export function optionalUrn(text: string | null | undefined): string | undefined {
  return typeof text === "string" ? requireUrn(text) : undefined;
}

/**
 * Writes an aspect as the request's user, now, marked as DataHub marks what comes by GraphQL (MutationUtils.java).
 * @throws GraphQLError 400 when entities of that type have no such aspect.
 */
export function writeAsUser(context: RequestContext, urn: string, aspect: string, value: JsonObject): void {
  const type = entityTypeOfUrn(urn);
  if (type && !type.aspects.has(aspect)) throw badRequest(`Unknown aspect ${aspect} for entity ${type.name}`);
  writeAspect(context.store, urn, aspect, value, userAudit(context.now()));
}

/** The stamp of the request's user at a time. */
export function userStamp(time: number): JsonObject {
  return { time, actor: catalogUser };
}

/** What is kept beside that which the request's user writes at a time. */
export function userAudit(time: number): AuditTrail {
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
