/** Parses entities and aspects in the paths and bodies of OpenAPI requests, and formats them for responses. */

import { isJsonList, isJsonObject, type Json, type JsonObject } from "../../../model/json.ts";
import type { StoredAspect } from "../../store/aspect-store.ts";
import { parseEntityUrn, unknownEntity, type EntityUrn } from "../../registry/entity-urn.ts";
import { objectAt, stringAt } from "../../json.ts";
import { validateProposal, headersOf, type ChangeType, type Proposal } from "../../proposals/proposal.ts";
import { malformed } from "../../errors.ts";
import { entityTypeNamed } from "../../registry/entity-types.ts";
import { hasFlag, type RestResponse, type RestContext, type RestRequest } from "../exchange.ts";
import { normalizeAspect } from "../../proposals/normalize.ts";

/** A request path that contains an entity type. */
export interface TypePath {
  readonly type: string;
}

/** A request path that contains an entity type and a URN. */
export interface EntityPath extends TypePath {
  readonly urn: string;
}

/** A request path that contains an entity type, a URN and an aspect. */
export interface AspectPath extends EntityPath {
  readonly aspect: string;
}

/** Handlers for requests to one kind of path, keyed by HTTP method. */
export type Handlers<Path> = Readonly<
  Record<string, (path: Path, request: RestRequest, context: RestContext) => RestResponse>
>;

/**
 * Checks the entity type in a path, ignoring case. The type `generic` matches any type.
 * @throws RequestError when the type is not in the registry.
 */
export function checkType(name: string): void {
  if (name !== "generic" && !entityTypeNamed(name)) throw unknownEntity(name);
}

/**
 * Parses the URN in a path.
 * @throws RequestError when the URN is malformed, or does not have the path's entity type.
 */
export function urnOfType({ type: name, urn }: EntityPath): EntityUrn {
  checkType(name);
  const checked = parseEntityUrn(urn);
  if (name !== "generic" && checked.type.name.toLowerCase() !== name.toLowerCase())
    throw malformed(`${urn} is not a URN of entity ${name}`);
  return checked;
}

/**
 * Returns an entity with the given aspects, or with all of its aspects by default. Returns undefined if the entity has none of
 * them.
 */
export function entityBody(
  urn: string,
  aspects: ReadonlySet<string> | undefined,
  { query }: RestRequest,
  { store }: RestContext,
): JsonObject | undefined {
  const systemMetadata = hasFlag(query, "systemMetadata");
  const found = [...store.latestOf(urn)].filter(([name]) => !aspects || aspects.has(name));
  if (found.length === 0) return undefined;
  const bodies = found.map(([name, stored]) => [name, aspectBody(stored, systemMetadata)] as const);
  return { urn, ...Object.fromEntries(bodies) };
}

/** Converts a stored aspect to the format of a response. */
export function aspectBody(
  { value, systemMetadata, created }: StoredAspect,
  withSystemMetadata: boolean,
): JsonObject {
  return withSystemMetadata ? { value, systemMetadata, auditStamp: created } : { value };
}

/**
 * Parses proposals from a list of entities with their aspects, `{ urn, <aspect>: { value, headers, systemMetadata } }`. A URN can
 * occur several times. Ignores aspects that the entity's type does not have.
 * @throws RequestError when an entity is malformed.
 */
export function proposalsOf(typeName: string, sent: Json, changeType: ChangeType): readonly Proposal[] {
  const perEntity = mapEntities(typeName, sent, ({ urn, type }, body) =>
    Object.entries(body)
      .filter(([name]) => type.aspects.has(name))
      .map(([name, part]) => aspectProposal(urn, name, part, changeType)),
  );
  return perEntity.flat();
}

/**
 * Parses the list of entities in a request body, and calls `read` for each entity.
 * @throws RequestError when an entity is malformed, or does not have the path's entity type.
 */
export function mapEntities<T>(
  typeName: string,
  sent: Json,
  read: (entity: EntityUrn, body: JsonObject) => T,
): readonly T[] {
  if (!isJsonList(sent)) throw malformed("The body must be a list of entities");
  return sent.map((body) => {
    if (!isJsonObject(body)) throw malformed("An entity in the list must be an object");
    const urn = stringAt(body, "urn");
    if (urn === null) throw malformed('An entity in the list has no "urn"');
    return read(urnOfType({ type: typeName, urn }), body);
  });
}

/**
 * Creates the proposal for an aspect in a request body.
 * @throws RequestError when the aspect has no value.
 */
export function aspectProposal(
  urn: string,
  aspect: string,
  part: Json | undefined,
  changeType: ChangeType,
): Proposal {
  const value = isJsonObject(part) ? objectAt(part, "value") : undefined;
  if (!isJsonObject(part) || !value)
    throw malformed(`The aspect ${aspect} of ${urn} has no object in "value"`);
  return validateProposal({
    urn,
    aspect,
    changeType,
    value: changeType === "PATCH" ? value : normalizeAspect(value),
    headers: headersOf(part["headers"]),
    systemMetadata: objectAt(part, "systemMetadata"),
  });
}
