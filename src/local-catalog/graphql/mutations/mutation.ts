import type { JsonObject } from "../../../model/json.ts";
import { entityExists, writeAspect } from "../../store/aspect-write.ts";
import { addDefaultAspects } from "../../store/default-aspects.ts";
import type { AuditTrail } from "../../store/aspect-store.ts";
import { auditTrail } from "../../store/audit.ts";
import { messageOf } from "../../errors.ts";
import { badRequest, malformedUrn, serverError } from "../errors.ts";
import { entityTypeOfUrn } from "../../registry/entity-types.ts";
import { isUrnText, isValidUrn } from "../../registry/urn-syntax.ts";
import { validateAspect } from "../../registry/validate-aspect.ts";
import type { RequestContext } from "../request-context.ts";

/** Resolves one mutation. */
export type Mutation<Args, Result = boolean> = (args: Args, context: RequestContext) => Result;

/**
 * Checks that an argument is a URN, and returns it.
 * @throws GraphQLError when it is malformed.
 */
export function requireUrn(text: string): string {
  if (!isValidUrn(text)) throw malformedUrn(text);
  return text;
}

/**
 * Checks that DataHub can parse the URN of an entity that is to be created, and returns it. The URN may still be one that
 * DataHub does not store: a creation then answers null without an error.
 * @throws GraphQLError when it cannot.
 */
export function requireUrnText(text: string): string {
  if (!isUrnText(text)) throw malformedUrn(text);
  return text;
}

/** The same for an optional argument. */
export function optionalUrn(text: string | null | undefined): string | undefined {
  return typeof text === "string" ? requireUrn(text) : undefined;
}

/**
 * Writes an aspect as the user of the request, with the metadata that DataHub stores for GraphQL (MutationUtils.java).
 * @throws GraphQLError 400 when the entity's type does not have the aspect, 500 when the value does not fit the aspect's class.
 */
export function writeAsUser(context: RequestContext, urn: string, aspect: string, value: JsonObject): void {
  const type = entityTypeOfUrn(urn);
  if (type && !type.aspects.has(aspect)) throw badRequest(`Unknown aspect ${aspect} for entity ${type.name}`);
  try {
    validateAspect(aspect, value);
  } catch (error) {
    throw serverError(`Failed to perform update against ${urn}`, messageOf(error));
  }
  const audit = userAudit(context);
  const isNew = !entityExists(context.store, urn);
  writeAspect(context.store, { urn, aspect, value }, audit);
  if (isNew) addDefaultAspects(context.store, urn, audit);
}

/** An audit stamp of the user of the request. */
export function userStamp({ actor, now }: Pick<RequestContext, "actor" | "now">): JsonObject {
  return { time: now(), actor };
}

/** The audit trail of a write by the user of the request. */
export function userAudit({ actor, now }: Pick<RequestContext, "actor" | "now">): AuditTrail {
  const audit = auditTrail(actor, now());
  return { ...audit, systemMetadata: { ...audit.systemMetadata, properties: { appSource: "ui" } } };
}
