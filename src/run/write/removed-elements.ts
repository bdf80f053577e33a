import { fullerAmongRemoved } from "../../facets/stored-elements.ts";
import { aspectOf, writesFor } from "../../facets/writes.ts";
import { isSetChange } from "../../model/change.ts";
import { canonicalJson, isJsonObject } from "../../model/json.ts";
import type { Edit, Operation, Proposal } from "../../model/operation.ts";
import type { Outcome } from "../../model/report.ts";
import type { StoredAspect } from "../../datahub/aspect-client.ts";
import { parseJson, stringifyKept } from "../../datahub/json-text.ts";
import type { Run } from "./run-state.ts";

/** How much of what an operation removes is kept beside its values, in characters of JSON. */
const maxKept = 100_000;

/** Keeps what an operation is about to remove from an aspect, as it was read right before, if manifests cannot express all of it. */
export function keepRemoved(
  { removed }: Pick<Run, "removed">,
  operation: Operation,
  { value }: Pick<StoredAspect, "value">,
): void {
  const { id } = operation;
  // Numbers that JavaScript cannot represent are their digits, as everywhere.
  const aspect = value && parseJson(stringifyKept(value));
  if (!isJsonObject(aspect)) return;
  const fuller = fullerAmongRemoved(aspect, editsOf(operation));
  if (fuller.length > 0) removed.set(id, canonicalJson(fuller).length > maxKept ? null : fuller);
}

function editsOf({ request, removes, changes }: Operation): readonly Edit[] {
  if (request.type === "proposal") return request.edits ?? [];
  const writes = changes
    .filter(isSetChange)
    .flatMap((change) => writesFor({ ...change, add: [], remove: removes ?? [] }, "conditional"));
  return writes.flatMap((write) => (write.request.type === "proposal" ? (write.request.edits ?? []) : []));
}

/** The aspects from which operations remove elements with mutations. */
export function removedFromBy(operations: readonly Operation[]): readonly Pick<Proposal, "urn" | "aspect">[] {
  const removing = operations.filter(({ request, removes }) => request.type === "mutation" && removes);
  return removing.flatMap(({ changes }) => changes.flatMap(aspectOf));
}

/** An outcome with what its operation removed. */
export function withRemoved(outcome: Outcome, { removed }: Run): Outcome {
  const stored = removed.get(outcome.operation.id);
  return outcome.status === "applied" && stored !== undefined ? { ...outcome, stored } : outcome;
}
