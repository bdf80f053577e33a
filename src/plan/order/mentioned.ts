import type { Json } from "../../model/json.ts";
import type { Request } from "../../model/operation.ts";
import { isUrn, type Urn } from "../../model/urn.ts";

/** The entities that a request names: it cannot be sent without them. */
export function mentionedIn(request: Request): readonly Urn[] {
  const values =
    request.type === "mutation" ? request.args.map(({ value }) => value) : Object.values(request.set);
  const own = request.type === "proposal" ? [request.urn] : [];
  return [...new Set([...own, ...values.flatMap(urnsIn)])];
}

function urnsIn(value: Json | undefined): readonly Urn[] {
  if (isUrn(value)) return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(urnsIn) : [];
}
