/** Defines the type of query resolvers, and the queries that read entities by URN or check whether an entity exists. */

import type { GraphQLResolveInfo } from "graphql";
import { entityExists } from "../../store/aspect-write.ts";
import { entityFields } from "../entities/index.ts";
import { entitySource, type EntitySource } from "../entities/source.ts";
import { badRequest, malformedUrn, malformedUrnMessage, serverError } from "../errors.ts";
import { isEntityUrn, isValidUrn } from "../../registry/entity-urn.ts";
import type { RequestContext } from "../request-context.ts";
import { selectedFields } from "../selection.ts";

/** A resolver for one query. */
export type Query<Args> = (
  source: unknown,
  args: Args,
  context: RequestContext,
  info: GraphQLResolveInfo,
) => unknown;

interface EntitiesArgs {
  readonly urns: readonly string[];
  readonly checkForExistence?: boolean | null;
}

interface UrnArgs {
  readonly urn: string;
}

/**
 * Returns the entities with the given URNs, in the order of the request (BatchGetEntitiesResolver.java). Includes an object for
 * each nonexistent entity, unless `checkForExistence` is set. A single malformed URN makes the query fail.
 */
export const entities: Query<EntitiesArgs> = (_source, { urns, checkForExistence }, context, info) => {
  checkDatasetBatch(info);
  for (const urn of urns) if (!isEntityUrn(urn)) throw malformedUrn(urn);
  const wanted = checkForExistence === true ? urns.filter((urn) => entityExists(context.store, urn)) : urns;
  const sources = wanted.map(entitySource);
  prefetch(sources, context, info);
  return sources;
};

/**
 * Creates a resolver that reads one entity of the given type by URN. The resolver returns an object even if the entity does not
 * exist.
 */
export function entity(typename: string): Query<UrnArgs> {
  return (_source, { urn }, context, info) => {
    if (typename === "Dataset") checkDatasetBatch(info);
    if (!isEntityUrn(urn)) throw malformedUrn(urn);
    const source = entitySource(urn);
    if (source.typename !== typename) throw badRequest(`Urn ${urn} is not of type ${typename}`);
    prefetch([source], context, info);
    return source;
  };
}

/** Resolves whether an entity exists, even if it is soft-deleted. */
export const exists: Query<UrnArgs> = (_source, { urn }, { store }) => {
  if (!isValidUrn(urn)) throw malformedUrn(urn);
  return entityExists(store, urn);
};

function prefetch(sources: readonly EntitySource[], context: RequestContext, info: GraphQLResolveInfo): void {
  const sets = info.fieldNodes.flatMap((node) => node.selectionSet ?? []);
  for (const typename of new Set(sources.map((source) => source.typename))) {
    const fields = entityFields[typename] ?? {};
    const aspects = selectedFields(sets, typename, info).flatMap(
      ({ name, args }) => fields[name]?.aspects(args) ?? [],
    );
    const ofType = sources.filter((source) => source.typename === typename);
    context.reader.prefetch(
      ofType.map(({ urn }) => urn),
      [...new Set(aspects)],
    );
  }
}

const malformedDatasets = new WeakMap<object, string | null>();

// DataHub reads all datasets in a request as one batch, and a single malformed URN makes the entire batch fail (DatasetType.java,
// batchLoad). All fields in a request share the batch, so one check is enough.
function checkDatasetBatch(info: GraphQLResolveInfo): void {
  let malformed = malformedDatasets.get(info.variableValues);
  if (malformed === undefined) {
    malformed = datasetUrns(info).find((urn) => !urn.startsWith(datasetPrefix) || !isValidUrn(urn)) ?? null;
    malformedDatasets.set(info.variableValues, malformed);
  }
  if (malformed !== null) throw serverError("Failed to batch load Datasets", malformedUrnMessage(malformed));
}

function datasetUrns(info: GraphQLResolveInfo): string[] {
  return selectedFields([info.operation.selectionSet], "Query", info).flatMap(({ name, args }) => {
    if (name === "dataset") return [String(args["urn"])];
    const urns = name === "entities" && Array.isArray(args["urns"]) ? args["urns"] : [];
    return urns.filter((urn): urn is string => typeof urn === "string" && urn.startsWith(datasetPrefix));
  });
}

const datasetPrefix = "urn:li:dataset:";
