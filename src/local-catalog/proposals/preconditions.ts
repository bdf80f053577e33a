/** Checks the preconditions of proposals, and determines whether to skip or reject a conflicting creation. */

import { isJsonObject } from "../../model/json.ts";
import type { AspectStore, StoredAspect } from "../store/aspect-store.ts";
import { entityTypeFor } from "../registry/entity-urn.ts";
import type { Proposal } from "./proposal.ts";
import { malformed, RequestError } from "../errors.ts";

/**
 * Returns whether the state before the batch meets a proposal's preconditions. The result is false if the entity or aspect to
 * create already exists and `If-None-Match: *` requests that the creation be skipped (CreateIfNotExistsValidator.java,
 * ConditionalWriteValidator.java).
 * @throws RequestError when any other precondition fails.
 */
export function meetsPreconditions(store: AspectStore, proposal: Proposal): boolean {
  if (proposal.changeType === "RESTATE") return true;
  const conflict = conflictOfCreation(store, proposal);
  if (conflict !== undefined) {
    if (proposal.headers["if-none-match"] === "*") return false;
    throw failed(proposal, conflict);
  }
  const stored = store.latest(proposal.urn, proposal.aspect);
  checkVersion(proposal, stored);
  checkTimes(proposal, stored);
  return true;
}

function conflictOfCreation(store: AspectStore, { urn, aspect, changeType }: Proposal): string | undefined {
  if (changeType === "CREATE_ENTITY" && store.has(urn, entityTypeFor(urn).keyAspect))
    return "Cannot perform CREATE_ENTITY if not exists since the entity key already exists.";
  if (changeType === "CREATE" && store.has(urn, aspect))
    return "Cannot perform CREATE since the aspect already exists.";
  return undefined;
}

function checkVersion(proposal: Proposal, stored: StoredAspect | undefined): void {
  const expected = proposal.headers["if-version-match"];
  // As in DataHub, the version is not checked for a generic patch.
  if (expected === undefined || isGenericPatch(proposal)) return;
  const actual = stored?.systemMetadata.version ?? "-1";
  if (!/^-?\d+$/.test(expected) || Number(expected) !== Number(actual))
    throw failed(proposal, `Expected version ${expected}, actual version ${actual}`);
}

/** Creates the error with DataHub's message, which ends with the reason (ValidationExceptionCollection.java). */
function failed({ urn, aspect, changeType }: Proposal, reason: string): RequestError {
  return new RequestError(
    "precondition",
    `ValidationExceptionCollection{EntityAspect:(${urn},${aspect}) Exceptions: [AspectValidationException(changeType=${changeType}, entityUrn=${urn}, aspectName=${aspect}, subType=PRECONDITION, msg=${reason})]}`,
  );
}

function isGenericPatch({ changeType, value }: Proposal): boolean {
  const { arrayPrimaryKeys: keys, forceGenericPatch } = value;
  const namesKeys = isJsonObject(keys) && Object.keys(keys).length > 0;
  return changeType === "PATCH" && (namesKeys || forceGenericPatch === true);
}

function checkTimes(proposal: Proposal, stored: StoredAspect | undefined): void {
  const written = stored?.created.time ?? Number.NEGATIVE_INFINITY;
  const since = timeOf(proposal.headers, "if-modified-since");
  const until = timeOf(proposal.headers, "if-unmodified-since");
  if (since !== undefined && written <= since)
    throw failed(proposal, "Item last modified before If-Modified-Since");
  if (until !== undefined && written > until)
    throw failed(proposal, "Item last modified after If-Unmodified-Since");
}

function timeOf(headers: Proposal["headers"], name: string): number | undefined {
  const text = headers[name];
  if (text === undefined) return undefined;
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw malformed(`${name} is not an ISO 8601 date and time: ${text}`);
  return time;
}
