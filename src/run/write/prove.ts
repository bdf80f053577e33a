import { CatalogError } from "../../model/catalog-error.ts";
import type { Report } from "../../model/report.ts";
import { proved } from "../../plan/recheck/proof.ts";
import type { Writer } from "../../datahub/client.ts";
import { readChanged } from "../read/changed.ts";
import type { ReadOptions } from "../read/read-batches.ts";
import type { PollOptions } from "./poll.ts";
import { awaitReferencesGone } from "./removed-references.ts";
import { bugOf } from "./run-state.ts";

/**
 * Reads back what was applied, once the server has removed the references to what was deleted. What differs has failed, with what
 * was expected and what was found. Where something cannot be read, its outcomes stay, and `unproved` has the reason. Never
 * throws; an interruption ends it at once.
 */
export async function prove(
  writer: Writer,
  outcomes: Report["outcomes"],
  { onWait, ...options }: ReadOptions & PollOptions = {},
): Promise<Pick<Report, "outcomes" | "unproved" | "referencesLeft">> {
  const applied = outcomes.filter(({ status }) => status === "applied");
  const changes = [...new Set(applied.flatMap(({ operation }) => operation.changes))];
  try {
    const left = await awaitReferencesGone(writer, outcomes, { signal: options.signal, onWait });
    const live = await readChanged(writer, changes, options);
    const [unread] = live.unreadable;
    return {
      outcomes: outcomes.flatMap((outcome) => proved(outcome, live)),
      ...(left.length > 0 && { referencesLeft: left }),
      ...(unread && { unproved: unread.join(": ") }),
    };
  } catch (error) {
    if (options.signal?.aborted) return { outcomes };
    return { outcomes, unproved: error instanceof CatalogError ? error.message : bugOf(error) };
  }
}
