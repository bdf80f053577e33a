import { catalogUser, systemUser } from "../../store/audit.ts";
import { entitySource } from "../entities/source.ts";
import { entities, entity, exists, type Query } from "./entities.ts";
import { listQueries } from "./lists.ts";
import { searchQueries } from "./search.ts";

/** What a token may be asked for that may do everything. */
const allPrivileges = ["EDIT_ENTITY", "MANAGE_USERS_AND_GROUPS"];

/** The resolvers of type Query. */
export const queries: Readonly<Record<string, Query<never>>> = {
  ...listQueries,
  ...searchQueries,
  entities,
  dataset: entity("Dataset"),
  container: entity("Container"),
  domain: entity("Domain"),
  tag: entity("Tag"),
  corpUser: entity("CorpUser"),
  corpGroup: entity("CorpGroup"),
  entityExists: exists,
  // Whoever has the token may do everything. Policies are listed only, and none names DataHub itself.
  getGrantedPrivileges: (_source, _args, { isSystem }) => ({ privileges: isSystem ? [] : allPrivileges }),
  me: (_source, _args, { isSystem }) => ({
    corpUser: entitySource(isSystem ? systemUser : catalogUser),
    platformPrivileges: {
      createDomains: true,
      manageDomains: true,
      createTags: true,
      manageTags: true,
      manageIdentities: true,
      manageOwnershipTypes: true,
    },
  }),
};
