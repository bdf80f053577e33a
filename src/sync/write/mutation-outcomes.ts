/** Converts the response to a request with mutations to outcomes, or defers operations that may have been carried out. */

import { type Answer, retryableCodes } from "../../datahub/client.ts";
import { isJsonObject } from "../../model/json.ts";
import type { Operation } from "../../model/operation.ts";
import type { Outcome } from "../../model/report.ts";
import { missingPrivilegeText } from "../read/privileges.ts";
import { countAttempt, defer, deferToFinalCheck, type Run } from "./run-state.ts";

/**
 * Finds the mutation at which the server stopped executing a request. This is the last mutation with an error. If the failed
 * field is not nullable, the response contains no data. The server has then carried out the earlier mutations, but not the later
 * ones (observed with `upsertStructuredProperties`).
 */
export function placeOfEnd({ data, errors }: Answer): number | undefined {
  const places = errors.map(({ path }) => Number(/^o(\d+)$/.exec(String(path?.[0]))?.[1]));
  if (data !== null || places.length === 0 || places.some(Number.isNaN)) return undefined;
  return places.reduce((last, place) => Math.max(last, place));
}

/** Whether the server rejected the entire request. Such an error has no path, for example if the document is too complex. */
export function isEntireRequestRejected({ data, errors }: Answer): boolean {
  return data === null && errors.length > 0 && errors.every(({ path }) => path === undefined);
}

/** Whether the response confirms a mutation, either with `true` or with the entity that was written. */
function isConfirmed({ request }: Operation, answer: unknown): boolean {
  const isOfEntity = request.type === "mutation" && request.selection !== undefined;
  return isOfEntity ? isJsonObject(answer) : answer === true;
}

/**
 * Converts the response to one outcome for each operation, except for operations that are deferred. `end` is the position of the
 * mutation at which the server stopped, if it did.
 */
export function readOutcomes(
  run: Run,
  operations: readonly Operation[],
  { data, errors }: Answer,
  end?: number,
): readonly Outcome[] {
  const general = errors.find(({ path }) => path === undefined)?.message;
  const errorOf = new Map(errors.map((error) => [error.path?.[0], error]));
  return operations.flatMap((operation, index): readonly Outcome[] => {
    const alias = `o${index}`;
    const own = errorOf.get(alias);
    if (own && isServerError(own.code)) {
      const isRetryable = own.code !== undefined && retryableCodes.has(own.code);
      return inDoubt(run, operation, own.message, isRetryable);
    }
    if (own) {
      const error = own.code === 403 ? `${own.message}; ${missingPrivilegeText([operation])}` : own.message;
      return [{ status: "failed", operation, error }];
    }
    if (isConfirmed(operation, data?.[alias])) return [{ status: "applied", operation }];
    if (end !== undefined)
      return inDoubt(run, operation, "the server rejected another change in the same request");
    const error = general ?? "the server did not confirm the change";
    return [{ status: "failed", operation, error }];
  });
}

/**
 * Defers an operation that may have been carried out, and returns no outcome yet. The operation is rechecked, and sent again if a
 * retry can help.
 */
function inDoubt(run: Run, operation: Operation, message: string, isRetryable = true): readonly Outcome[] {
  run.inDoubt.set(operation.id, message);
  const isLeft = isRetryable && countAttempt(run, operation);
  return isLeft ? defer(run, operation, message) : deferToFinalCheck(run, operation, message);
}

/** Whether a status or GraphQL error code means that the effect is unknown. DataHub may store a value before it fails. */
export function isServerError(code = 0): boolean {
  return code >= 500;
}
