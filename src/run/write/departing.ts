import { CatalogError } from "../../model/catalog-error.ts";
import type { Change } from "../../model/change.ts";
import type { Operation } from "../../model/operation.ts";
import type { Outcome } from "../../model/report.ts";
import type { Urn } from "../../model/urn.ts";
import { countHolders } from "../read/holders.ts";
import { lookUntilDone } from "./looks.ts";
import { type Run, stopAfter, stopOf } from "./run.ts";

/** After how many looks without a difference references are taken for ones that stay. */
const stillLooks = 10;

/**
 * Looks for references that the server is still removing from entities that were deleted and are to be created again: it
 * removes new ones of the same holders, too (DeleteEntityService.java), and those that the plan found and left alone. Where
 * they become fewer it waits until they are gone, and returns the creations that must not be sent: a new plan is needed. Where
 * they do not, they are references to what never existed, such as tags of ingestion. Where the server cannot be asked, nothing is
 * created either.
 */
export async function departingReferences(
  run: Run,
  operations: readonly Operation[],
): Promise<readonly Outcome[]> {
  const created = creationsIn(operations);
  if (created.length === 0) return [];
  const { departed, error } = await awaitDepartures(run, created);
  if (stopOf(run) !== undefined) return [];
  const isHeld = ({ action, urn }: Change): boolean =>
    action === "create" && (error !== undefined || departed.has(urn));
  return operations
    .filter(({ changes }) => changes.some(isHeld))
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

interface Departures {
  /** The entities whose references have become fewer. */
  readonly departed: ReadonlySet<Urn>;
  /** Why it is not known whether there are any. */
  readonly error?: string;
}

async function awaitDepartures(run: Run, entities: readonly Change[]): Promise<Departures> {
  const { writer, signal } = run;
  const departed = new Set<Urn>();
  let [asked, seen] = [entities, new Map<Urn, Seen>()];
  let error: string | undefined;
  const look = async (): Promise<readonly Urn[]> => {
    try {
      const counts = await countHolders(writer, asked, signal ? { signal } : {});
      error = undefined;
      const before = seen;
      seen = new Map();
      for (const [urn, count] of counts) {
        const known = before.get(urn);
        seen.set(urn, { count, still: known?.count === count ? known.still + 1 : 0 });
      }
      for (const [urn, { count }] of before) if ((seen.get(urn)?.count ?? 0) < count) departed.add(urn);
      asked = asked.filter(({ urn }) => (seen.get(urn)?.still ?? stillLooks) < stillLooks);
    } catch (thrown) {
      if (!(thrown instanceof CatalogError)) throw thrown;
      stopAfter(run, thrown);
      error = `not sent: the references to it could not be read: ${thrown.message}`;
    }
    return stopOf(run) === undefined ? asked.map(({ urn }) => urn) : [];
  };
  try {
    await lookUntilDone(writer, run, "Checking whether the server is still removing references to", look);
  } catch (thrown) {
    if (!signal?.aborted) throw thrown;
  }
  return { departed, ...(error !== undefined && { error }) };
}

/** How many entities refer to one at the last look, and at how many looks before there were as many. */
interface Seen {
  readonly count: number;
  readonly still: number;
}
