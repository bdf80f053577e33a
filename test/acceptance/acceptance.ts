import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isJsonObject } from "../../src/model/json.ts";
import { takeAway, takeAwayLeft } from "./clean-up.ts";
import { openJournal } from "./journal.ts";
import { newRunId } from "./run-id.ts";
import { releaseOf, type StoredCatalog, storedCatalog } from "./stored-catalog.ts";
import { type Row, runTrial, type Trial } from "./trial.ts";
import { trials, untried } from "./trials/index.ts";
import type { Target } from "./workspace.ts";

/** How an acceptance is run. */
export interface Acceptance {
  readonly target: Target;
  /** The server behind it, where that is another address: there it is counted and taken away what was made. */
  readonly behind?: Target;
  /** The built command line. */
  readonly cli: string;
  /** Where the journals of runs are. */
  readonly journals: string;
  /** Only trials that try one of these, by name; every one otherwise. */
  readonly only?: readonly string[];
  readonly isFailingFast?: boolean;
  /** An asset that the token may not view, where there is one. */
  readonly hidden?: string | undefined;
  /** For how many milliseconds a trial waits for what the index shows; a minute otherwise. */
  readonly patience?: number;
  readonly isAnySize?: boolean;
  readonly signal?: AbortSignal;
  /** Is told what goes on. */
  readonly tell?: (text: string) => void;
}

/** What came of an acceptance. */
export interface Results {
  readonly release: string;
  readonly rows: readonly Row[];
}

/** Servers that hold more are somebody's: nothing is made there unless that is wanted. */
const maxEntities = 10_000;

/**
 * Tries everything against a server, and takes away what it made, whatever happens. Throws where the server is none, is too
 * large, or does not let everything be taken away, and the reason of the signal.
 */
export async function accept(acceptance: Acceptance): Promise<Results> {
  const { target, cli, journals, only, signal, tell = () => {} } = acceptance;
  const stored = storedCatalog(target.address, target.token, target.readLag);
  const release = await releaseOf(stored);
  const { behind = target } = acceptance;
  const keeper = storedCatalog(behind.address, behind.token);
  if (!acceptance.isAnySize) await refuseLarge(keeper);
  const left = await takeAwayLeft(keeper, journals);
  if (left > 0) tell(`Took away ${left} entities that earlier runs left.`);
  const id = newRunId();
  const directory = mkdtempSync(join(tmpdir(), `${id}-`));
  const journal = openJournal(journals, id, { address: keeper.address, directory });
  const isFailingFast = acceptance.isFailingFast ?? false;
  const run = {
    id,
    target,
    stored,
    journal,
    directory,
    cli,
    signal,
    isFailingFast,
    hidden: acceptance.hidden,
    patience: acceptance.patience,
  };
  tell(`DataHub ${release} at ${target.address}, ${id}`);
  try {
    const rows: Row[] = [];
    for (const trial of chosen(only)) {
      const own = await runTrial(trial, run);
      rows.push(...own);
      tell(`${trial.name}: ${summaryOf(own)}`);
    }
    return { release, rows: only ? rows : [...rows, ...untried] };
  } finally {
    await takeAway(keeper, journal.urns, id);
    rmSync(directory, { recursive: true, force: true });
    journal.close();
  }
}

function chosen(only: readonly string[] | undefined): readonly Trial[] {
  return only ? trials.filter(({ tries }) => tries.some((name) => only.includes(name))) : trials;
}

/** How many passed and failed: the last line of an acceptance. */
export function summaryOf(rows: readonly Row[]): string {
  const count = (result: Row["result"]): number => rows.filter((row) => row.result === result).length;
  return `${count("passed")} passed, ${count("failed")} failed`;
}

const countDocument = `query CountEntities($input: SearchAcrossEntitiesInput!) {
  searchAcrossEntities(input: $input) { total }
}`;

// A server may count no further than the limit.
async function refuseLarge(stored: StoredCatalog): Promise<void> {
  const input = { types: [], query: "*", start: 0, count: 1 };
  const { searchAcrossEntities: found } = await stored.graphql(countDocument, { input });
  const total = isJsonObject(found) ? found["total"] : undefined;
  if (typeof total !== "number") throw new Error(`${stored.address} does not say how many entities it holds`);
  if (total < maxEntities) return;
  throw new Error(
    `${stored.address} holds ${total} entities or more. The acceptance is for servers of fewer than ${maxEntities}; set ACCEPTANCE_ANY_SIZE=1 to run it all the same`,
  );
}
