/**
 * Before a write, records the elements that it will remove and that manifests cannot fully express, so that a rollback can
 * restore them.
 */

import { removedWithMoreFields } from "../../facets/stored-elements.ts";
import { aspectOf, writesFor } from "../../facets/writes.ts";
import { isSetChange } from "../../model/change.ts";
import { canonicalJson, isJsonObject } from "../../model/json.ts";
import type { AspectPlace, Edit, Operation } from "../../model/operation.ts";
import type { Outcome } from "../../model/report.ts";
import type { StoredAspect } from "../../datahub/aspect-client.ts";
import { parseJson, stringifyWithDigits } from "../../datahub/json-text.ts";
import type { Run } from "./run-state.ts";

/** Maximum size of an operation's recorded elements, in characters of JSON. */
const maxKept = 100_000;

/** Returns the value of an aspect. Numbers are strings if JavaScript would lose digits. */
export function exactValueOf({ value }: StoredAspect): unknown {
  return value && parseJson(stringifyWithDigits(value));
}

/**
 * Records the elements that an operation will remove, as last read before the write. Records only elements that manifests cannot
 * express completely. `aspect` is a result of `exactValueOf`.
 */
export function keepRemoved({ removed }: Run, operation: Operation, aspect: unknown): void {
  const { id } = operation;
  if (!isJsonObject(aspect)) return;
  const fuller = removedWithMoreFields(aspect, editsOf(operation));
  if (fuller.length > 0) removed.set(id, canonicalJson(fuller).length > maxKept ? null : fuller);
}

function editsOf({ request, removes, changes }: Operation): readonly Edit[] {
  if (request.type === "proposal") return request.edits ?? [];
  const writes = changes
    .filter(isSetChange)
    .flatMap((change) => writesFor({ ...change, add: [], remove: removes ?? [] }, "conditional"));
  return writes.flatMap((write) => (write.request.type === "proposal" ? (write.request.edits ?? []) : []));
}

/** Returns the aspects from which mutations remove elements. */
export function removedFromBy(operations: readonly Operation[]): readonly AspectPlace[] {
  const removing = operations.filter(({ request, removes }) => request.type === "mutation" && removes);
  return removing.flatMap(({ changes }) => changes.flatMap(aspectOf));
}

/** Adds removed elements to the outcome of their operation. */
export function withRemoved(outcome: Outcome, { removed }: Run): Outcome {
  const stored = removed.get(outcome.operation.id);
  return outcome.status === "applied" && stored !== undefined ? { ...outcome, stored } : outcome;
}
