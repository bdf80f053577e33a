import type { AspectStore } from "../store/aspect-store.ts";

/** A write that was tried out and not carried out. */
interface TriedWrite {
  readonly urn: string;
  /** Carries it out. Returns whether that replaced a value other than the one that had been read. */
  apply(store: AspectStore): boolean;
}

/** What a mutation read, decided and would write. */
export interface Tried<T> {
  readonly urns: ReadonlySet<string>;
  /** Carries out all writes, in one transaction. Returns whether an update of somebody else was lost. */
  write(): boolean;
  /** Its result, or the error that it threw. */
  result(): T;
}

/**
 * Runs a mutation and takes back what it wrote, so that its writes can be carried out later. DataHub does the same: it
 * reads an aspect, changes it, and writes the whole of it in a transaction of its own (AspectUtils, MutationUtils.java).
 */
export function tryOut<T>(store: AspectStore, mutate: (store: AspectStore) => T): Tried<T> {
  const writes: TriedWrite[] = [];
  const takenBack = new Error("taken back");
  let result = (): T => {
    throw takenBack;
  };
  try {
    store.transaction(() => {
      try {
        const value = mutate(recording(store, writes));
        result = () => value;
      } catch (error) {
        result = () => {
          throw error;
        };
      }
      throw takenBack;
    });
  } catch (error) {
    if (error !== takenBack) throw error;
  }
  return {
    urns: new Set(writes.map(({ urn }) => urn)),
    write: () => store.transaction(() => writes.map((write) => write.apply(store)).some(Boolean)),
    result,
  };
}

function recording(store: AspectStore, writes: TriedWrite[]): AspectStore {
  return {
    ...store,
    put(urn, aspect, value, audit) {
      const seen = versionOf(store, urn, aspect);
      writes.push({
        urn,
        apply: (real) => {
          const isUnseen = versionOf(real, urn, aspect) !== seen;
          return real.put(urn, aspect, value, audit) && isUnseen;
        },
      });
      return store.put(urn, aspect, value, audit);
    },
    deleteAspect(urn, aspect) {
      writes.push({ urn, apply: deleting((real) => real.deleteAspect(urn, aspect)) });
      return store.deleteAspect(urn, aspect);
    },
    deleteEntity(urn) {
      writes.push({ urn, apply: deleting((real) => real.deleteEntity(urn)) });
      return store.deleteEntity(urn);
    },
    keepRemoval(removal) {
      writes.push({ urn: removal.urn, apply: deleting((real) => real.keepRemoval(removal)) });
      store.keepRemoval(removal);
    },
    // What fails as a whole writes nothing of itself.
    transaction(work) {
      const before = writes.length;
      try {
        return store.transaction(work);
      } catch (error) {
        writes.length = before;
        throw error;
      }
    },
  };
}

// A deletion is meant for any value.
function deleting(work: (store: AspectStore) => unknown): TriedWrite["apply"] {
  return (store) => {
    work(store);
    return false;
  };
}

function versionOf(store: AspectStore, urn: string, aspect: string): string | undefined {
  return store.latest(urn, aspect)?.systemMetadata.version;
}
