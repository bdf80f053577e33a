/** Injects faults into a GraphQL schema (failing fields and entities, incomplete scrolls, lost updates), and counts mutations. */

import type { GraphQLError, GraphQLFieldResolver, GraphQLSchema } from "graphql";
import { datahubError } from "../graphql/errors.ts";
import type { RequestContext } from "../graphql/request-context.ts";
import { chooseOne, type DrawnFault, type DrawnFaultOf, fieldsOf, faultsNamed } from "./draw-faults.ts";
import { dryRun, type UpdateWindows } from "./lost-updates.ts";
import type { FaultReport } from "./report.ts";

type Resolver = GraphQLFieldResolver<unknown, RequestContext>;

interface FaultContext {
  readonly drawn: () => readonly DrawnFault[];
  readonly report: FaultReport;
  readonly windows: UpdateWindows;
}

/** Adds the GraphQL faults to a schema's resolvers, and returns the same schema. */
export function withFaults(schema: GraphQLSchema, context: FaultContext): GraphQLSchema {
  const queries = Object.values(schema.getQueryType()?.getFields() ?? {});
  const mutations = Object.values(schema.getMutationType()?.getFields() ?? {});
  for (const field of queries) if (field.resolve) field.resolve = failing(field.resolve, context);
  for (const field of mutations)
    if (field.resolve) field.resolve = failing(inTwoSteps(field.resolve, context), context);
  const { entities, scrollAcrossEntities: scroll } = schema.getQueryType()?.getFields() ?? {};
  if (entities?.resolve) entities.resolve = withoutOne(entities.resolve, context);
  if (scroll?.resolve) scroll.resolve = unstable(scroll.resolve, context);
  return schema;
}

function failing(resolve: Resolver, { drawn }: FaultContext): Resolver {
  return (source, args, context, info) => {
    const { key } = info.path;
    const [all] = faultsNamed(drawn(), "graphql_errors");
    const one = faultsNamed(drawn(), "failed_alias").find(
      (each) => chooseOne(fieldsOf(each), each)?.key === key,
    );
    const failure = all ?? one;
    if (failure) throw errorOf(failure);
    return resolve(source, args, context, info);
  };
}

/** Makes one entity in a batch fail if a `failed_entity` fault was drawn. */
function withoutOne(resolve: Resolver, { drawn }: FaultContext): Resolver {
  return (source, args, context, info) => {
    const found: unknown = resolve(source, args, context, info);
    const [failure] = faultsNamed(drawn(), "failed_entity");
    if (!failure || !Array.isArray(found) || found.length === 0) return found;
    const failed = chooseOne(found, failure);
    return found.map((entity: unknown) => (entity === failed ? errorOf(failure) : entity));
  };
}

/** Omits one result from a page of an unsorted scroll, which can happen in DataHub if other clients write during the scroll. */
function unstable(resolve: Resolver, { drawn }: FaultContext): Resolver {
  return (source, args: ScrollArgs, context, info) => {
    const page: unknown = resolve(source, args, context, info);
    const [failure] = faultsNamed(drawn(), "unstable_scroll");
    if (!failure || args.input.sortInput || !isPage(page) || page.searchResults.length === 0) return page;
    failure.inject();
    const missed = chooseOne(page.searchResults, failure);
    return { ...page, searchResults: page.searchResults.filter((result) => result !== missed) };
  };
}

interface ScrollArgs {
  readonly input: { readonly sortInput?: object | null };
}

function isPage(page: unknown): page is { readonly searchResults: readonly unknown[] } {
  return typeof page === "object" && page !== null && "searchResults" in page;
}

/**
 * Runs a mutation's read and write as separate steps, as DataHub does. A `lost_update` fault delays the write. Counts mutations
 * and lost updates.
 */
function inTwoSteps(resolve: Resolver, { drawn, report, windows }: FaultContext): Resolver {
  return async (source, args, context, info) => {
    const tried = dryRun(context.store, (store) => resolve(source, args, { ...context, store }, info));
    const window = faultsNamed(drawn(), "lost_update").find((each) =>
      fieldsOf(each).some(({ key }) => key === info.path.key),
    );
    const written = windows.writing(tried.urns);
    try {
      if (window && tried.urns.size > 0) {
        window.inject();
        await windows.wait(tried.urns, window.fault.milliseconds);
      }
      if (tried.write()) report.lost_updates += 1;
    } finally {
      written();
    }
    const result = tried.result();
    report.writes.mutations += 1;
    return result;
  };
}

const errors = {
  403: ["UNAUTHORIZED", "Unauthorized to perform this action. Please contact your DataHub administrator."],
  500: ["SERVER_ERROR", "An unknown error occurred."],
  503: ["SERVICE_UNAVAILABLE", "The service is unavailable. Please try again."],
} as const;

function errorOf({
  fault,
  inject,
}: DrawnFaultOf<"graphql_errors" | "failed_alias" | "failed_entity">): GraphQLError {
  inject();
  const [type, message] = errors[fault.code ?? 500];
  return datahubError(`${message} (fault ${fault.fault})`, type);
}
