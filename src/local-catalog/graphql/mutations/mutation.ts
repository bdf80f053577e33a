/** The type of mutations, and the checks and writes that they share. */

import type { JsonObject } from "../../../model/json.ts";
import { entityExists, type NewAspect, writeAspect } from "../../store/aspect-write.ts";
import { addDefaultAspects } from "../../store/default-aspects.ts";
import type { AuditTrail } from "../../store/aspect-store.ts";
import { auditTrail } from "../../store/audit.ts";
import { messageOf } from "../../errors.ts";
import { mapObject } from "../../json.ts";
import { badRequest, malformedUrn, serverError } from "../errors.ts";
import { entityTypeOfUrn } from "../../registry/entity-types.ts";
import { isUrnText, isValidUrn } from "../../registry/entity-urn.ts";
import { checkedProperties } from "../../proposals/structured-properties.ts";
import { validatedAspect } from "../../registry/validate-aspect.ts";
import type { RequestContext } from "../request-context.ts";

/** Resolves one mutation. */
export type Mutation<Args, Result = boolean> = (args: Args, context: RequestContext) => Result;

/** A mutation whose only argument is `input`. */
export type InputMutation<Input, Result = boolean> = Mutation<{ readonly input: Input }, Result>;

/**
 * Checks that an argument is a URN, and returns it.
 * @throws GraphQLError when it is malformed.
 */
export function requireUrn(text: string): string {
  if (!isValidUrn(text)) throw malformedUrn(text);
  return text;
}

/** Checks an optional argument as `requireUrn` does. */
export function optionalUrn(text: string | null | undefined): string | undefined {
  return typeof text === "string" ? requireUrn(text) : undefined;
}

/** The input of a mutation that creates an entity. */
export interface NewEntity {
  readonly id?: string | null;
  readonly name: string;
  readonly description?: string | null;
}

/**
 * The URN of a new entity, with a random id if none is given. Null if DataHub can parse the URN but does not store it: the mutation
 * then returns null without an error.
 * @throws GraphQLError when the URN is malformed, or the entity exists.
 */
export function newUrn(
  { type, title }: { readonly type: string; readonly title: string },
  { id }: NewEntity,
  { store, newId }: RequestContext,
): string | null {
  const urn = `urn:li:${type}:${id ?? newId()}`;
  if (!isUrnText(urn)) throw malformedUrn(urn);
  if (!isValidUrn(urn)) return null;
  if (entityExists(store, urn)) throw badRequest(`This ${title} already exists!`);
  return urn;
}

/**
 * Writes an aspect as the user of the request, with the metadata that DataHub stores for GraphQL (MutationUtils.java).
 * Fields that are null or undefined are left out.
 * @throws GraphQLError 400 when the entity's type does not have the aspect, 500 when the value does not fit the aspect's class.
 */
export function writeAsUser(context: RequestContext, urn: string, aspect: string, fields: JsonObject): void {
  write(context, { urn, aspect, value: mapObject(fields, (part) => part ?? undefined) });
}

/** Writes the rest of an aspect after a patch that only removes: DataHub does not check the remaining values. */
export function writeRemoval(context: RequestContext, rest: NewAspect): void {
  write(context, rest, new Set());
}

function write(
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

/** An audit stamp of the user of the request. */
export function userStamp({ actor, now }: Pick<RequestContext, "actor" | "now">): JsonObject {
  return { time: now(), actor };
}

/** The audit trail of a write by the user of the request. */
export function userAudit({ actor, now }: Pick<RequestContext, "actor" | "now">): AuditTrail {
  const audit = auditTrail(actor, now());
  return { ...audit, systemMetadata: { ...audit.systemMetadata, properties: { appSource: "ui" } } };
}
