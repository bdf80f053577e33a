/** Creates the source objects that GraphQL resolvers receive, builds column URNs, and extracts the keys from URNs. */

import { encodePart } from "../../../model/urn.ts";
import { badRequest } from "../errors.ts";
import { graphqlTypeOf } from "../../registry/graphql-types.ts";

/**
 * The object that an entity's resolvers receive. The resolvers read the fields from the aspects that are stored under the URN.
 */
export interface EntitySource {
  readonly typename: string;
  readonly urn: string;
  readonly type: string;
}

/**
 * Returns the source object for a URN, even if the entity does not exist. Returns undefined if GraphQL does not serve the
 * entity's type.
 */
export function findEntitySource(urn: string): EntitySource | undefined {
  const served = graphqlTypeOf(urn);
  return served && { typename: served.typename, urn, type: served.type };
}

/**
 * Returns the source object for a URN, even if the entity does not exist.
 * @throws GraphQLError 400 when GraphQL does not serve the entity's type.
 */
export function entitySource(urn: string): EntitySource {
  const source = findEntitySource(urn);
  if (!source) throw badRequest(`The local catalog does not serve the entity type of ${urn} in GraphQL`);
  return source;
}

/** Builds a column's URN. */
export function schemaFieldUrn(dataset: string, fieldPath: string): string {
  return `urn:li:schemaField:(${dataset},${encodePart(fieldPath)})`;
}

/** Creates the source object for a column. Bypasses the registry for speed, because a response can contain many columns. */
export function schemaFieldSource(dataset: string, fieldPath: string): EntitySource {
  const urn = schemaFieldUrn(dataset, fieldPath);
  return { typename: "SchemaFieldEntity", urn, type: "SCHEMA_FIELD" };
}

/** Returns a URN's key, which is the part after the entity type. */
export function urnKey(urn: string): string {
  return urn.slice(urn.indexOf(":", "urn:li:".length) + 1);
}
