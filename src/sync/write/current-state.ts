/** Reads the entities and aspects that operations change, immediately before the operations are sent. */

import { writesOf } from "../../facets/writes.ts";
import type { Change } from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import { type AspectPlace, aspectKey, type Operation, type Proposal } from "../../model/operation.ts";
import type { Live } from "../../model/live.ts";
import { type CatalogNow, type PlannedPlaces, dependenciesOf } from "../../plan/recheck/verdict.ts";
import { missingAspect, type StoredAspect } from "../../datahub/aspect-client.ts";
import type { Reader } from "../../datahub/client.ts";
import { readChanged } from "../read/changed.ts";
import type { ReadOptions } from "../read/read-batches.ts";
import { exactValueOf, keepRemoved, removedFromBy } from "./removed-elements.ts";
import type { Run } from "./run-state.ts";

/** The catalog's state immediately before a write, with the entities that this apply had created before it was read. */
export interface CurrentState extends CatalogNow {
  /** The aspects that proposals will change, with their versions, keyed by URN and aspect name. */
  readonly stored: Map<string, StoredAspect>;
}

/**
 * Reads changed entities, their future parents and the entities that they refer to, before the changes are written. Throws the
 * same errors as `readChanged`.
 */
export async function readBefore(
  reader: Reader,
  changes: readonly Change[],
  { moved, ...modes }: PlannedPlaces,
  options: ReadOptions & { readonly isInDoubt?: boolean },
): Promise<Live> {
  const ancestors = changes.flatMap((change) => dependenciesOf(change, writesOf(change, modes)));
  const additional = new Set(ancestors.filter((urn) => !moved.has(urn)));
  return await readChanged(reader, changes, { ...options, isBefore: true, beside: [...additional] });
}

/**
 * Reads the entities that operations change, and the aspects that their proposals write. Throws the same errors as `readBefore`.
 */
export async function readCurrent(run: Run, operations: readonly Operation[]): Promise<CurrentState> {
  const { writer, signal, moved, writes, edited } = run;
  // Copy `run.created` first, because the read may miss entities that are created after this point.
  const created = new Set(run.created);
  const changes = [...new Set(operations.flatMap((operation) => operation.changes))];
  const isInDoubt = operations.some(({ id }) => run.inDoubt.has(id));
  const live = await readBefore(writer, changes, run, { isInDoubt, signal });
  for (const urn of run.maybeCreated) {
    if (!live.state.has(urn)) continue;
    created.add(urn);
    run.created.add(urn);
  }
  const proposals = proposalsIn(operations).flatMap((proposal) =>
    proposal.beside ? [proposal, proposal.beside] : [proposal],
  );
  const stored = await readAspects(
    run,
    [...proposals, ...removedFromBy(operations)].filter(({ urn }) => live.missing.get(urn) !== "absent"),
  );
  for (const operation of operations)
    for (const { urn, aspect } of removedFromBy([operation])) {
      const read = stored.get(aspectKey(urn, aspect));
      if (read) keepRemoved(run, operation, exactValueOf(read));
    }
  // A missing entity has no aspects.
  for (const { urn, aspect } of proposals)
    if (live.missing.get(urn) === "absent") stored.set(aspectKey(urn, aspect), missingAspect);
  return { live, stored, created, moved, writes, edited };
}

/** Returns the proposals among the requests of the operations. */
export function proposalsIn(operations: readonly Operation[]): readonly Proposal[] {
  return operations.flatMap(({ request }) => (request.type === "proposal" ? [request] : []));
}

/** Reads the aspects that proposals write. Leaves out aspects that cannot be read. Throws only if the signal is aborted. */
export async function readAspects(
  { writer, signal }: Run,
  proposals: readonly AspectPlace[],
): Promise<Map<string, StoredAspect>> {
  const wanted = [...groupBy(proposals, ({ urn }) => urn)].map(([urn, own]) => ({
    urn,
    aspects: [...new Set(own.map(({ aspect }) => aspect))],
  }));
  const found = await writer.versions.read(wanted, signal);
  return new Map(
    [...found].flatMap(([urn, aspects]) =>
      [...aspects].map(([aspect, value]) => [aspectKey(urn, aspect), value] as const),
    ),
  );
}
