import type { AspectReader } from "../store/aspect-reader.ts";
import type { CatalogState } from "../store/catalog-state.ts";

/** The context of one GraphQL request, for its resolvers. */
export interface RequestContext extends Pick<
  CatalogState,
  "store" | "lag" | "now" | "isOneProductPerAsset" | "isFloat32" | "restricted" | "hidesAspects"
> {
  readonly actor: string;
  readonly reader: AspectReader;
  /** Reads what searches, lists and relationships know; the same reader if they know all. */
  readonly index: AspectReader;
  /** A random id for an entity that is created without one. */
  readonly newId: () => string;
}
