/** Recognizes entities that the token may not view, by the reason why they could not be read. */

/** The reason why an entity is unknown if the token may not view it. */
export const notViewable =
  "this token may not view it; its user needs the privilege View Entity Page (VIEW_ENTITY_PAGE)";

/** Whether the given reason says that the token may not view an entity or its container. */
export function isRestricted(reason: string): boolean {
  return reason.endsWith(notViewable);
}

/** Makes the problem for an entity that could not be read: it is restricted, or the read failed. */
export function readProblem<Args extends { readonly error: string }>(
  args: Args,
): { readonly code: "restricted" | "read-failed"; readonly args: Args } {
  return { code: isRestricted(args.error) ? "restricted" : "read-failed", args };
}

/** Counts the reasons that name a missing right to view an entity. */
export function countRestricted(reasons: Iterable<string>): number {
  return [...reasons].filter(isRestricted).length;
}
