import { encodePart } from "../../../model/urn.ts";
import { badRequest } from "../errors.ts";
import { graphqlTypeOf } from "../../registry/graphql-types.ts";

/** What stands for an entity between resolvers: its fields are read from its URN's aspects. */
export interface EntitySource {
  readonly typename: string;
  readonly urn: string;
  /** DataHub's EntityType. */
  readonly type: string;
}

/** The entity with this URN, stored or not; undefined when its type is not served by GraphQL. */
export function findEntitySource(urn: string): EntitySource | undefined {
  const served = graphqlTypeOf(urn);
  return served && { typename: served.typename, urn, type: served.type };
}

/**
 * The entity with this URN, stored or not.
 * @throws GraphQLError 400 when its type is not served by GraphQL.
 */
export function entitySource(urn: string): EntitySource {
  const source = findEntitySource(urn);
  if (!source) throw badRequest(`The local catalog serves no entity of the type of ${urn} over GraphQL`);
  return source;
}

/** The schema-field entity of a column, without a look at the registry: there is one for each column of an answer. */
export function schemaFieldSource(dataset: string, fieldPath: string): EntitySource {
  const urn = `urn:li:schemaField:(${dataset},${encodePart(fieldPath)})`;
  return { typename: "SchemaFieldEntity", urn, type: "SCHEMA_FIELD" };
}

/** What follows the entity type of a URN. */
export function urnKey(urn: string): string {
  return urn.slice(urn.indexOf(":", "urn:li:".length) + 1);
}
