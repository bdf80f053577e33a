import type { Catalog } from "../plan/compare.ts";
import type { Urn } from "../model/urn.ts";

/** What was read, without assets of which it is not known which rules match them: whatever is there, nothing is compared. */
export function withUnread(catalog: Catalog, unread: ReadonlyMap<Urn, string> = new Map()): Catalog {
  if (unread.size === 0) return catalog;
  const { live } = catalog;
  const state = new Map([...live.state].filter(([urn]) => !unread.has(urn)));
  const asked = [...unread].filter(([urn]) => live.state.has(urn));
  return { ...catalog, live: { ...live, state, unreadable: new Map([...live.unreadable, ...asked]) } };
}
