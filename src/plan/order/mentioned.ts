import type { Json } from "../../model/json.ts";
import type { Proposal, Request } from "../../model/operation.ts";
import { isUrn, type Urn } from "../../model/urn.ts";

/** The entities that a request names: it cannot be sent without them. */
export function mentionedIn(request: Request): readonly Urn[] {
  const values = request.type === "mutation" ? request.args.map(({ value }) => value) : writtenBy(request);
  const own = request.type === "proposal" ? [request.urn] : [];
  return [...new Set([...own, ...values.flatMap(urnsIn)])];
}

function writtenBy({ set, edits = [] }: Proposal): readonly Json[] {
  return [...Object.values(set), ...edits.flatMap(({ add }) => add.map(({ element }) => element))];
}

function urnsIn(value: Json | undefined): readonly Urn[] {
  if (isUrn(value)) return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(urnsIn) : [];
}
