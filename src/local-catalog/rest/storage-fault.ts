import { sqliteCode } from "../store/sqlite.ts";

/** An answer to a request that the storage did not let through. */
export interface StorageFault {
  readonly status: number;
  readonly message: string;
}

/**
 * The answer when nothing more can be stored; undefined for any other error. 507 and not 500, which DataHub's
 * clients try again for half a minute.
 */
export function storageFault(error: unknown): StorageFault | undefined {
  const code = sqliteCode(error) ?? "";
  if (!/^SQLITE_(FULL|IOERR|READONLY)/.test(code)) return undefined;
  const reason = error instanceof Error ? error.message : code;
  return {
    status: 507,
    message: `The catalog cannot store anything (${reason}). Nothing of this was written.`,
  };
}
