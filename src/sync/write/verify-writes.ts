/** Verifies an apply by reading the written values after the server has removed references to deleted entities. */

import { CatalogError } from "../../model/catalog-error.ts";
import type { Change } from "../../model/change.ts";
import type { VerifiedOutcomes, Outcome, Report } from "../../model/report.ts";
import type { Urn } from "../../model/urn.ts";
import { verifiedOutcomes } from "../../plan/recheck/verified.ts";
import type { Writer } from "../../datahub/client.ts";
import { readChanged } from "../read/changed.ts";
import type { ReadOptions } from "../read/read-batches.ts";
import { createRechecks } from "./rechecks.ts";
import type { PollOptions } from "./poll.ts";
import { awaitReferencesRemoved } from "./removed-references.ts";
import { bugMessage } from "./run-state.ts";

/**
 * Rereads applied values after the server has removed the references to deleted entities. If values differ from the plan, repeats
 * the read for at most 5 s. If they still differ, their operations fail with the expected and the actual value. If a value cannot
 * be read, its outcomes remain and `unproved` contains the reason. Never throws. An interruption ends the verification
 * immediately.
 */
export async function verifyWrites(
  writer: Writer,
  outcomes: Report["outcomes"],
  { onWait, ...options }: ReadOptions & PollOptions = {},
): Promise<VerifiedOutcomes> {
  const applied = outcomes.filter(({ status }) => status === "applied");
  try {
    const polling = { signal: options.signal, onWait };
    const left = await awaitReferencesRemoved(writer, outcomes, polling);
    const rechecks = createRechecks(writer, polling, "Written, but not visible yet");
    const results = new Map<Outcome, readonly Outcome[]>();
    let unread: readonly [Urn, string] | undefined;
    let open = applied;
    do {
      const live = await readChanged(writer, changesOf(open), options);
      unread ??= [...live.unreadable][0];
      for (const outcome of open) results.set(outcome, verifiedOutcomes(outcome, live));
      open = open.filter((outcome) => results.get(outcome)?.some(({ status }) => status === "failed"));
    } while (open.length > 0 && (await rechecks.next([...new Set(changesOf(open).map(({ urn }) => urn))])));
    return {
      outcomes: outcomes.flatMap((outcome) => results.get(outcome) ?? [outcome]),
      ...(left.length > 0 && { referencesLeft: left }),
      ...(unread && { unproved: unread.join(": ") }),
    };
  } catch (error) {
    if (options.signal?.aborted) return { outcomes };
    return { outcomes, unproved: error instanceof CatalogError ? error.message : bugMessage(error) };
  }
}

function changesOf(outcomes: readonly Outcome[]): readonly Change[] {
  return [...new Set(outcomes.flatMap(({ operation }) => operation.changes))];
}
