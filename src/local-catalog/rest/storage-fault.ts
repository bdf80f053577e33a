import { messageOf } from "../errors.ts";
import { sqliteCode } from "../store/sqlite/connection.ts";

/** The response to a request that failed because the storage cannot be written. */
export interface StorageFault {
  readonly status: number;
  readonly message: string;
}

/**
 * The response if the storage cannot be written; undefined for any other error. The status is 507, because DataHub's
 * clients retry a 500 for half a minute.
 */
export function storageFault(error: unknown): StorageFault | undefined {
  const code = sqliteCode(error) ?? "";
  if (!/^SQLITE_(FULL|IOERR|READONLY)/.test(code)) return undefined;
  return {
    status: 507,
    message: `The catalog cannot write to its storage (${messageOf(error)}). Nothing was written.`,
  };
}
