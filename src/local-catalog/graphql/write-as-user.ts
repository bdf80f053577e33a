/** Validates and writes aspects for mutations, and records the requesting user in the audit trail. */

import type { RequestContext } from "./request-context.ts";
import type { JsonObject } from "../../model/json.ts";
import { mapObject } from "../json.ts";
import { type NewAspect, entityExists, writeAspect } from "../store/aspect-write.ts";
import { entityTypeOfUrn } from "../registry/entity-types.ts";
import { badRequest, serverError } from "./errors.ts";
import { validatedAspect } from "../registry/validate-aspect.ts";
import { checkedProperties } from "../proposals/structured-properties.ts";
import { messageOf } from "../errors.ts";
import { addDefaultAspects } from "../store/default-aspects.ts";
import type { AuditTrail } from "../store/aspect-store.ts";
import { auditTrail } from "../store/audit.ts";

/**
 * Writes an aspect as the requesting user, with the metadata that DataHub stores for GraphQL writes (MutationUtils.java). Omits
 * fields that are null or undefined.
 * @throws GraphQLError 400 when the entity's type does not have the aspect, 500 when the value does not match the aspect's class.
 */
export function writeAsUser(context: RequestContext, urn: string, aspect: string, fields: JsonObject): void {
  write(context, { urn, aspect, value: mapObject(fields, (part) => part ?? undefined) });
}

/**
 * Writes an aspect as `writeAsUser` does, but keeps null fields. If `added` is given, checks structured property values only for
 * the properties in `added`.
 */
export function write(
  context: RequestContext,
  { urn, aspect, ...written }: NewAspect,
  added?: ReadonlySet<string>,
): void {
  let { value } = written;
  const type = entityTypeOfUrn(urn);
  if (type && !type.aspects.has(aspect)) throw badRequest(`Unknown aspect ${aspect} for entity ${type.name}`);
  try {
    validatedAspect(aspect, value);
    value = checkedProperties({ urn, aspect, value }, context.store, { added });
  } catch (error) {
    throw serverError(`Failed to perform update against ${urn}`, messageOf(error));
  }
  const audit = userAudit(context);
  const isNew = !entityExists(context.store, urn);
  writeAspect(context.store, { urn, aspect, value }, audit);
  if (isNew) addDefaultAspects(context.store, urn, audit);
}

/** Creates the audit trail for a write by the requesting user. */
export function userAudit({ actor, now }: RequestContext): AuditTrail {
  const audit = auditTrail(actor, now());
  return { ...audit, systemMetadata: { ...audit.systemMetadata, properties: { appSource: "ui" } } };
}
