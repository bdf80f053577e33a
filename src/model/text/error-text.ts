/** Extracts the message and the system error code from any thrown value. */

/** Returns the message of an error. Converts any other thrown value to a string. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns the system error code, such as `ENOENT` or `EACCES`, if the error has one. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
