import { join } from "node:path";
import type { Kind } from "../../src/kinds/kind.ts";
import { isJsonObject, type Json, textOf } from "../../src/model/json.ts";
import { schemaFieldUrn, type Urn } from "../../src/model/urn.ts";
import type { Journal } from "./journal.ts";
import { anyVersionRow } from "./required.ts";
import type { StoredCatalog } from "./stored-catalog.ts";
import { until } from "./until.ts";
import { type Applied, newWorkspace, type Ran, said, type Target, type Workspace } from "./workspace.ts";

/** What became of one thing that was tried. */
export interface Row {
  /** What was tried: an operation, a facet of a kind, a mode, a command. */
  readonly name: string;
  readonly result: "passed" | "failed" | "not available";
  readonly seconds: number;
  /** Why it is not passed. */
  readonly why?: string;
}

/** Something that users do, with what it tries, by name. Trials share nothing. */
export interface Trial {
  readonly name: string;
  readonly tries: readonly string[];
  readonly run: (trying: Trying) => Promise<void>;
}

/** What a trial works with. */
export interface Trying extends Workspace {
  readonly stored: StoredCatalog;
  /** An asset that the token may not view, where one is known. */
  readonly hidden: string | undefined;
  /** An id that only this trial has. Whatever is made has it in its URN. */
  readonly id: (name: string) => string;
  /** The URN of an entity of a type that has such an id. It is known to be made from now on. */
  readonly urn: (entityType: string, name: string) => string;
  /** The same for an entity of a kind; of assets it is on the platform `file`. */
  readonly urnOf: (kind: Kind, name: string) => Urn;
  /** The same for the entity that the server keeps for a column of an asset. */
  readonly urnOfColumn: (asset: Urn, column: string) => Urn;
  /** Something that was tried has come out well if this does not throw. */
  readonly check: (name: string, body: () => Promise<void>, ran?: Ran) => Promise<void>;
  /** An operation has come out well if an apply reports nothing else, and this does not throw. */
  readonly operation: (name: string, applied: Applied, body: () => Promise<void>) => Promise<void>;
  /** Ends the trial where an apply did not end with a code: what comes after it would be tried on other grounds. */
  readonly goOn: (applied: Applied, code?: number) => void;
  readonly until: (what: string, look: () => Promise<boolean>) => Promise<void>;
}

/** A server has not what is tried, and says so as documented. */
export class NotAvailable extends Error {}

/** What all trials of a run share. */
export interface Run {
  readonly id: string;
  readonly target: Target;
  readonly stored: StoredCatalog;
  readonly hidden?: string | undefined;
  readonly journal: Journal;
  /** Where the trials have their directories. */
  readonly directory: string;
  /** The built command line. */
  readonly cli: string;
  readonly signal?: AbortSignal | undefined;
  /** For how many milliseconds a trial waits for what the index shows; a minute otherwise. */
  readonly patience?: number | undefined;
  /** Whether a trial ends with the first that fails. */
  readonly isFailingFast?: boolean;
}

/** Carries out a trial. What it did not come to has failed. Throws only the reason of the signal. */
export async function runTrial(trial: Trial, run: Run): Promise<readonly Row[]> {
  const rows = new Map<string, Row>();
  const start = performance.now();
  let stopped = "nothing checked it";
  try {
    await trial.run(tryingOf(trial, run, rows));
  } catch (error) {
    run.signal?.throwIfAborted();
    stopped = messageOf(error);
  }
  const seconds = (performance.now() - start) / 1000;
  return trial.tries.map(
    (name) => rows.get(name) ?? { name, result: "failed", seconds, why: `not reached: ${stopped}` },
  );
}

