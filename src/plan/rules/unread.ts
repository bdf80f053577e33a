/** Marks assets as unreadable if their matching rules are unknown. */

import type { State } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import type { PlannedPart } from "../base/policy.ts";
import type { Catalog } from "../base/catalog.ts";

/** The assets whose matching rules are unknown, and the selection. */
interface Unread extends PlannedPart {
  /** The reason why each asset is unknown. */
  readonly unread: ReadonlyMap<Urn, string>;
  readonly desired: State;
}

/** Marks these assets as unreadable in the catalog, so that a plan compares none of their values. */
export function withUnread(catalog: Catalog, { unread, desired, part }: Unread): Catalog {
  if (unread.size === 0) return catalog;
  const { live } = catalog;
  const { inSync, missing } = live;
  const selected = [...unread].filter(
    ([urn]) => desired.has(urn) && !missing.has(urn) && part?.has(urn) !== false,
  );
  // These assets' declarations are unknown, so they may have been counted as in sync.
  const dropped = selected.filter(([urn]) => !live.state.has(urn) && !live.unreadable.has(urn)).length;
  return {
    ...catalog,
    live: {
      ...live,
      state: new Map([...live.state].filter(([urn]) => !unread.has(urn))),
      unreadable: new Map([...live.unreadable, ...selected]),
      ...(inSync && {
        inSync: { ...inSync, count: inSync.count - dropped, present: inSync.present - dropped },
      }),
    },
  };
}
