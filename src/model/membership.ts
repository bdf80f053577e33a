import type { Urn } from "./urn.ts";

/** Which members are in which groups, by one set of edges, as the aspects that store them say it. */
export interface Memberships {
  /** By member. Of every one that was read where members store their edges, else of those that are in a group that was read. */
  readonly groupsOf: ReadonlyMap<Urn, ReadonlySet<Urn>>;
  /** Groups of an identity provider, which cannot get members here. */
  readonly external: ReadonlySet<Urn>;
  /** Groups that do not exist, whoever is still in them: DataHub removes such entries itself, a little later. */
  readonly gone: ReadonlySet<Urn>;
  /** Assets that manifests put into a group and that are not in the catalog, or soft-deleted: they join no group. */
  readonly absent?: ReadonlySet<Urn>;
  /** Whether the server lets a member be in one group at most. */
  readonly isExclusive?: boolean;
  /** Why the groups of a member, or the members of a group, are not known. */
  readonly unreadable: ReadonlyMap<Urn, string>;
}

/** Where nothing is declared of memberships, nothing needs to be known. */
export const noMemberships: Memberships = {
  groupsOf: new Map(),
  external: new Set(),
  gone: new Set(),
  unreadable: new Map(),
};

/** The memberships of all sets of edges, by the facet as which plans show them. */
export type KnownEdges = ReadonlyMap<string, Memberships>;

/** Nothing is known of any edges. */
export const noEdges: KnownEdges = new Map();
