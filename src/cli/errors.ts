/**
 * Defines the commands' errors by exit code (wrong usage, unusable input, failed environment), and converts failed writes to
 * errors.
 */

import { errorMessage } from "../model/text/error-text.ts";

/** The command line is wrong: exit 64. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** An input file is missing or not valid, or the requested object does not exist: exit 3. */
export class InputError extends Error {
  override readonly name = "InputError";
  /** The failure's code in JSON. */
  readonly code: string;

  constructor(message: string, code = "unusable-file") {
    super(message);
    this.code = code;
  }
}

/** The environment failed, for example a file or a server: exit 1. */
export class RunError extends Error {
  override readonly name = "RunError";
  /** The failure's code in JSON. */
  readonly code: string;

  constructor(message: string, code = "failed") {
    super(message);
    this.code = code;
  }
}

/** Calls `write`. If that fails, throws a `RunError` whose message names the file. */
export async function writing<T>(name: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw unwritable(name, error);
  }
}

/** Returns the error for a file that cannot be written. */
export function unwritable(name: string, error: unknown): RunError {
  return new RunError(`cannot write ${name}: ${errorMessage(error)}`, "unwritable-file");
}
