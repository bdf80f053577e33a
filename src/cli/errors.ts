/** The command was called in a way that it cannot follow: exit 64. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** A file that was named is not what it must be: exit 3. */
export class InputError extends Error {
  override readonly name = "InputError";
}

/** Something outside went wrong in a way that the message explains: exit 1. */
export class RunError extends Error {
  override readonly name = "RunError";
}
