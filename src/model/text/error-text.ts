/** Returns the message and the system code for any thrown value. */

/** Returns an error's message; any other thrown value as a text. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns the system's name for a failure, if it has one: `ENOENT`, `EACCES`, … */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
