/**
 * Defines the error classes of commands, one for each exit code (usage, input and runtime errors), and converts failed writes
 * into errors.
 */

import { errorMessage } from "../model/text/error-text.ts";

/** Thrown if the command line is not valid. The exit code is 64. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Thrown if an input file is missing or not valid, or if the requested object does not exist. The exit code is 3. */
export class InputError extends Error {
  override readonly name = "InputError";
  /** The error code in JSON output. */
  readonly code: string;

  constructor(message: string, code = "unusable-file") {
    super(message);
    this.code = code;
  }
}

/** Thrown if something outside the program fails, for example the file system or the server. The exit code is 1. */
export class RunError extends Error {
  override readonly name = "RunError";
  /** The error code in JSON output. */
  readonly code: string;

  constructor(message: string, code = "failed") {
    super(message);
    this.code = code;
  }
}

/** Calls `write`. If the call fails, throws a `RunError` whose message includes the file name. */
export async function writing<T>(name: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw new RunError(`cannot write ${name}: ${errorMessage(error)}`, "unwritable-file");
  }
}
