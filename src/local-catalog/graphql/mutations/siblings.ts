import { textsAt } from "../../json-parts.ts";
import type { Target } from "./mutation-target.ts";
import type { RequestContext } from "../request-context.ts";

/**
 * Does something to a column; where that fails, to the same column of the dataset's siblings, one after the
 * other (SiblingsUtils.java).
 * @throws what the last attempt throws, when none succeeds.
 */
export function withSiblings(
  target: Target,
  { store }: RequestContext,
  attempt: (target: Target) => void,
): void {
  const siblings = textsAt(store.latest(target.resourceUrn, "siblings")?.value, "siblings");
  let failure: unknown;
  for (const resourceUrn of new Set([target.resourceUrn, ...siblings])) {
    try {
      return attempt({ ...target, resourceUrn });
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}
