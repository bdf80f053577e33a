/** The live memberships: which members are in which groups. */

import type { Urn } from "./urn.ts";

/** The groups of members, as far as they could be read. */
export interface MemberGroups {
  /**
   * The groups by member. If members store the edges, for every member that was read; otherwise for members of a group that was
   * read.
   */
  readonly groupsOf: ReadonlyMap<Urn, ReadonlySet<Urn>>;
  /** The reason if the groups of a member, or the members of a group, are unknown. */
  readonly unreadable: ReadonlyMap<Urn, string>;
}

/** The members of groups, by one set of edges, as the storing aspects say. */
export interface Memberships extends MemberGroups {
  /** The groups of an identity provider, which cannot get members here. */
  readonly external: ReadonlySet<Urn>;
  /** The groups that do not exist, even if members still refer to them: DataHub removes such entries itself a little later. */
  readonly gone: ReadonlySet<Urn>;
  /** The assets that manifests add to a group, but that are missing in the catalog or soft-deleted: they join no group. */
  readonly absent?: ReadonlySet<Urn>;
  /** Whether the server allows a member only one group. */
  readonly isExclusive?: boolean;
}

/** Empty memberships, if nothing is declared about them. */
export const noMemberships: Memberships = {
  groupsOf: new Map(),
  external: new Set(),
  gone: new Set(),
  unreadable: new Map(),
};

/** The memberships of all sets of edges, by the facet that plans show them as. */
export type KnownEdges = ReadonlyMap<string, Memberships>;

/** No memberships of any set of edges. */
export const noEdges: KnownEdges = new Map();
