import { CatalogError } from "../../model/catalog-error.ts";
import type { Change } from "../../model/change.ts";
import type { Operation } from "../../model/operation.ts";
import type { Outcome } from "../../model/report.ts";
import type { Urn } from "../../model/urn.ts";
import { countReferrers } from "../read/referrers.ts";
import { unreadReferences } from "./deletions.ts";
import { pollUntilDone } from "./poll.ts";
import { type Run, stopAfter, stopOf } from "./run-state.ts";

/** After how many polls without a difference references are taken for permanent. */
const mostUnchanged = 10;

/**
 * Polls the number of referrers of every entity to be created, and returns the creations that fail. If a number falls, the
 * server is still cleaning up after a deletion, and would remove new references of the same referrers, too
 * (DeleteEntityService.java): the creation fails, and a new plan is needed. A number that stays is of references to what never
 * existed, such as tags of ingestion. If counting fails to the end, all creations fail.
 */
export async function refusedRecreations(
  run: Run,
  operations: readonly Operation[],
): Promise<readonly Outcome[]> {
  const created = creationsIn(operations);
  const { losingReferences, error } = await watchReferrerCounts(run, created);
  if (stopOf(run) !== undefined) return [];
  const isRefused = ({ action, urn }: Change): boolean =>
    action === "create" && (error !== undefined || losingReferences.has(urn));
  return operations
    .filter(({ changes }) => changes.some(isRefused))
    .map((operation) => ({ status: "failed", operation, error: error ?? reason }));
}

const reason =
  "not sent: it was deleted before, and the server was still removing references to it, new ones too; apply again";

function creationsIn(operations: readonly Operation[]): readonly Change[] {
  const created = operations
    .flatMap(({ changes }) => changes)
    .filter(({ action }) => action === "create")
    .map((change) => [change.urn, change] as const);
  return [...new Map(created).values()];
}

interface ReferrerWatch {
  /** The entities whose references have become fewer. */
  readonly losingReferences: ReadonlySet<Urn>;
  /** Why it is not known whether there are any. */
  readonly error?: string;
}

async function watchReferrerCounts(run: Run, entities: readonly Change[]): Promise<ReferrerWatch> {
  const { writer, signal } = run;
  const losingReferences = new Set<Urn>();
  let [asked, seen] = [entities, new Map<Urn, ReferrerCount>()];
  let error: string | undefined;
  const referredTo = async (): Promise<readonly Urn[]> => {
    try {
      const counts = await countReferrers(writer, asked, { signal });
      error = undefined;
      const before = seen;
      seen = new Map();
      for (const [urn, count] of counts) {
        const known = before.get(urn);
        seen.set(urn, { count, unchanged: known?.count === count ? known.unchanged + 1 : 0 });
      }
      for (const { urn } of asked)
        if ((seen.get(urn)?.count ?? 0) < (before.get(urn)?.count ?? 0)) losingReferences.add(urn);
      asked = asked.filter(({ urn }) => (seen.get(urn)?.unchanged ?? mostUnchanged) < mostUnchanged);
    } catch (thrown) {
      if (!(thrown instanceof CatalogError)) throw thrown;
      stopAfter(run, thrown);
      error = `${unreadReferences}: ${thrown.message}`;
    }
    return stopOf(run) === undefined ? asked.map(({ urn }) => urn) : [];
  };
  try {
    await pollUntilDone(
      writer,
      run,
      "Checking whether the server is still removing references to",
      referredTo,
    );
  } catch (thrown) {
    if (!signal?.aborted) throw thrown;
  }
  return { losingReferences, ...(error !== undefined && { error }) };
}

/** How many entities refer to one, and at how many polls before there were as many. */
interface ReferrerCount {
  readonly count: number;
  readonly unchanged: number;
}
