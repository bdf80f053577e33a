/** Determines whether a request adds elements to a set, removes elements, or does both. */

import type { SetChange } from "../../model/change.ts";
import { nameOfRequest, type Request } from "../../model/operation.ts";

/**
 * Returns the sides of a set change (additions and removals) that a request writes. The name of a mutation shows whether the
 * request adds or removes elements.
 */
export function sidesWrittenBy(request: Request, { add, remove }: SetChange): readonly ("add" | "remove")[] {
  if (remove.length === 0) return ["add"];
  if (add.length === 0) return ["remove"];
  if (request.type === "proposal") return ["add", "remove"];
  return [/remove/i.test(nameOfRequest(request)) ? "remove" : "add"];
}
