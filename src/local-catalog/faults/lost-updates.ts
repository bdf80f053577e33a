import type { AspectStore } from "../store/aspect-store.ts";
import type { FaultReport } from "./report.ts";

/** A write that was tried out and not carried out. */
interface TriedWrite {
  readonly urn: string;
  /** Carries it out. Returns whether that replaced a value other than the one that had been read. */
  apply(store: AspectStore): boolean;
}

/** What a mutation read, decided and would write. */
export interface Tried<T> {
  readonly urns: ReadonlySet<string>;
  /** Carries out all writes, in one transaction. Returns whether that lost another update. */
  write(): boolean;
  /** Its result, or the error that it threw. */
  result(): T;
}

/**
 * Runs a mutation and takes back what it wrote, so that its writes can be carried out later. DataHub does the same: it
 * reads an aspect, changes it, and writes all of it in a transaction of its own (AspectUtils, MutationUtils.java).
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
    // A transaction that fails writes nothing.
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

// A deletion loses no update: it applies to any value.
function deleting(work: (store: AspectStore) => unknown): TriedWrite["apply"] {
  return (store) => {
    work(store);
    return false;
  };
}

function versionOf(store: AspectStore, urn: string, aspect: string): string | undefined {
  return store.latest(urn, aspect)?.systemMetadata.version;
}

/** Delays mutations between their read and their write, and counts those that are there at once. */
export interface Windows {
  /**
   * Waits until another mutation has read one of these entities, too, or until the time is over. So two mutations that
   * could meet do meet, however fast the machine is.
   */
  wait(urns: ReadonlySet<string>, milliseconds: number): Promise<void>;
  /** Marks entities as being written; the returned function ends that. */
  writing(urns: ReadonlySet<string>): () => void;
  /** Ends all that wait. */
  release(): void;
}

interface Waiting {
  readonly urns: ReadonlySet<string>;
  readonly end: () => void;
}

/** The windows of one catalog. */
export function openWindows(report: FaultReport): Windows {
  const waiting = new Set<Waiting>();
  const open = new Map<string, number>();
  const change = (urn: string, by: number): void => {
    const count = (open.get(urn) ?? 0) + by;
    if (count === 0) open.delete(urn);
    else open.set(urn, count);
    if (count > report.overlapping_writes.greatest) report.overlapping_writes = { greatest: count, urn };
  };
  return {
    wait(urns, milliseconds) {
      const others = [...waiting].filter((other) => [...urns].some((urn) => other.urns.has(urn)));
      for (const { end } of others) end();
      if (others.length > 0) return Promise.resolve();
      return new Promise((resolve) => {
        const end = (): void => {
          clearTimeout(timer);
          waiting.delete(own);
          resolve();
        };
        const own: Waiting = { urns, end };
        // An end of the process does not wait for it.
        const timer = setTimeout(end, milliseconds).unref();
        waiting.add(own);
      });
    },
    writing(urns) {
      for (const urn of urns) change(urn, 1);
      return () => {
        for (const urn of urns) change(urn, -1);
      };
    },
    release() {
      for (const { end } of waiting) end();
    },
  };
}
