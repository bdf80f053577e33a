/** Reads the values of dormant assets. A dormant asset is soft-deleted, or has columns that are no longer in the schema. */

import type { Live } from "../../model/live.ts";
import type { Entity, State } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { type LiveDormant, hasUndeclaredValues } from "../../plan/notes/dormant.ts";
import type { Reader } from "../../datahub/client.ts";
import { readLive } from "./live-state.ts";
import type { ReadOptions } from "./read-batches.ts";
import type { Desired } from "../../plan/base/catalog.ts";
import type { DeclaredDormant } from "../../plan/base/declared-before.ts";
import type { EarlierDeclarations } from "../../plan/base/policy.ts";

/** The declarations of dormant assets, and the assets that only rules declare. */
export interface DormantQuery {
  readonly declared: readonly DeclaredDormant[];
  readonly ruled: ReadonlySet<Urn>;
  /** Soft-deleted assets whose matching rules are unknown. */
  readonly unread: readonly Urn[];
}

/** Returns the query for a plan without rules, in which only documents declare values. */
export function dormantQueryFor(
  { state: now }: Desired,
  { base: before }: EarlierDeclarations,
): DormantQuery {
  return { declared: before ? [{ now, before }] : [], ruled: new Set(), unread: [] };
}

/**
 * Reads the values of soft-deleted assets. Assets that documents declare have already been read. Among the assets that only rules
 * match, reads those with values that are no longer declared.
 */
export async function readDormant(
  reader: Reader,
  { declared, ruled, unread }: DormantQuery,
  { dormant: known = new Map(), missing }: Live,
  options: ReadOptions,
): Promise<LiveDormant> {
  const isDropped = (urn: Urn): boolean => declared.some((sides) => hasUndeclaredValues(sides, urn));
  const wanted = new Map([...ruled].filter(isDropped).flatMap((urn) => entityIn(declared, urn)));
  const found = await readLive(reader, wanted, options);
  const dormant: State = new Map([...known, ...(found.dormant ?? [])]);
  const isHidden = (urn: Urn): boolean => (found.missing.get(urn) ?? missing.get(urn)) === "soft-deleted";
  const candidates = new Set([...missing.keys(), ...wanted.keys()]);
  const unknown = [...candidates].filter((urn) => isHidden(urn) && !dormant.has(urn) && isDropped(urn));
  return { dormant, unread: [...unread, ...unknown, ...found.unreadable.keys()] };
}

/** Returns an asset with its previously declared facets. */
function entityIn(declared: readonly DeclaredDormant[], urn: Urn): readonly (readonly [Urn, Entity])[] {
  const known = declared.flatMap(({ before }) => before.get(urn) ?? []);
  const [first] = known;
  return first ? [[urn, { ...first, facets: new Map(known.flatMap(({ facets }) => [...facets])) }]] : [];
}
