/** Decides whether a request adds elements to a set, removes elements, or both. */

import type { SetChange } from "../../model/change.ts";
import { nameOfRequest, type Request } from "../../model/operation.ts";

/** Returns which parts of a set change a request carries out. A mutation's name says whether it adds or removes. */
export function sidesWrittenBy(request: Request, { add, remove }: SetChange): readonly ("add" | "remove")[] {
  if (remove.length === 0) return ["add"];
  if (add.length === 0) return ["remove"];
  if (request.type === "proposal") return ["add", "remove"];
  return [/remove/i.test(nameOfRequest(request)) ? "remove" : "add"];
}
