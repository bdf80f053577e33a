import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect } from "vitest";
import { connectionTo } from "../../src/datahub/connection.ts";
import type { Sqlite, SqlValue } from "../../src/local-catalog/store/sqlite/connection.ts";
import { startTestCatalog, temporaryDirectory, type TestCatalog } from "./catalog.ts";
import { type Ran, runCli, type RunOptions } from "./command-line.ts";
import { type TestRepository, testRepository } from "./git-repository.ts";

/** The ref that the settings of `siteWith` name. */
export const appliedRef = "refs/datahub-gitops/applied";

/** Settings that name the base, and what else is given. */
export function settingsWith(...lines: readonly string[]): string {
  return ["version: 1", `base: ${appliedRef}`, ...lines, ""].join("\n");
}

/** The note that an apply prints of the run that it kept last. */
export function runNote({ git }: Pick<TestRepository, "git">): string {
  const id = git("rev-parse", "--short", "refs/datahub-gitops/runs");
  return `Recorded as run ${id}; show it with: datahub-gitops runs show ${id}\n`;
}

/** A repository of manifests, and the catalog that they are applied to. */
export interface Site extends TestRepository {
  readonly catalog: TestCatalog;
  /** Runs a command against the catalog. */
  readonly run: (argv: readonly string[], options?: Partial<RunOptions>) => Promise<Ran>;
  readonly apply: (...flags: readonly string[]) => Promise<Ran>;
  readonly plan: (...flags: readonly string[]) => Promise<Ran>;
  /** The plan as JSON, whatever its exit code. */
  readonly planned: (...flags: readonly string[]) => Promise<PlanJson>;
  /** The commit that a ref names; `undefined` where there is no such ref. */
  readonly at: (ref?: string) => string | undefined;
  /** What somebody does in the UI. */
  readonly edit: (mutation: string) => Promise<void>;
  /** The latest value of an aspect. */
  readonly aspect: (urn: string, name: string) => unknown;
}

/** The parts of a plan that tests look at. */
export interface PlanJson {
  readonly changes: readonly Readonly<Record<string, unknown>>[];
  readonly findings: readonly Readonly<Record<string, unknown>>[];
  readonly unmanaged: readonly Readonly<Record<string, unknown>>[];
  readonly problems?: readonly Readonly<Record<string, unknown>>[];
  readonly limits: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly summary: Readonly<Record<string, number>>;
  readonly rules?: readonly Readonly<Record<string, unknown>>[];
  readonly git: Readonly<Record<string, unknown>>;
}

type Files = Readonly<Record<string, string | undefined>>;

/** Starts a catalog, and makes a repository whose first commit holds these files below `catalog/`. */
export async function siteWith(
  files: Files,
  settings = settingsWith(),
  serving: Parameters<typeof startTestCatalog>[0] = {},
): Promise<Site> {
  const catalog = await startTestCatalog(serving);
  const repository = testRepository();
  repository.commit(inCatalog({ "datahub-gitops.yaml": settings, ...files }));
  return siteOf(repository, catalog);
}

/**
 * Has a site made once for all tests of a file that ask for it with the same arguments. Each gets a copy of its own, which has been
 * asked for nothing yet: an apply takes ten times as long.
 */
export function siteOnce<Args extends readonly unknown[]>(
  make: (...args: Args) => Promise<Site>,
): (...args: Args) => Promise<Site> {
  const made = new Map<string, { readonly dir: string; readonly stored: Stored }>();
  afterAll(() => {
    for (const { dir } of made.values()) rmSync(dir, { recursive: true, force: true });
  });
  return async (...args) => {
    const key = JSON.stringify(args);
    const original = made.get(key) ?? keep(await make(...args));
    made.set(key, original);
    const root = temporaryDirectory();
    copy(original.dir, root);
    const catalog = await startTestCatalog();
    fill(catalog.database, original.stored);
    return siteOf(testRepository(root), catalog);
  };
}

