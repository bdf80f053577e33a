import type { SetChange } from "../../model/change.ts";
import { nameOfRequest, type Request } from "../../model/operation.ts";

/** The sides of a change that a request carries out: of both, a mutation carries out one, which its name contains. */
export function sidesWrittenBy(request: Request, { add, remove }: SetChange): readonly ("add" | "remove")[] {
  if (remove.length === 0) return ["add"];
  if (add.length === 0) return ["remove"];
  if (request.type === "proposal") return ["add", "remove"];
  return [/remove/i.test(nameOfRequest(request)) ? "remove" : "add"];
}
