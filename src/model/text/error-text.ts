/** The message and the system code of anything that was thrown. */

/** The message of an error; any other thrown value as a text. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The system's name for a failure, if it has one: `ENOENT`, `EACCES`, … */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
