import { canonicalJson, type JsonObject } from "../../model/json.ts";
import { LocalCatalogError } from "../errors.ts";
import { openSqlite, type Sqlite } from "./sqlite.ts";

/** What DataHub keeps beside an aspect's value; `version` counts the writes of the aspect, as text. */
interface SystemMetadata extends JsonObject {
  readonly version: string;
}

/** Who writes, when, and in which run; the store adds the version. */
export interface AuditTrail {
  readonly actor: string;
  readonly time: number;
  readonly systemMetadata: JsonObject;
}

/** The latest value of one aspect with what is kept beside it. */
export interface StoredAspect {
  readonly value: JsonObject;
  readonly systemMetadata: SystemMetadata;
  /** When and by whom this value was written. */
  readonly created: { readonly time: number; readonly actor: string };
}

/** Aspects by (urn, aspect, version), durable. Every call is done when it returns. */
export interface AspectStore {
  /** A random id that stays with the data directory. */
  readonly id: string;
  latest(urn: string, aspect: string): StoredAspect | undefined;
  /** The value at a version: 0 for the latest, else one of the history. */
  valueAt(urn: string, aspect: string, version: number): JsonObject | undefined;
  has(urn: string, aspect: string): boolean;
  /** The aspects of an entity at their latest, by name, in order. */
  latestOf(urn: string): ReadonlyMap<string, StoredAspect>;
  /** The URNs that begin with `prefix` (which ends in an ASCII character) and have the aspect, in order. */
  urnsWith(aspect: string, prefix: string): readonly string[];
  /** Calls `found` with each latest value that there is of these URNs and aspects, in one query. */
  eachLatest(urns: readonly string[], aspects: readonly string[], found: FoundAspect): void;
  /** The same for one aspect of every URN that begins with `prefix`, which ends in an ASCII character. */
  eachLatestUnder(prefix: string, aspect: string, found: FoundAspect): void;
  /** Calls `found` with each latest value that holds this text as a whole somewhere, in the order of URNs. */
  eachContaining(text: string, found: FoundAspect): void;
  /** Names of the aspects that an entity has, sorted. */
  aspectNames(urn: string): readonly string[];
  /**
   * Stores a new latest value and moves the one before into the history. A value equal to the latest changes
   * nothing at all, and the answer is false: DataHub makes no new version either (EntityServiceImpl, isNoOp).
   */
  put(urn: string, aspect: string, value: JsonObject, audit: AuditTrail): boolean;
  /** Removes one aspect with its history; false when there is none. */
  deleteAspect(urn: string, aspect: string): boolean;
  /** Removes an entity, all its aspects with their history. Answers how many aspects it had. */
  deleteEntity(urn: string): number;
  /** All that `work` writes, or nothing of it. */
  transaction<T>(work: () => T): T;
  /** Brings the write-ahead log into the database file and closes it. */
  close(): void;
}

/** Called with one latest value. */
type FoundAspect = (urn: string, aspect: string, value: JsonObject) => void;

const formatVersion = 1;

/**
 * Opens the store in a database file, making it when it is new.
 * @throws LocalCatalogError when a newer version of this program wrote the file.
 */
export function openAspectStore(file: string, newId: () => string): AspectStore {
  const database = openSqlite(file);
  prepareDatabase(database, file, newId);
  const idRow = database.prepare<[string]>("SELECT value FROM catalog WHERE key = 'id'").get();
  const id = idRow?.[0] ?? "";
  return { id, ...reads(database), put: writer(database), ...removals(database), ...lifecycle(database) };
}

// In write-ahead mode NORMAL syncs at checkpoints only: a commit survives the end of the process in any way,
// though perhaps not that of the machine.
function prepareDatabase(database: Sqlite, file: string, newId: () => string): void {
  database.prepare("PRAGMA journal_mode = WAL").get();
  database.exec("PRAGMA synchronous = NORMAL");
  const version = database.prepare<[number]>("PRAGMA user_version").get()?.[0] ?? 0;
  if (version > formatVersion)
    throw new LocalCatalogError(
      `${file} was written by a newer version of datahub-gitops. Use that one, or another data directory.`,
    );
  if (version === formatVersion) return;
  database.transaction(() => {
    database.exec(
      "CREATE TABLE catalog (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;" +
        "CREATE TABLE aspect (urn TEXT NOT NULL, aspect TEXT NOT NULL, version INTEGER NOT NULL, value TEXT NOT NULL," +
        " system_metadata TEXT NOT NULL, created_on INTEGER NOT NULL, created_by TEXT NOT NULL," +
        " PRIMARY KEY (urn, aspect, version))",
    );
    database.prepare("INSERT INTO catalog VALUES ('id', ?)").run(newId());
    database.exec(`PRAGMA user_version = ${formatVersion}`);
  });
}

const storedColumns = "value, system_metadata, created_on, created_by";
type StoredColumns = [value: string, systemMetadata: string, createdOn: number, createdBy: string];

function storedAspect([value, systemMetadata, time, actor]: StoredColumns): StoredAspect {
  return {
    value: parseObject(value),
    systemMetadata: parseObject(systemMetadata) as SystemMetadata,
    created: { time, actor },
  };
}

