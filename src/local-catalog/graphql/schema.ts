/** Builds the catalog's GraphQL schema, including resolvers that redact restricted entities. */

import { readFileSync } from "node:fs";
import {
  buildSchema,
  GraphQLScalarType,
  isAbstractType,
  isObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
} from "graphql";
import { packageFile } from "../../files/package-file.ts";
import type { FieldArguments } from "./entities/field.ts";
import { entityFields } from "./entities/index.ts";
import { isRedacted, redactedField, viewableTerms } from "./entities/restricted.ts";
import type { EntitySource } from "./entities/source.ts";
import { mutations } from "./mutations/index.ts";
import { entity } from "./queries/entities.ts";
import { queries } from "./queries/index.ts";
import { glossaryChildrenSearch } from "./queries/search.ts";
import type { RequestContext } from "./request-context.ts";

/** Builds the schema from `schemas/catalog.graphql`, a subset of DataHub's schema. The resolvers require a RequestContext. */
export function catalogSchema(): GraphQLSchema {
  const file = packageFile("schemas/catalog.graphql");
  const schema = buildSchema(readFileSync(file, "utf8"), { assumeValidSDL: true });
  for (const { name, args, type } of Object.values(schema.getQueryType()?.getFields() ?? {}))
    if (args.some((argument) => argument.name === "urn"))
      attach(schema, "Query", { [name]: entity(String(type)) });
  attach(schema, "Query", queries);
  attach(schema, "Mutation", mutations);
  for (const [typename, fields] of Object.entries(entityFields)) {
    for (const [name, { read, isIndexed }] of Object.entries(fields)) {
      const resolve: FieldResolver = ({ urn }, args, context, { returnType }) => {
        const value = read(urn, isIndexed ? context.index : context.reader, args, context);
        return isRedacted(urn, context) ? redactedField(name, returnType, value) : value;
      };
      attach(schema, typename, { [name]: resolve });
    }
  }
  attach(schema, "GlossaryTerms", { terms: viewableTerms });
  attach(schema, "GlossaryNode", { glossaryChildrenSearch });
  completeLong(schema);
  for (const type of Object.values(schema.getTypeMap()))
    if (isAbstractType(type)) type.resolveType = ({ typename }: EntitySource) => typename;
  return schema;
}

type FieldResolver = (
  source: EntitySource,
  args: FieldArguments,
  context: RequestContext,
  info: GraphQLResolveInfo,
) => unknown;

type Resolver = (source: never, args: never, context: RequestContext, info: never) => unknown;

function attach(
  schema: GraphQLSchema,
  typename: string,
  resolvers: Readonly<Record<string, Resolver>>,
): void {
  const type = schema.getType(typename);
  const fields = isObjectType(type) ? type.getFields() : {};
  for (const [name, resolve] of Object.entries(resolvers)) {
    const field = fields[name];
    // The catalog serves only the fields in the schema file. The cast is needed because TypeScript cannot infer a resolver's
    // source and arguments from the schema.
    if (field) field.resolve = resolve as NonNullable<typeof field.resolve>;
  }
}

// Makes the scalar `Long` represent integers as JSON numbers, as graphql-java's extended scalars do.
function completeLong(schema: GraphQLSchema): void {
  const long = schema.getType("Long");
  if (long instanceof GraphQLScalarType) long.serialize = long.parseValue = toInteger;
}

function toInteger(value: unknown): number {
  if (typeof value === "number" && Number.isSafeInteger(value)) return value;
  throw new TypeError(`Expected a Long, got ${JSON.stringify(value)}`);
}
