import type { Reader } from "../../datahub/client.ts";
import { discover } from "../read/discover.ts";
import { readExistence } from "../read/existence.ts";
import type { ReadOptions } from "../read/read-batches.ts";
import { displayNames } from "../../facets/display-names.ts";
import { compareText } from "../../model/json.ts";
import type { Urn } from "../../model/urn.ts";
import type { Held, ListedDefinitions } from "./snapshot.ts";

/** All definitions of a catalog, and those of which it is not known whether they are there. */
interface Listing {
  readonly definitions: readonly ListedDefinitions[];
  readonly unreadable: ReadonlyMap<Urn, Held>;
}

/**
 * Lists the definitions of a catalog, those that are soft-deleted too: what the server's index names and `entityExists` confirms.
 * One that the index does not know yet is missing. Throws `CatalogError` where a page cannot be read, and the reason of a signal.
 */
export async function listDefinitions(reader: Reader, options: ReadOptions): Promise<Listing> {
  const definitions: ListedDefinitions[] = [];
  const unreadable = new Map<Urn, Held>();
  for (const { entityType, searchType, plural } of displayNames) {
    const found = new Set<Urn>();
    for await (const { urns } of discover(reader, { kind: { searchType, plural } }, options.signal))
      for (const urn of urns) found.add(urn);
    const [urns, softDeleted]: [Urn[], Urn[]] = [[], []];
    for (const [urn, existence] of await readExistence(reader, [...found].toSorted(compareText), options)) {
      if (existence.status === "unreadable")
        unreadable.set(urn, { exists: null, entity: null, error: existence.error });
      else if (existence.status !== "absent") urns.push(urn);
      if (existence.status === "soft-deleted") softDeleted.push(urn);
    }
    definitions.push({
      type: entityType,
      urns: urns.toSorted(compareText),
      softDeleted: softDeleted.toSorted(compareText),
    });
  }
  return { definitions, unreadable };
}
