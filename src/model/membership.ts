/** Represents live memberships: of users in groups, and of assets in data products. Both containers are called groups here. */

import type { Urn } from "./urn.ts";

/** The groups of members, as far as they could be read. */
export interface MemberGroups {
  /**
   * The groups of each member. If members store the edges, the map contains every member that was read. Otherwise, it contains
   * the members of every group that was read.
   */
  readonly groupsOf: ReadonlyMap<Urn, ReadonlySet<Urn>>;
  /** The reason for each failed read, keyed by the member whose groups are unknown or by the group whose members are unknown. */
  readonly unreadable: ReadonlyMap<Urn, string>;
}

/** The memberships in one edge set, according to the aspects that store them. */
export interface Memberships extends MemberGroups {
  /** The groups that an identity provider manages. The tool cannot add members to them. */
  readonly external: ReadonlySet<Urn>;
  /**
   * The groups that do not exist, even if members still refer to them. DataHub removes such references itself, with a short
   * delay.
   */
  readonly missing: ReadonlySet<Urn>;
  /**
   * The assets that manifests add to a group, but that are missing or soft-deleted in the catalog. They are not added to any
   * group.
   */
  readonly absent?: ReadonlySet<Urn>;
  /** Whether the server allows only one group per member. */
  readonly isExclusive?: boolean;
}

/** Empty memberships, for use when no memberships are declared. */
export const noMemberships: Memberships = {
  groupsOf: new Map(),
  external: new Set(),
  missing: new Set(),
  unreadable: new Map(),
};

/** The memberships of all edge sets, keyed by the facet under which plans show them. */
export type KnownEdges = ReadonlyMap<string, Memberships>;

/** Empty memberships for all edge sets. */
export const noEdges: KnownEdges = new Map();
