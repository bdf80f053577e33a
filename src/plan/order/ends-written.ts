/** Decides whether a request adds elements to a set, removes elements, or both. */

import type { SetChange } from "../../model/change.ts";
import { nameOfRequest, type Request } from "../../model/operation.ts";

/** The sides of a set change that a request carries out. A mutation carries out one side, and its name contains it. */
export function sidesWrittenBy(request: Request, { add, remove }: SetChange): readonly ("add" | "remove")[] {
  if (remove.length === 0) return ["add"];
  if (add.length === 0) return ["remove"];
  if (request.type === "proposal") return ["add", "remove"];
  return [/remove/i.test(nameOfRequest(request)) ? "remove" : "add"];
}
