import { CatalogError } from "../../model/catalog-error.ts";
import type { Live } from "../../model/live.ts";
import type { Catalog, Desired } from "../../plan/compare.ts";
import { type Base, entitiesToRead } from "../../plan/sides/base.ts";
import type { Reader } from "../client/client.ts";
import { withAbove } from "./above.ts";
import { readLive } from "./live-state.ts";
import { readMemberships } from "./memberships.ts";
import { probe } from "./probe.ts";
import type { ReadOptions } from "./read-batches.ts";

/**
 * Reads everything that a plan of `desired` compares with: the entities themselves, those of base, memberships, and
 * whether what is referred to exists. Throws `CatalogError` when the catalog cannot be asked, or nothing could be read.
 */
export async function readCatalog(
  reader: Reader,
  desired: Desired,
  base: Base | undefined,
  options: ReadOptions = {},
): Promise<Catalog> {
  const entities = entitiesToRead(desired.state, base);
  const { supports, existence } = await probe(reader, desired, options);
  const found = await readLive(reader, entities, { ...options, supports });
  const live = await withAbove(reader, entities, found, options);
  const memberships = await readMemberships(reader, entities, {
    ...options,
    ...(base && { before: base.state }),
  });
  assertSomethingWasRead(live);
  return { live, memberships, existence };
}

// A plan of what could not be read would say that all is well.
function assertSomethingWasRead({ state, missing, unreadable }: Live): void {
  const [first] = unreadable.values();
  if (first === undefined || state.size + missing.size > 0) return;
  throw new CatalogError("answer", `nothing could be read from the catalog: ${first}`);
}
