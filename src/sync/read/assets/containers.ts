/** Reads all containers above an asset, such as its schema and its database. */

import { containerKind } from "../../../kinds/index.ts";
import { asCatalogError } from "../../../model/catalog-error.ts";
import type { JsonObject } from "../../../model/json.ts";
import type { Urn } from "../../../model/urn.ts";
import type { Reader } from "../../../datahub/client.ts";
import { questionOf } from "../question.ts";
import { readBatches, type ReadOptions } from "../read-batches.ts";
import { answeredEntity } from "../readings.ts";
import { containerIn, parentsDocument, storedFacts } from "./facts.ts";

/** All containers of an asset, nearest first, or the reason why they are unknown. */
type Above = { readonly containers: readonly Urn[] } | { readonly fault: string };

/** Reads and caches the parents of containers. Many assets usually share a few containers, so the cache saves most requests. */
export interface Containers {
  /** Reads all ancestors of containers, level by level up to the root. */
  learn(urns: readonly Urn[]): Promise<void>;
  /** Returns a container that was read, followed by its ancestors. Stops before the first repetition if there is a cycle. */
  from(container: Urn | undefined): Above;
}

/** Creates a reader for a catalog's containers. Its `learn` throws `CatalogError` if the catalog cannot be read. */
export function containersIn(reader: Reader, options: ReadOptions): Containers {
  const parents = new Map<Urn, Urn | undefined>();
  const faults = new Map<Urn, string>();
  const isFresh = (urn: Urn): boolean => !parents.has(urn) && !faults.has(urn);
  const document = parentsDocument(containerKind);
  const learn = async (urns: readonly Urn[]): Promise<void> => {
    for (let level = urns; level.length > 0;) {
      const fresh = [...new Set(level)].filter(isFresh);
      await readBatches(reader, [questionOf(fresh, document, storedFacts)], options, (urn, reading) => {
        const exists = reading.entity?.["exists"];
        const { entity, fault } = answeredEntity(reading, { kind: containerKind, exists });
        const parent = entity ? parentIn(entity) : { fault };
        if (parent.fault === undefined) parents.set(urn, parent.urn);
        else faults.set(urn, `its container ${urn} could not be read: ${parent.fault}`);
      });
      level = fresh.flatMap((urn) => parents.get(urn) ?? []);
    }
  };
  return { learn, from: (container) => chainFrom(container, parents, faults) };
}

function parentIn(answered: JsonObject): { readonly urn?: Urn | undefined; readonly fault?: string } {
  try {
    return { urn: containerIn(containerKind, answered) };
  } catch (error) {
    return { fault: asCatalogError(error).message };
  }
}

function chainFrom(
  container: Urn | undefined,
  parents: ReadonlyMap<Urn, Urn | undefined>,
  faults: ReadonlyMap<Urn, string>,
): Above {
  const containers = new Set<Urn>();
  for (let urn = container; urn !== undefined && !containers.has(urn); urn = parents.get(urn)) {
    const fault = faults.get(urn);
    if (fault !== undefined) return { fault };
    containers.add(urn);
  }
  return { containers: [...containers] };
}
