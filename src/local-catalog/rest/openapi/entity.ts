import { isJsonObject, type Json, type JsonObject } from "../../../model/json.ts";
import type { StoredAspect } from "../../store/aspect-store.ts";
import { parseEntityUrn, unknownEntity, type EntityUrn } from "../../registry/entity-urn.ts";
import { objectAt } from "../../json.ts";
import { validateProposal, headersOf, type ChangeType, type Proposal } from "../../proposals/proposal.ts";
import { malformed } from "../../errors.ts";
import { entityTypeNamed } from "../../registry/entity-types.ts";
import type { RestContext } from "../exchange.ts";
import { normalizeAspect } from "../../proposals/normalize.ts";

/**
 * Checks the entity type of a path, whose case does not matter; `generic` stands for any.
 * @throws RequestError when the registry has none such.
 */
export function checkType(name: string): void {
  if (name !== "generic" && !entityTypeNamed(name)) throw unknownEntity(name);
}

/**
 * A URN that is of the entity type of its path.
 * @throws RequestError when it is not.
 */
export function urnOfType(name: string, urn: string): EntityUrn {
  checkType(name);
  const checked = parseEntityUrn(urn);
  if (name !== "generic" && checked.type.name.toLowerCase() !== name.toLowerCase())
    throw malformed(`${urn} is no urn of entity ${name}`);
  return checked;
}

/** What an answer holds of an entity. */
export interface Wanted {
  /** Names of aspects; all when undefined. */
  readonly aspects?: ReadonlySet<string> | undefined;
  readonly systemMetadata: boolean;
}

/** An entity with its stored aspects; undefined when none of them is there. */
export function entityBody(
  urn: string,
  { aspects, systemMetadata }: Wanted,
  { store }: RestContext,
): JsonObject | undefined {
  const found = [...store.latestOf(urn)].filter(([name]) => !aspects || aspects.has(name));
  if (found.length === 0) return undefined;
  return {
    urn,
    ...Object.fromEntries(found.map(([name, stored]) => [name, aspectBody(stored, systemMetadata)])),
  };
}

/** An aspect as OpenAPI answers it. */
export function aspectBody(
  { value, systemMetadata, created }: StoredAspect,
  withSystemMetadata: boolean,
): JsonObject {
  return withSystemMetadata ? { value, systemMetadata, auditStamp: created } : { value };
}

/**
 * The proposals of a list of entities with their aspects, `{ urn, <aspect>: { value, headers, systemMetadata } }`.
 * The same URN may stand there several times, and aspects that the entity's type does not have are left out.
 * @throws RequestError when one of them is malformed.
 */
export function proposalsOf(typeName: string, sent: Json, changeType: ChangeType): readonly Proposal[] {
  if (!Array.isArray(sent)) throw malformed("The body is no list of entities");
  return (sent as readonly Json[]).flatMap((entity) => {
    if (!isJsonObject(entity)) throw malformed("An entity of the list is not an object");
    const { urn, type } = urnOfType(typeName, urnIn(entity));
    return Object.entries(entity)
      .filter(([name]) => type.aspects.has(name))
      .map(([name, part]) => aspectProposal(urn, name, part, changeType));
  });
}

/** The URN of an entity in a body. */
export function urnIn(entity: JsonObject): string {
  const { urn } = entity;
  if (typeof urn !== "string") throw malformed('An entity of the list lacks "urn"');
  return urn;
}

/**
 * The proposal that an aspect's part of a body makes.
 * @throws RequestError when it holds no value.
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
