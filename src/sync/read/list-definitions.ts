/** Lists a catalog's definitions for snapshots. */

import type { Reader } from "../../datahub/client.ts";
import { discover } from "./discover.ts";
import { readExistence } from "./existence.ts";
import type { ReadOptions } from "./read-batches.ts";
import { displayNames } from "../../facets/display-names.ts";
import { appendTo } from "../../model/append.ts";
import { compareText } from "../../model/json.ts";
import type { Existence } from "../../model/reference.ts";
import { entityTypeOf, type Urn } from "../../model/urn.ts";

/** Existing definitions, and definitions whose existence could not be determined, each with the reason. */
interface Listing {
  readonly definitions: readonly ListedDefinitions[];
  readonly unreadable: ReadonlyMap<Urn, string>;
}

/**
 * Lists the definitions that the server's index contains and `entityExists` confirms, including soft-deleted definitions. Omits
 * definitions that are not in the index yet. Throws `CatalogError` if a page cannot be read, or the signal's reason if it is
 * aborted.
 */
export async function listDefinitions(reader: Reader, options: ReadOptions): Promise<Listing> {
  const definitions: ListedDefinitions[] = [];
  const unreadable = new Map<Urn, string>();
  for (const { entityType, searchType, plural } of displayNames) {
    const found: Urn[] = [];
    for await (const { urns } of discover(reader, { kind: { searchType, plural } }, options.signal))
      appendTo(found, urns);
    const [urns, softDeleted]: [Urn[], Urn[]] = [[], []];
    for (const [urn, existence] of await readExistence(reader, found.toSorted(compareText), options)) {
      if (existence.status === "unreadable") unreadable.set(urn, existence.error);
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

/** Returns a function that finds the status of a URN in a snapshot's lists. The status is `undefined` if its type has no list. */
export function statusIn({
  definitions,
}: {
  readonly definitions: readonly ListedDefinitions[];
}): (urn: Urn) => Exclude<Existence["status"], "unreadable"> | undefined {
  const lists = new Map(
    definitions.map(({ type, urns, softDeleted }) => [
      type,
      { all: new Set(urns), softDeleted: new Set(softDeleted) },
    ]),
  );
  return (urn) => {
    const list = lists.get(entityTypeOf(urn));
    if (!list) return undefined;
    if (list.softDeleted.has(urn)) return "soft-deleted";
    return list.all.has(urn) ? "present" : "absent";
  };
}

/** All definitions of one type on a server. */
export interface ListedDefinitions {
  /** The entity type in the URNs, such as `glossaryTerm`. */
  readonly type: string;
  readonly urns: readonly string[];
  /** The soft-deleted definitions in `urns`. */
  readonly softDeleted: readonly string[];
}