function keep({ root, catalog }: Site): { readonly dir: string; readonly stored: Stored } {
  const dir = mkdtempSync(join(tmpdir(), "datahub-gitops-site-"));
  copy(root, dir);
  return { dir, stored: storedIn(catalog.database) };
}

function copy(from: string, to: string): void {
  cpSync(from, to, { recursive: true, preserveTimestamps: true });
}

/** The rows of the tables of a catalog. */
type Stored = ReadonlyMap<string, readonly (readonly SqlValue[])[]>;

// The index of references is made of the aspects when it is asked.
const tables = ["aspect", "reference_removal", "deleted_definition"];

function storedIn(database: Sqlite): Stored {
  return new Map(tables.map((table) => [table, database.prepare(`SELECT * FROM ${table}`).all()]));
}

function fill(database: Sqlite, stored: Stored): void {
  database.transaction(() => {
    for (const [table, rows] of stored) {
      database.exec(`DELETE FROM ${table}`);
      if (!rows[0]) continue;
      const insert = database.prepare(`INSERT INTO ${table} VALUES (${rows[0].map(() => "?").join()})`);
      for (const row of rows) insert.run(...row);
    }
  });
}

function siteOf(repository: TestRepository, catalog: TestCatalog): Site {
  const { root: cwd } = repository;
  const run: Site["run"] = (argv, options) => runCli([...argv, "--server", catalog.url], { cwd, ...options });
  const plan: Site["plan"] = (...flags) => run(["plan", ...flags]);
  return {
    ...repository,
    catalog,
    run,
    plan,
    apply: (...flags) => run(["apply", "--auto-approve", ...flags]),
    planned: async (...flags) => JSON.parse((await plan("--format", "json", ...flags)).stdout) as PlanJson,
    at: (ref = appliedRef) => commitAt(join(cwd, ".git"), ref),
    edit: async (mutation) => {
      const { send, endpoint, close } = connectionTo(catalog.url);
      const body = JSON.stringify({ query: `mutation { ${mutation} }` });
      const response = await send(endpoint.graphql, { body });
      expect(JSON.parse(await response.text())).not.toHaveProperty("errors");
      close();
    },
    aspect: (urn, name) =>
      catalog.aspects().find((row) => row.urn === urn && row.aspect === name && row.version === 0)?.value,
  };
}

// To start git for it takes a hundred times as long, and nothing packs the refs of a test.
function commitAt(git: string, ref: string): string | undefined {
  const file = join(git, ref);
  const text = existsSync(file) ? readFileSync(file, "utf8").trim() : undefined;
  return text?.startsWith("ref: ") ? commitAt(git, text.slice("ref: ".length)) : text;
}

/** Names of files as they stand in the repository. */
export function inCatalog(files: Files): Files {
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [`catalog/${name}`, text]));
}

/** The writes among the requests that reached the catalog: the mutations' texts, and the aspects that were proposed. */
export function writesIn({ requests }: Pick<TestCatalog, "requests">): readonly string[] {
  return requests.flatMap(({ body }) => {
    const { query } = (body ?? {}) as { query?: unknown };
    if (typeof query === "string" && query.startsWith("mutation")) return [query];
    return proposalsOf(body).map(({ aspectName }) => aspectName);
  });
}

/** A metadata change proposal as it is sent. */
export interface SentProposal {
  readonly entityUrn: string;
  readonly aspectName: string;
  readonly changeType: string;
  readonly aspect: { readonly value: string; readonly contentType: string };
  readonly headers?: Readonly<Record<string, string>>;
}

/** The proposals in the body of a request. */
export function proposalsOf(body: unknown): readonly SentProposal[] {
  const { proposal, proposals } = (body ?? {}) as {
    readonly proposal?: SentProposal;
    readonly proposals?: readonly SentProposal[];
  };
  return proposals ?? (proposal ? [proposal] : []);
}