function tryingOf(trial: Trial, run: Run, rows: Map<string, Row>): Trying {
  const { stored, journal, signal } = run;
  const counted = new Set<string>();
  // An apply counts once for each row, however much of it is checked there.
  const secondsOf = (name: string, ran: Ran | undefined): number => {
    const key = `${name} ${ran?.seconds}`;
    if (!ran || counted.has(key)) return 0;
    counted.add(key);
    return ran.seconds;
  };
  const workspace = newWorkspace(join(run.directory, trial.name), run.cli, run.target, signal);
  const id: Trying["id"] = (name) => `${run.id}.${trial.name}.${name}`;
  const noted = <Noted extends string>(urn: Noted): Noted => {
    journal.note(urn);
    return urn;
  };
  const check: Trying["check"] = async (name, body, ran) => {
    if (!trial.tries.includes(name)) throw new Error(`${trial.name} does not say that it tries ${name}`);
    const start = performance.now();
    const failure = await failureOf(body, ran);
    signal?.throwIfAborted();
    const seconds = secondsOf(name, ran) + (performance.now() - start) / 1000;
    rows.set(name, joined(rows.get(name), { name, seconds, ...failure }));
  };
  return {
    ...workspace,
    stored,
    hidden: run.hidden,
    id,
    urn: (entityType, name) => noted(`urn:li:${entityType}:${id(name)}`),
    urnOf: (kind, name) => noted(urnWithId(kind, id(name))),
    urnOfColumn: (asset, column) => noted(schemaFieldUrn(asset, column)),
    check,
    operation: (name, applied, body) =>
      check(
        name,
        async () => {
          const sent = requireApplied(name, applied);
          await body();
          await confirm(name, sent.urn, stored);
        },
        applied,
      ),
    goOn: (applied, code = 0) => {
      const failed = [...rows.values()].find(({ result }) => result === "failed");
      if (failed && run.isFailingFast) throw new Error(failed.why);
      if (applied.code !== code) throw new Error(`apply ended with ${applied.code}: ${said(applied)}`);
    },
    until: (what, look) => until(what, look, { signal, within: run.patience }),
  };
}

function urnWithId(kind: Kind, id: string): Urn {
  const { fields, entityType } = kind;
  const identity = kind.urnOf(
    "platform" in fields
      ? { platform: "file", flow: id, name: id }
      : "id" in fields
        ? { id: `urn:li:${entityType}:${id}` }
        : { urn: exampleOf(fields["urn"]).replace(/[^:(),]+(?=\)*$)/, id) },
  );
  if ("fault" in identity) throw new Error(`${id} is no id of a ${entityType}`);
  return identity.urn;
}

function exampleOf(schema: Json | undefined): string {
  const examples = isJsonObject(schema) ? schema["examples"] : undefined;
  return Array.isArray(examples) ? textOf(examples[0]) : "";
}

async function failureOf(
  body: () => Promise<void>,
  ran: Ran | undefined,
): Promise<Pick<Row, "result" | "why">> {
  try {
    await body();
    return { result: "passed" };
  } catch (error) {
    if (error instanceof NotAvailable) return { result: "not available", why: error.message };
    const ending = ran && ran.code !== 0 ? `; the command ended with ${ran.code}: ${said(ran)}` : "";
    return { result: "failed", why: messageOf(error) + ending };
  }
}

/** What was checked several times has the worst result, and the first reason for it. */
function joined(before: Row | undefined, row: Row): Row {
  if (!before) return row;
  const seconds = before.seconds + row.seconds;
  return { ...(before.result === "passed" ? row : before), seconds };
}

function requireApplied(name: string, applied: Applied): Applied["outcomes"][number] {
  const own = applied.outcomes.filter(
    ({ operation }) => name === operation || name === anyVersionRow(operation),
  );
  const other = own.find(({ status }) => status !== "applied");
  if (other) throw new Error(`${other.status}: ${other.error ?? other.because} (${other.urn})`);
  const [first] = own;
  if (!first) throw new Error(`apply did not send it; it ended with ${applied.code}: ${said(applied)}`);
  return first;
}

/** What a proposal is answered is looked at, too: the tool takes what it finds stored for done. */
async function confirm(name: string, urn: string, stored: StoredCatalog): Promise<void> {
  const aspect = /^ingestProposal (\w+)/.exec(name)?.[1];
  if (aspect === undefined) return;
  await (name === anyVersionRow(`ingestProposal ${aspect}`)
    ? stored.patch(urn, aspect, [])
    : stored.confirm(urn, aspect));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
