/** Reduces repeated entries in imported files to one entry for each entity, and lists the entries that are left out. */

import { groupBy } from "../../model/group-by.ts";
import { canonicalJson } from "../../model/json.ts";
import { placedLeaves, placeKey } from "../../model/place.ts";
import { memberKey } from "../../model/state.ts";
import { urnOf } from "../../model/packed-declarations.ts";
import type { ImportOptions, LeftOut } from "../import-formats/format.ts";
import type { Declaration } from "../../model/declaration.ts";

/** Each entity's declarations, and the entries that were left out. */
interface EachOnce {
  readonly declarations: readonly Declaration[];
  readonly leftOut: readonly LeftOut[];
}

/**
 * Removes repeated entries from declarations. Identical entries count as one, and `keep` selects one of several different
 * entries. Without `keep`, entries that differ are all kept, so that they are reported as problems later. The children of a
 * removed entry are kept, as in DataHub's readers.
 */
export function withoutRepeatedEntries(
  declarations: readonly Declaration[],
  keep: ImportOptions["keep"],
): EachOnce {
  const dropped = new Set<Declaration>();
  const leftOut: LeftOut[] = [];
  for (const entries of groupBy(declarations, urnOf).values()) {
    if (entries.length < 2) continue;
    const [first, ...others] = entries.toSorted(byPlace);
    const kept = keep === "last" ? (others.at(-1) ?? first) : first;
    for (const entry of entries) {
      const { origin, urn } = entry.entity;
      if (entry === kept || !origin || !kept) continue;
      const isSame = contentOf(entry) === contentOf(kept);
      if (!isSame && !keep) continue;
      dropped.add(entry);
      const other = kept.entity.origin ? ` at ${kept.entity.origin.file}:${kept.entity.origin.line}` : "";
      const why = isSame
        ? `which is identical to the entry${other}`
        : `because --keep ${keep} selects the entry${other}`;
      leftOut.push({ origin, what: `an entry for ${urn}, ${why}` });
    }
  }
  return { declarations: declarations.filter((each) => !dropped.has(each)), leftOut };
}

/** Compares declarations by their position in a file. Keeps the order of files. */
function byPlace(
  { entity: { origin: one } }: Declaration,
  { entity: { origin: other } }: Declaration,
): number {
  if (!one || !other || one.file !== other.file) return 0;
  return one.line - other.line || one.column - other.column;
}

function contentOf({ entity }: Declaration): string {
  const values = placedLeaves(entity.facets).map(({ place, leaf }) => [
    placeKey(place),
    leaf.shape === "set" ? leaf.members.map(memberKey) : leaf.value,
  ]);
  return canonicalJson([entity.kind, values]);
}
