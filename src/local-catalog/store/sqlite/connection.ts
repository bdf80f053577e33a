/** Opens SQLite databases, works around libsql defects, and reads SQLite error codes. */

import Libsql from "libsql";

/** A value that a statement can bind. Booleans are excluded because they make libsql abort the process. */
export type SqlValue = string | number | null;

/** A prepared statement. The caller guarantees that its rows have the type `Row`. */
interface Statement<Row extends readonly SqlValue[]> {
  get(...values: readonly SqlValue[]): Row | undefined;
  all(...values: readonly SqlValue[]): Row[];
  run(...values: readonly SqlValue[]): void;
}

/** An open SQLite database. */
export interface Sqlite {
  readonly file: string;
  /** Prepares a statement for repeated use. */
  prepare<Row extends readonly SqlValue[] = readonly SqlValue[]>(sql: string): Statement<Row>;
  exec(sql: string): void;
  /**
   * Runs `work` in a write transaction, and rolls the transaction back if `work` throws an error. Inside an open transaction,
   * `work` joins that transaction.
   */
  transaction<T>(work: () => T): T;
  close(): void;
}

/**
 * Opens a database file, or creates it if it does not exist. `:memory:` opens a new database without a file. Checks and counts
 * values before binding them, returns rows as plain tuples, and supports nested transactions.
 */
export function openSqlite(file: string): Sqlite {
  const database = new Libsql(file);
  const begin = prepare(database, "BEGIN IMMEDIATE");
  const commit = prepare(database, "COMMIT");
  const rollback = prepare(database, "ROLLBACK");
  let open = false;
  return {
    file,
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
        // If the disk is full, SQLite has already rolled the transaction back.
        if (database.inTransaction) rollback.run();
        throw error;
      } finally {
        open = false;
      }
    },
    close: () => void database.close(),
  };
}

/** Returns an SQLite error's code, for example `SQLITE_BUSY`. Returns undefined for any other error. */
export function sqliteCode(error: unknown): string | undefined {
  return error instanceof Libsql.SqliteError ? error.code : undefined;
}

function prepare<Row extends readonly SqlValue[]>(database: Libsql.Database, sql: string): Statement<Row> {
  // Compiles a statement on first use, because a small plan does not use most of the store's statements.
  const compiled = (): Libsql.Statement => {
    const statement = database.prepare(sql);
    return statement.reader ? statement.raw() : statement;
  };
  // In libsql, `get` after `all` on the same statement returns a stale row, so each method needs a separate statement.
  let single: Libsql.Statement | undefined;
  let many: Libsql.Statement | undefined;
  const count = sql.split("?").length - 1;
  // Passes the values as a list, because libsql throws an error if the only argument is null.
  return {
    get: (...values) => (single ??= compiled()).get(checked(values, count, sql)) as Row | undefined,
    all: (...values) => (many ??= compiled()).all(checked(values, count, sql)) as Row[],
    run: (...values) => void (single ??= compiled()).run(checked(values, count, sql)),
  };
}

function checked(values: readonly SqlValue[], count: number, sql: string): readonly SqlValue[] {
  // libsql binds a missing value as null without reporting an error.
  if (values.length !== count) throw new TypeError(`Expected ${count} values, got ${values.length}: ${sql}`);
  for (const value of values) {
    const kind = typeof value;
    if (kind !== "string" && kind !== "number" && value !== null)
      throw new TypeError(`Cannot bind a ${kind}: ${sql}`);
    // libsql truncates a string at the first NUL character.
    if (typeof value === "string" && value.includes("\0"))
      throw new TypeError(`Cannot bind a string that contains a NUL character: ${sql}`);
  }
  return values;
}
