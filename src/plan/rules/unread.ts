/** Marks assets as unreadable if it is unknown which rules match them. */

import type { State } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import type { PlannedPart } from "../base/policy.ts";
import type { Catalog } from "../base/catalog.ts";

/** The assets for which it is unknown which rules match, and the selection. */
interface Unread extends PlannedPart {
  /** For each asset, the reason why it is unknown which rules match. */
  readonly unread: ReadonlyMap<Urn, string>;
  readonly desired: State;
}

/** Marks the assets as unreadable in the catalog. A plan then does not compare any of their values. */
export function withUnread(catalog: Catalog, { unread, desired, part }: Unread): Catalog {
  if (unread.size === 0) return catalog;
  const { live } = catalog;
  const { inSync, missing } = live;
  const selected = [...unread].filter(
    ([urn]) => desired.has(urn) && !missing.has(urn) && part?.has(urn) !== false,
  );
  // The declarations of these assets are unknown, so some of the assets may have been wrongly counted as in sync.
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
