/**
 * Creates the source objects from which GraphQL resolvers read entities, builds the URNs of columns, and reads the keys of URNs.
 */

import { encodePart } from "../../../model/urn.ts";
import { badRequest } from "../errors.ts";
import { graphqlTypeOf } from "../../registry/graphql-types.ts";

/** The source of an entity's resolvers, which read its fields from the aspects of its URN. */
export interface EntitySource {
  readonly typename: string;
  readonly urn: string;
  readonly type: string;
}

/** The entity with this URN, whether it exists or not; undefined if GraphQL does not serve its type. */
export function findEntitySource(urn: string): EntitySource | undefined {
  const served = graphqlTypeOf(urn);
  return served && { typename: served.typename, urn, type: served.type };
}

/**
 * The entity with this URN, whether it exists or not.
 * @throws GraphQLError 400 when GraphQL does not serve its type.
 */
export function entitySource(urn: string): EntitySource {
  const source = findEntitySource(urn);
  if (!source) throw badRequest(`The local catalog does not serve the entity type of ${urn} in GraphQL`);
  return source;
}

/** The URN of a column. */
export function schemaFieldUrn(dataset: string, fieldPath: string): string {
  return `urn:li:schemaField:(${dataset},${encodePart(fieldPath)})`;
}

/** The schema-field entity of a column. Does not use the registry, because a response can contain many columns. */
export function schemaFieldSource(dataset: string, fieldPath: string): EntitySource {
  const urn = schemaFieldUrn(dataset, fieldPath);
  return { typename: "SchemaFieldEntity", urn, type: "SCHEMA_FIELD" };
}

/** The part of a URN after its entity type. */
export function urnKey(urn: string): string {
  return urn.slice(urn.indexOf(":", "urn:li:".length) + 1);
}
