/** Entities that the token may not view: the reason, and how to recognize it. */

/** The reason why an entity is unknown if the token may not view it. */
export const notViewable =
  "this token may not view it; its user needs the privilege View Entity Page (VIEW_ENTITY_PAGE)";

/** Whether an entity could not be read because the token may not view it or its container, judged by the reason. */
export function isRestricted(reason: string): boolean {
  return reason.endsWith(notViewable);
}

/** The problem of an entity that could not be read: it is restricted, or the read failed. */
export function readProblem<Args extends { readonly error: string }>(
  args: Args,
): { readonly code: "restricted" | "read-failed"; readonly args: Args } {
  return { code: isRestricted(args.error) ? "restricted" : "read-failed", args };
}

/** The number of these reasons that name a missing right to view an entity. */
export function countRestricted(reasons: Iterable<string>): number {
  return [...reasons].filter(isRestricted).length;
}
