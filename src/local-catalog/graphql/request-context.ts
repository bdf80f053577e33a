import type { AspectReader } from "../store/aspect-reader.ts";
import type { AspectStore } from "../store/aspect-store.ts";

/** The context of one GraphQL request, for its resolvers. */
export interface RequestContext {
  readonly store: AspectStore;
  readonly reader: AspectReader;
  /** The time of day in milliseconds. */
  readonly now: () => number;
  /** A random id for an entity that is created without one. */
  readonly newId: () => string;
}