function reads(database: Sqlite) {
  const latest = database.prepare<StoredColumns>(
    `SELECT ${storedColumns} FROM aspect WHERE urn = ? AND aspect = ? AND version = 0`,
  );
  const latestOf = database.prepare<[...StoredColumns, string]>(
    `SELECT ${storedColumns}, aspect FROM aspect WHERE urn = ? AND version = 0 ORDER BY aspect`,
  );
  const urnsWith = database.prepare<[string]>(
    "SELECT urn FROM aspect WHERE urn >= ? AND urn < ? AND aspect = ? AND version = 0 ORDER BY urn",
  );
  const valueAt = database.prepare<[string]>(
    "SELECT value FROM aspect WHERE urn = ? AND aspect = ? AND version = ?",
  );
  const has = database.prepare<[number]>("SELECT 1 FROM aspect WHERE urn = ? AND aspect = ? AND version = 0");
  const many = database.prepare<[string, string, string]>(
    "SELECT urn, aspect, value FROM aspect WHERE urn IN (SELECT value FROM json_each(?))" +
      " AND aspect IN (SELECT value FROM json_each(?)) AND version = 0",
  );
  const under = database.prepare<[string, string, string]>(
    "SELECT urn, aspect, value FROM aspect WHERE urn >= ? AND urn < ? AND aspect = ? AND version = 0 ORDER BY urn",
  );
  const holding = database.prepare<[string, string, string]>(
    "SELECT urn, aspect, value FROM aspect WHERE version = 0 AND instr(value, ?) > 0 ORDER BY urn, aspect",
  );
  const names = database.prepare<[string]>(
    "SELECT aspect FROM aspect WHERE urn = ? AND version = 0 ORDER BY aspect",
  );
  return {
    latest(urn, aspect) {
      const row = latest.get(urn, aspect);
      return row && storedAspect(row);
    },
    latestOf: (urn) =>
      new Map(latestOf.all(urn).map(([a, b, c, d, aspect]) => [aspect, storedAspect([a, b, c, d])])),
    urnsWith: (aspect, prefix) => urnsWith.all(prefix, successor(prefix), aspect).map(([urn]) => urn),
    valueAt(urn, aspect, version) {
      const row = valueAt.get(urn, aspect, version);
      return row && parseObject(row[0]);
    },
    has: (urn, aspect) => has.get(urn, aspect) !== undefined,
    eachLatest(urns, aspects, found) {
      report(many.all(JSON.stringify(urns), JSON.stringify(aspects)), found);
    },
    eachLatestUnder(prefix, aspect, found) {
      report(under.all(prefix, successor(prefix), aspect), found);
    },
    eachContaining(text, found) {
      report(holding.all(JSON.stringify(text)), found);
    },
    aspectNames: (urn) => names.all(urn).map(([aspect]) => aspect),
  } satisfies Partial<AspectStore>;
}

function report(rows: readonly (readonly [string, string, string])[], found: FoundAspect): void {
  for (const [urn, aspect, value] of rows) found(urn, aspect, parseObject(value));
}

function writer(database: Sqlite): AspectStore["put"] {
  const stored = database.prepare<[string, string]>(
    "SELECT value, system_metadata FROM aspect WHERE urn = ? AND aspect = ? AND version = 0",
  );
  const archive = database.prepare(
    "UPDATE aspect SET version = ? WHERE urn = ? AND aspect = ? AND version = 0",
  );
  const insert = database.prepare("INSERT INTO aspect VALUES (?, ?, 0, ?, ?, ?, ?)");
  return (urn, aspect, value, { actor, time, systemMetadata }) =>
    database.transaction(() => {
      const before = stored.get(urn, aspect);
      const text = JSON.stringify(value);
      if (before && isSameJson(before[0], text, value)) return false;
      const writes = before ? Number((parseObject(before[1]) as SystemMetadata).version) : 0;
      // The number of writes so far is the next free place in the history.
      if (before) archive.run(writes, urn, aspect);
      const metadata = JSON.stringify({ ...systemMetadata, version: String(writes + 1) });
      insert.run(urn, aspect, text, metadata, time, actor);
      return true;
    });
}

function removals(database: Sqlite) {
  const has = database.prepare<[number]>("SELECT 1 FROM aspect WHERE urn = ? AND aspect = ? AND version = 0");
  const count = database.prepare<[number]>("SELECT count(*) FROM aspect WHERE urn = ? AND version = 0");
  const aspect = database.prepare("DELETE FROM aspect WHERE urn = ? AND aspect = ?");
  const entity = database.prepare("DELETE FROM aspect WHERE urn = ?");
  return {
    deleteAspect: (urn, name) =>
      database.transaction(() => {
        const there = has.get(urn, name) !== undefined;
        if (there) aspect.run(urn, name);
        return there;
      }),
    deleteEntity: (urn) =>
      database.transaction(() => {
        const [aspects] = count.get(urn) ?? [0];
        entity.run(urn);
        return aspects;
      }),
  } satisfies Partial<AspectStore>;
}

function lifecycle(database: Sqlite) {
  return {
    transaction: (work) => database.transaction(work),
    close() {
      database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").all();
      database.close();
    },
  } satisfies Partial<AspectStore>;
}

function isSameJson(before: string, text: string, value: JsonObject): boolean {
  return (
    before === text ||
    (before.length === text.length && canonicalJson(parseObject(before)) === canonicalJson(value))
  );
}

function parseObject(text: string): JsonObject {
  return JSON.parse(text) as JsonObject;
}

function successor(prefix: string): string {
  return prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
}
