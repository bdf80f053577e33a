/** Represents live memberships: which members are in which groups. */

import type { Urn } from "./urn.ts";

/** Members' groups, as far as they could be read. */
export interface MemberGroups {
  /**
   * Groups by member. If members store the edges, for every member that was read; otherwise for members of a
   * group that was read.
   */
  readonly groupsOf: ReadonlyMap<Urn, ReadonlySet<Urn>>;
  /** The reason for each member whose groups are unknown, and for each group whose members are unknown. */
  readonly unreadable: ReadonlyMap<Urn, string>;
}

/** Group members in one edge set, according to the storing aspects. */
export interface Memberships extends MemberGroups {
  /** The groups from an identity provider, to which this tool cannot add members. */
  readonly external: ReadonlySet<Urn>;
  /** The groups that do not exist, even if members still refer to them. DataHub removes such entries itself a little later. */
  readonly gone: ReadonlySet<Urn>;
  /** The assets that manifests add to a group, but that are missing in the catalog or soft-deleted. They join no group. */
  readonly absent?: ReadonlySet<Urn>;
  /** Whether the server allows a member only one group. */
  readonly isExclusive?: boolean;
}

/** Empty memberships, for cases where nothing is declared about them. */
export const noMemberships: Memberships = {
  groupsOf: new Map(),
  external: new Set(),
  gone: new Set(),
  unreadable: new Map(),
};

/** All edge sets' memberships, by the facet that plans show them as. */
export type KnownEdges = ReadonlyMap<string, Memberships>;

/** Empty memberships for all edge sets. */
export const noEdges: KnownEdges = new Map();
