/** Prevents the creation of entities while the server is still removing references to deleted entities with the same URNs. */

import { CatalogError } from "../../model/catalog-error.ts";
import type { Change } from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import type { Operation } from "../../model/operation.ts";
import type { Outcome } from "../../model/report.ts";
import type { Urn } from "../../model/urn.ts";
import type { Writer } from "../../datahub/client.ts";
import { countReferrers } from "../read/incoming-references.ts";
import { unreadReferences } from "./deletions.ts";
import { pollUntilDone } from "./poll.ts";
import { type Run, stopAfter, stopReason } from "./run-state.ts";

/** Number of consecutive polls with the same count after which references are considered permanent. */
const maxUnchanged = 10;

/**
 * Repeatedly counts the referrers of each entity to be created, and returns the outcomes of creations that fail. A decreasing
 * number means that the server is still cleaning up after a deletion. The server would also remove new references from the same
 * referrers (DeleteEntityService.java), so the creation fails and a new plan is needed. A stable number is caused by references
 * to entities that never existed, such as ingested tags. Creations also fail if the referrers still cannot be counted in the last
 * poll.
 */
export async function refusedRecreations(
  run: Run,
  operations: readonly Operation[],
): Promise<readonly Outcome[]> {
  const created = creationsIn(operations);
  const { losingReferences, errors } = await watchReferrerCounts(run, created);
  if (stopReason(run) !== undefined) return [];
  const refusal = ({ action, urn }: Change): string | undefined => {
    if (action !== "create") return undefined;
    return errors.get(urn) ?? (losingReferences.has(urn) ? reason : undefined);
  };
  return operations.flatMap((operation): readonly Outcome[] => {
    const error = operation.changes.map(refusal).find((each) => each !== undefined);
    return error === undefined ? [] : [{ status: "failed", operation, error }];
  });
}

const reason =
  "not sent: it was deleted earlier, and the server is still removing all references to it, even new ones; apply again later";

function creationsIn(operations: readonly Operation[]): readonly Change[] {
  const created = operations
    .flatMap(({ changes }) => changes)
    .filter(({ action }) => action === "create")
    .map((change) => [change.urn, change] as const);
  return [...new Map(created).values()];
}

interface ReferrerWatch {
  /** Entities whose number of referrers decreased. */
  readonly losingReferences: ReadonlySet<Urn>;
  /** Entities whose referrers could not be counted, each with the reason. */
  readonly errors: ReadonlyMap<Urn, string>;
}

async function watchReferrerCounts(run: Run, entities: readonly Change[]): Promise<ReferrerWatch> {
  const { writer, signal } = run;
  const losingReferences = new Set<Urn>();
  let [watched, seen] = [entities, new Map<Urn, ReferrerCount>()];
  let errors: ReadonlyMap<Urn, string> = new Map();
  const referredTo = async (): Promise<readonly Urn[]> => {
    try {
      const counted = await countByKind(writer, watched, signal);
      const { counts } = counted;
      errors = counted.errors;
      const before = seen;
      seen = new Map();
      for (const [urn, count] of counts) {
        const known = before.get(urn);
        seen.set(urn, { count, unchanged: known?.count === count ? known.unchanged + 1 : 0 });
      }
      for (const { urn } of watched)
        if ((seen.get(urn)?.count ?? 0) < (before.get(urn)?.count ?? 0)) losingReferences.add(urn);
      watched = watched.filter(
        ({ urn }) => errors.has(urn) || (seen.get(urn)?.unchanged ?? maxUnchanged) < maxUnchanged,
      );
    } catch (thrown) {
      if (!(thrown instanceof CatalogError)) throw thrown;
      stopAfter(run, thrown);
      errors = new Map(watched.map(({ urn }) => [urn, `${unreadReferences}: ${thrown.message}`]));
    }
    return stopReason(run) === undefined ? watched.map(({ urn }) => urn) : [];
  };
  try {
    await pollUntilDone(writer, run, "Checking for unfinished deletions of the same URNs:", referredTo);
  } catch (thrown) {
    if (!signal?.aborted) throw thrown;
  }
  return { losingReferences, errors };
}

/**
 * Counts the referrers of entities. If the server rejects one search for all kinds, searches for each kind separately, because an
 * older release may lack a field of one kind. Throws `CatalogError` if a request fails.
 */
async function countByKind(
  writer: Writer,
  entities: readonly Change[],
  signal: AbortSignal | undefined,
): Promise<{ readonly counts: ReadonlyMap<Urn, number>; readonly errors: ReadonlyMap<Urn, string> }> {
  const groups = [...groupBy(entities, ({ kind }) => kind).values()];
  const counts = new Map<Urn, number>();
  const errors = new Map<Urn, string>();
  const count = async (batch: readonly Change[], isLast: boolean): Promise<void> => {
    try {
      for (const [urn, found] of await countReferrers(writer, batch, { signal })) counts.set(urn, found);
    } catch (error) {
      if (!(error instanceof CatalogError) || error.failure !== "answer") throw error;
      if (!isLast) for (const group of groups) await count(group, true);
      else for (const { urn } of batch) errors.set(urn, `${unreadReferences}: ${error.message}`);
    }
  };
  await count(entities, groups.length === 1);
  return { counts, errors };
}

/** An entity's number of referrers, and the number of polls since it last changed. */
interface ReferrerCount {
  readonly count: number;
  readonly unchanged: number;
}
