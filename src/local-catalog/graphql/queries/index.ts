/** Collects the query resolvers, and resolves privileges, feature flags and the current user. */

import { catalogUser } from "../../store/audit.ts";
import { entitySource } from "../entities/source.ts";
import { entities, exists, type Query } from "./entities.ts";
import { listQueries } from "./lists.ts";
import { searchQueries } from "./search.ts";

interface PrivilegesArgs {
  readonly input: { readonly actorUrn: string };
}

/** The privileges that clients check. */
const allPrivileges = ["EDIT_ENTITY", "EDIT_GROUP_MEMBERS", "MANAGE_USERS_AND_GROUPS"];

/** The resolvers for the type Query, except for queries that read one entity by its URN. */
export const queries: Readonly<Record<string, Query<never>>> = {
  ...listQueries,
  ...searchQueries,
  entities,
  entityExists: exists,
  // Returns only the privileges that policies grant. Policies grant all privileges to the root user. No policy applies to
  // DataHub's system user.
  getGrantedPrivileges: (_source, { input }: PrivilegesArgs) => ({
    privileges: input.actorUrn === catalogUser ? allPrivileges : [],
  }),
  appConfig: (_source, _args, { isOneProductPerAsset }) => ({
    featureFlags: { readOnlyModeEnabled: false, multipleDataProductsPerAsset: !isOneProductPerAsset },
  }),
  me: (_source, _args, { actor }) => ({
    corpUser: entitySource(actor),
    platformPrivileges: {
      createDomains: true,
      manageDomains: true,
      createTags: true,
      manageTags: true,
      manageGlossaries: true,
      manageIdentities: true,
      manageOwnershipTypes: true,
    },
  }),
};
