import type { Urn } from "./urn.ts";

/** Who is in which group, as the aspects of the users say it. */
export interface Memberships {
  /** Of every user that was read; one that does not exist is in no group. */
  readonly groupsOf: ReadonlyMap<Urn, ReadonlySet<Urn>>;
  /** Groups of an identity provider, which cannot get members here. */
  readonly external: ReadonlySet<Urn>;
  /** Groups that do not exist, whoever is still in them: DataHub removes such entries itself, a little later. */
  readonly gone: ReadonlySet<Urn>;
  /** Why the memberships of a user, or the members of a group, are not known. */
  readonly unreadable: ReadonlyMap<Urn, string>;
}

/** Where nothing is declared of memberships, nothing needs to be known. */
export const noMemberships: Memberships = {
  groupsOf: new Map(),
  external: new Set(),
  gone: new Set(),
  unreadable: new Map(),
};
