/**
 * Edits one aspect with optimistic locking, and checks whether an edit has been written. With optimistic locking, the server
 * writes the aspect only if its version has not changed since it was read.
 */

import { CatalogError } from "../../model/catalog-error.ts";
import { canonicalJson, type JsonObject } from "../../model/json.ts";
import type { Proposal } from "../../model/operation.ts";
import type { AspectClient, AspectWrite, StoredAspect } from "../../datahub/aspect-client.ts";
import { missingAspectPrivilegeText } from "../read/privileges.ts";
import type { Rechecks } from "./rechecks.ts";
import { applyEdits, type Provenance } from "./apply-edits.ts";
import { patchOf } from "./patch.ts";

const maxReadings = 4;

interface ProposeOptions {
  /** The aspect, and a second aspect to write together with it, if they have just been read. */
  readonly first?: StoredAspect | undefined;
  readonly firstExtra?: StoredAspect | undefined;
  /** Removes edits that are already done or stale according to the stored aspect. Returns `undefined` if none remains. */
  readonly narrow?: (stored: StoredAspect) => Proposal | undefined;
  /** The attribution for values that edits add. */
  readonly provenance?: Provenance | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * Allows additional reads if the server rejects the version that it still returns, because reads may lag. By default, no
   * additional reads are allowed.
   */
  readonly looks?: Rechecks | undefined;
}

/**
 * Edits an aspect based on its stored value, and writes the result if it differs. Requires an unchanged version if necessary. If
 * someone else changes the aspect first, rereads it up to three times. Returns an error message, or `undefined` after success. If
 * the signal is aborted, throws its reason before the next request.
 */
export async function propose(
  client: AspectClient,
  requested: Proposal,
  { first, firstExtra, narrow = () => requested, provenance, signal, looks }: ProposeOptions = {},
): Promise<string | undefined> {
  const { urn, aspect } = requested;
  let refusal: string | undefined;
  let before: string | undefined;
  let actor: string | undefined;
  let [next, nextExtra] = [first, firstExtra];
  for (let reading = 0; reading < maxReadings; reading += 1) {
    signal?.throwIfAborted();
    const stored = next ?? (await readFor(client, requested, signal));
    next = undefined;
    const proposal = narrow(stored);
    if (!proposal) return undefined;
    if (refusal !== undefined && stored.version === before) {
      // If the version is not the cause, the server would reject the same write again.
      if (!isOtherVersion(refusal) || !(await looks?.next([urn])))
        return withInsecureLinks(refusal, proposal, stored.value);
      reading -= 1;
      continue;
    }
    const { beside } = proposal;
    const storedExtra = beside && (nextExtra ?? (await readFor(client, beside, signal)));
    nextExtra = undefined;
    const [write, ...more] = [
      writeOf(proposal, stored, provenance),
      beside && storedExtra && fullWriteOf(beside, storedExtra, provenance),
    ].filter((each) => each !== undefined);
    if (!write) return undefined;
    signal?.throwIfAborted();
    const written = await client.write([write, ...more], signal);
    if (written.status === "written") return undefined;
    if (written.status === "forbidden") return `${written.message}; ${missingAspectPrivilegeText(urn)}`;
    refusal = written.message;
    before = stored.version;
    actor = stored.actor;
  }
  return `other users or tools changed ${aspect} of ${urn} during each attempt, most recently ${actor ?? "an unknown actor"}: ${refusal}`;
}

/** Whether the server rejected a proposal because the aspect has a different version (ConditionalWriteValidator.java). */
function isOtherVersion(refusal: string): boolean {
  return /expected version .*actual version/i.test(refusal);
}

/**
 * Computes the write for a proposal from the stored aspect. The write is a patch if the server supports it. Otherwise, the write
 * replaces the entire aspect, on the condition that its version is unchanged. Returns `undefined` if the edit changes nothing.
 */
export function writeOf(
  proposal: Proposal,
  stored: StoredAspect,
  provenance?: Provenance,
): AspectWrite | undefined {
  const { urn, aspect, isForAnyVersion } = proposal;
  const { version } = stored;
  const fullWrite = fullWriteOf(proposal, stored, provenance);
  const patch =
    provenance &&
    fullWrite &&
    patchOf(proposal, { stored: stored.value, after: fullWrite.value }, provenance.keeps);
  if (patch === undefined) return fullWrite;
  return { urn, aspect, patch, ...(!isForAnyVersion && { version }) };
}

/**
 * Returns a write that replaces the entire aspect on the condition that its version is unchanged. Returns `undefined` if the edit
 * changes nothing.
 */
function fullWriteOf(
  proposal: Proposal,
  stored: StoredAspect,
  provenance: Provenance | undefined,
): (AspectWrite & { readonly value: JsonObject }) | undefined {
  const { urn, aspect } = proposal;
  const value = applyEdits(proposal, stored.value, provenance && { ...provenance, time: Date.now() });
  return value === undefined || isSame(value, stored)
    ? undefined
    : { urn, aspect, value, version: stored.version };
}

/** Whether a stored aspect equals the proposal's result, regardless of who wrote it. */
export function isWritten(proposal: Proposal, stored: StoredAspect): boolean {
  const value = applyEdits(proposal, stored.value);
  return value === undefined || isSame(value, stored);
}

function isSame(value: JsonObject, stored: StoredAspect): boolean {
  return stored.value !== undefined && canonicalJson(value) === canonicalJson(stored.value);
}

/** Reads the aspect. If this fails, the error indicates that nothing was written. */
async function readFor(
  client: AspectClient,
  { urn, aspect }: Proposal,
  signal: AbortSignal | undefined,
): Promise<StoredAspect> {
  try {
    return await client.read(urn, aspect, signal);
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    throw new CatalogError(error.failure, error.message, { ...error.details, isUndone: true });
  }
}

/**
 * Adds stored links to a rejection message if they may have caused the rejection. The entire aspect is written, and newer servers
 * reject links other than `https:` (UrlValidator.java), even if an older server accepted them.
 */
function withInsecureLinks(refusal: string, { set }: Proposal, stored: JsonObject | undefined): string {
  if (!/\b(?:urls?|links?|https?)\b/i.test(refusal)) return refusal;
  const links = Object.entries(stored ?? {}).flatMap(([field, value]) =>
    set[field] === undefined && typeof value === "string" && /^http:/i.test(value)
      ? [`${field} ${value}`]
      : [],
  );
  if (links.length === 0) return refusal;
  return `${refusal} (these links were already stored, and newer servers accept only https links: ${links.join(", ")})`;
}
