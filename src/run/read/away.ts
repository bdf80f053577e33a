import type { Live } from "../../model/live.ts";
import type { Entity, State } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import type { Desired } from "../../plan/compare.ts";
import { type DeclaredAway, type LiveAway, isAnyDropped } from "../../plan/diff/away.ts";
import type { Policy } from "../../plan/policy.ts";
import type { Reader } from "../../datahub/client.ts";
import { readLive } from "./live-state.ts";
import type { ReadOptions } from "./read-batches.ts";

/** What is declared of assets that are gone for the moment, and those of them that only rules declare. */
export interface AskedAway {
  readonly declared: readonly DeclaredAway[];
  readonly ruled: ReadonlySet<Urn>;
  /** The soft-deleted assets of which it is not known by what rules match them. */
  readonly unread: readonly Urn[];
}

/** What is asked where there are no rules: manifests declare it all. */
export function awayIn({ state: now }: Desired, { base: before }: Pick<Policy, "base">): AskedAway {
  return { declared: before ? [{ now, before }] : [], ruled: new Set(), unread: [] };
}

/**
 * The values of assets that are soft-deleted. Those that manifests name were read with the rest; of those that rules match,
 * the ones are read of which something is not declared any more.
 */
export async function readAway(
  reader: Reader,
  { declared, ruled, unread }: AskedAway,
  { away: known = new Map(), missing }: Live,
  { onProgress: _, ...options }: ReadOptions,
): Promise<LiveAway> {
  const isDropped = (urn: Urn): boolean => declared.some((sides) => isAnyDropped(sides, urn));
  const wanted = new Map([...ruled].filter(isDropped).flatMap((urn) => entityIn(declared, urn)));
  const found = await readLive(reader, wanted, options);
  const away: State = new Map([...known, ...(found.away ?? [])]);
  const isHidden = (urn: Urn): boolean => (found.missing.get(urn) ?? missing.get(urn)) === "soft-deleted";
  const asked = new Set([...missing.keys(), ...wanted.keys()]);
  const unknown = [...asked].filter((urn) => isHidden(urn) && !away.has(urn) && isDropped(urn));
  return { away, unread: [...unread, ...unknown, ...found.unreadable.keys()] };
}

/** An asset with the facets that were declared of it. */
function entityIn(declared: readonly DeclaredAway[], urn: Urn): readonly (readonly [Urn, Entity])[] {
  const known = declared.flatMap(({ before }) => before.get(urn) ?? []);
  const [first] = known;
  return first ? [[urn, { ...first, facets: new Map(known.flatMap(({ facets }) => [...facets])) }]] : [];
}
