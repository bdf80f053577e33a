/** Why an entity is not known that the token may not view. */
export const notViewable =
  "this token may not view it; its user needs the privilege View Entity Page (VIEW_ENTITY_PAGE)";

/** Whether an entity could not be read because the token may not view it, or what it is in, by the reason. */
export function isRestricted(reason: string): boolean {
  return reason.endsWith(notViewable);
}

/** The fault of an entity that could not be read: it is restricted, or its reading failed. */
export function unreadFault<Args extends { readonly error: string }>(
  args: Args,
): { readonly code: "restricted" | "read-failed"; readonly args: Args } {
  return { code: isRestricted(args.error) ? "restricted" : "read-failed", args };
}

/** How many of some reasons are that the token may not view an entity. */
export function countRestricted(reasons: Iterable<string>): number {
  return [...reasons].filter(isRestricted).length;
}
