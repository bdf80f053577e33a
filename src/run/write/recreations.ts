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
import { type Run, stopAfter, stopOf } from "./run-state.ts";

/** After how many polls without a difference references are taken for permanent. */
const maxUnchanged = 10;

/**
 * Polls the number of referrers of every entity to be created, and returns the creations that fail. If a number falls, the
 * server is still cleaning up after a deletion, and would remove new references of the same referrers, too
 * (DeleteEntityService.java): the creation fails, and a new plan is needed. A number that stays is of references to what never
 * existed, such as tags of ingestion. If counting fails to the end, the creations fail that it was about.
 */
export async function refusedRecreations(
  run: Run,
  operations: readonly Operation[],
): Promise<readonly Outcome[]> {
  const created = creationsIn(operations);
  const { losingReferences, errors } = await watchReferrerCounts(run, created);
  if (stopOf(run) !== undefined) return [];
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
  /** The entities of which it is not known whether there are any, and why. */
  readonly errors: ReadonlyMap<Urn, string>;
}

async function watchReferrerCounts(run: Run, entities: readonly Change[]): Promise<ReferrerWatch> {
  const { writer, signal } = run;
  const losingReferences = new Set<Urn>();
  let [asked, seen] = [entities, new Map<Urn, ReferrerCount>()];
  let errors: ReadonlyMap<Urn, string> = new Map();
  const referredTo = async (): Promise<readonly Urn[]> => {
    try {
      const counted = await countByKind(writer, asked, signal);
      const { counts } = counted;
      errors = counted.errors;
      const before = seen;
      seen = new Map();
      for (const [urn, count] of counts) {
        const known = before.get(urn);
        seen.set(urn, { count, unchanged: known?.count === count ? known.unchanged + 1 : 0 });
      }
      for (const { urn } of asked)
        if ((seen.get(urn)?.count ?? 0) < (before.get(urn)?.count ?? 0)) losingReferences.add(urn);
      asked = asked.filter(
        ({ urn }) => errors.has(urn) || (seen.get(urn)?.unchanged ?? maxUnchanged) < maxUnchanged,
      );
    } catch (thrown) {
      if (!(thrown instanceof CatalogError)) throw thrown;
      stopAfter(run, thrown);
      errors = new Map(asked.map(({ urn }) => [urn, `${unreadReferences}: ${thrown.message}`]));
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
  return { losingReferences, errors };
}

/**
 * How many entities refer to some. Where the server refuses the search for all of them, those of each kind are searched for by
 * themselves: what an older release does not know is a field of one kind. Throws `CatalogError` where it cannot be asked.
 */
async function countByKind(
  writer: Writer,
  entities: readonly Change[],
  signal: AbortSignal | undefined,
): Promise<{ readonly counts: ReadonlyMap<Urn, number>; readonly errors: ReadonlyMap<Urn, string> }> {
  const groups = [...groupBy(entities, ({ kind }) => kind).values()];
  const counts = new Map<Urn, number>();
  const errors = new Map<Urn, string>();
  const count = async (some: readonly Change[], isLast: boolean): Promise<void> => {
    try {
      for (const [urn, found] of await countReferrers(writer, some, { signal })) counts.set(urn, found);
    } catch (error) {
      if (!(error instanceof CatalogError) || error.failure !== "answer") throw error;
      if (!isLast) for (const group of groups) await count(group, true);
      else for (const { urn } of some) errors.set(urn, `${unreadReferences}: ${error.message}`);
    }
  };
  await count(entities, groups.length === 1);
  return { counts, errors };
}

/** How many entities refer to one, and at how many polls before there were as many. */
interface ReferrerCount {
  readonly count: number;
  readonly unchanged: number;
}
