import Libsql from "libsql";

/** What may be bound to a statement. Booleans are left out on purpose: libsql aborts the process on them. */
export type SqlValue = string | number | null;

/** A prepared statement whose rows are tuples of the given type. */
interface Statement<Row extends readonly SqlValue[]> {
  get(...values: readonly SqlValue[]): Row | undefined;
  all(...values: readonly SqlValue[]): Row[];
  run(...values: readonly SqlValue[]): void;
}

/** An open database. */
export interface Sqlite {
  /** Prepares a statement once; the caller keeps it. */
  prepare<Row extends readonly SqlValue[] = readonly SqlValue[]>(sql: string): Statement<Row>;
  exec(sql: string): void;
  /** Runs `work` in one write transaction: committed when it returns, undone when it throws. Inside another one it joins that. */
  transaction<T>(work: () => T): T;
  close(): void;
}

/**
 * Opens (or makes) a database file. A thin wrapper that works round libsql's traps: values are checked and
 * counted before they are bound, rows come as plain tuples, transactions may be nested.
 */
export function openSqlite(file: string): Sqlite {
  const database = new Libsql(file);
  const begin = prepare(database, "BEGIN IMMEDIATE");
  const commit = prepare(database, "COMMIT");
  const rollback = prepare(database, "ROLLBACK");
  let open = false;
  return {
    prepare: (sql) => prepare(database, sql),
    exec: (sql) => void database.exec(sql),
    transaction(work) {
      if (open) return work();
      begin.run();
      open = true;
      try {
        const result = work();
        commit.run();
        return result;
      } catch (error) {
        // SQLite has undone it by itself when the disk is full.
        if (database.inTransaction) rollback.run();
        throw error;
      } finally {
        open = false;
      }
    },
    close: () => void database.close(),
  };
}

/** The code of an SQLite error, such as `SQLITE_BUSY`; undefined for any other value. */
export function sqliteCode(error: unknown): string | undefined {
  return error instanceof Libsql.SqliteError ? error.code : undefined;
}

function prepare<Row extends readonly SqlValue[]>(database: Libsql.Database, sql: string): Statement<Row> {
  // After `all` a statement of libsql answers the next `get` with a row of before, so each has one of its own.
  const single = database.prepare(sql);
  const many = single.reader ? database.prepare(sql).raw() : single;
  if (single.reader) single.raw();
  const count = sql.split("?").length - 1;
  // One list is bound as it is, where a single null would throw.
  return {
    get: (...values) => single.get(checked(values, count, sql)) as Row | undefined,
    all: (...values) => many.all(checked(values, count, sql)) as Row[],
    run: (...values) => void single.run(checked(values, count, sql)),
  };
}

function checked(values: readonly SqlValue[], count: number, sql: string): readonly SqlValue[] {
  // libsql binds a missing value as null and says nothing.
  if (values.length !== count) throw new TypeError(`Expected ${count} values, got ${values.length}: ${sql}`);
  for (const value of values) {
    const kind = typeof value;
    if (kind !== "string" && kind !== "number" && value !== null)
      throw new TypeError(`Cannot bind a ${kind}: ${sql}`);
    // It takes the first zero character for the end of the text.
    if (typeof value === "string" && value.includes("\0"))
      throw new TypeError(`Cannot bind a text with a zero character: ${sql}`);
  }
  return values;
}
