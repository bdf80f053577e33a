/** Uses the error message of a failed read to recognize entities that the token is not allowed to view. */

/** The reason that is reported if the token is not allowed to view an entity. */
export const notViewable =
  "this token may not view it; the token's user needs the View Entity Page privilege (VIEW_ENTITY_PAGE)";

/** Whether an entity could not be read because the token is not allowed to view it or its container. */
export function isRestricted(reason: string): boolean {
  return reason.endsWith(notViewable);
}

/** Creates the problem for an entity that could not be read: either it is restricted, or the read failed. */
export function readProblem<Args extends { readonly error: string }>(
  args: Args,
): { readonly code: "restricted" | "read-failed"; readonly args: Args } {
  return { code: isRestricted(args.error) ? "restricted" : "read-failed", args };
}

/** Counts the reasons that report a missing privilege to view an entity. */
export function countRestricted(reasons: Iterable<string>): number {
  return [...reasons].filter(isRestricted).length;
}
