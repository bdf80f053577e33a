/** Defines the types of mutations, and helpers that check and create URNs, and create audit stamps. */

import type { JsonObject } from "../../../model/json.ts";
import { entityExists } from "../../store/aspect-write.ts";
import { badRequest, malformedUrn } from "../errors.ts";
import { isUrnText, isValidUrn } from "../../registry/entity-urn.ts";
import type { RequestContext } from "../request-context.ts";

/** A resolver for one mutation. */
export type Mutation<Args, Result = boolean> = (args: Args, context: RequestContext) => Result;

/** A mutation whose only argument is `input`. */
export type InputMutation<Input, Result = boolean> = Mutation<{ readonly input: Input }, Result>;

/**
 * Checks that an argument is a URN, and returns it.
 * @throws GraphQLError when the URN is malformed.
 */
export function requireUrn(text: string): string {
  if (!isValidUrn(text)) throw malformedUrn(text);
  return text;
}

/** Checks an optional argument in the same way as `requireUrn`. */
export function optionalUrn(text: string | null | undefined): string | undefined {
  return typeof text === "string" ? requireUrn(text) : undefined;
}

/** The input for a mutation that creates an entity. */
export interface NewEntity {
  readonly id?: string | null;
  readonly name: string;
  readonly description?: string | null;
}

/**
 * Creates the URN for a new entity, with a random id unless `id` is given. `title` names the type in messages. Returns null if
 * DataHub can parse the URN but cannot store the entity. The mutation then returns null without an error.
 * @throws GraphQLError when the URN is malformed or the entity already exists.
 */
export function newUrn(
  type: string,
  title: string,
  id: string | null | undefined,
  { store, newId }: RequestContext,
): string | null {
  const urn = `urn:li:${type}:${id ?? newId()}`;
  if (!isUrnText(urn)) throw malformedUrn(urn);
  if (!isValidUrn(urn)) return null;
  if (entityExists(store, urn)) throw badRequest(`This ${title} already exists!`);
  return urn;
}

/** Creates an audit stamp with the requesting user and the current time. */
export function userStamp({ actor, now }: RequestContext): JsonObject {
  return { time: now(), actor };
}
