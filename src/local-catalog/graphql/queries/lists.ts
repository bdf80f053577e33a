/** Queries that list domains, users, groups and ownership types. */

import { entitySource } from "../entities/source.ts";
import { malformedUrn } from "../errors.ts";
import { isValidUrn } from "../../registry/entity-urn.ts";
import type { RequestContext } from "../request-context.ts";
import { existingHits, find, type Search } from "../../search/find.ts";
import type { FacetFilter } from "../../search/filter.ts";

interface ListArgs {
  readonly input: {
    readonly start?: number | null;
    readonly count?: number | null;
    readonly query?: string | null;
    readonly parentDomain?: string | null;
    readonly filters?: readonly FacetFilter[] | null;
  };
}

type ListQuery = (source: unknown, args: ListArgs, context: RequestContext) => object;

const defaultCount = 20;

/** Resolves paginated lists, which omit soft-deleted entities (ListDomainsResolver.java and similar resolvers). */
export const listQueries = {
  // Lists a domain's children, or the root domains.
  listDomains: list("domains", ({ parentDomain }) => {
    if (typeof parentDomain === "string" && !isValidUrn(parentDomain)) throw malformedUrn(parentDomain);
    const under: FacetFilter =
      typeof parentDomain === "string"
        ? { field: "parentDomain", values: [parentDomain] }
        : { field: "parentDomain", condition: "EXISTS", negated: true };
    return { types: ["domain"], filters: [under] };
  }),
  // Omits service accounts (ListUsersResolver.java, since 1.4).
  listUsers: list("users", () => ({
    types: ["corpuser"],
    filters: [{ field: "typeNames", values: ["SERVICE_ACCOUNT"], negated: true }],
  })),
  listGroups: list("groups", () => ({ types: ["corpGroup"] })),
  listOwnershipTypes: list("ownershipTypes", ({ filters }) => ({ types: ["ownershipType"], filters })),
};

function list(field: string, searchOf: (input: ListArgs["input"]) => Search): ListQuery {
  return (_source, { input }, { store, index }) => {
    const start = Math.max(0, input.start ?? 0);
    const count = Math.max(0, input.count ?? defaultCount);
    const hits = find({ query: input.query, ...searchOf(input) }, index);
    const page = existingHits(hits.slice(start, start + count), store).map(({ urn }) => entitySource(urn));
    return { start, count, total: hits.length, [field]: page };
  };
}
