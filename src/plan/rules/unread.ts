import type { State } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import type { Catalog } from "../compare.ts";
import type { Policy } from "../policy.ts";

/** The assets of which it is not known which rules match them, and what was to be read. */
interface Unread extends Pick<Policy, "part"> {
  /** Each with the reason. */
  readonly unread: ReadonlyMap<Urn, string>;
  readonly desired: State;
}

/** What was read, without assets of which it is not known which rules match them: whatever is there, nothing is compared. */
export function withUnread(catalog: Catalog, { unread, desired, part }: Unread): Catalog {
  if (unread.size === 0) return catalog;
  const { live } = catalog;
  const { inSync, missing } = live;
  const asked = [...unread].filter(
    ([urn]) => desired.has(urn) && !missing.has(urn) && part?.has(urn) !== false,
  );
  // Nothing is known to be declared of them, so they may have seemed to be in sync.
  const dropped = asked.filter(([urn]) => !live.state.has(urn) && !live.unreadable.has(urn)).length;
  return {
    ...catalog,
    live: {
      ...live,
      state: new Map([...live.state].filter(([urn]) => !unread.has(urn))),
      unreadable: new Map([...live.unreadable, ...asked]),
      ...(inSync && {
        inSync: { ...inSync, count: inSync.count - dropped, present: inSync.present - dropped },
      }),
    },
  };
}
