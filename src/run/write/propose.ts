import { CatalogError } from "../../model/catalog-error.ts";
import { canonicalJson, type JsonObject } from "../../model/json.ts";
import type { Proposal } from "../../model/operation.ts";
import type { AspectClient, AspectWrite, StoredAspect } from "../../datahub/aspect-client.ts";
import { neededForAspectsOf } from "./privileges.ts";
import type { Rechecks } from "./rechecks.ts";
import { applyEdits, type Provenance } from "./apply-edits.ts";
import { patchOf } from "./patch.ts";

const readings = 4;

/** How a proposal is carried out. */
interface ProposeOptions {
  /** The aspect as it was read just now, and the one beside it; without them, they are read first. */
  readonly first?: StoredAspect | undefined;
  readonly firstExtra?: StoredAspect | undefined;
  /** What is left of the proposal once the aspect was read; `undefined` where nothing is. */
  readonly narrow?: (stored: StoredAspect) => Proposal | undefined;
  /** Whose the values are that edits add. */
  readonly provenance?: Provenance | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The further looks at an aspect whose version is refused and is still read, because reads may lag; none by default. */
  readonly looks?: Rechecks | undefined;
}

/**
 * Carries out a proposal: edits the aspect as it was read, and writes what changes, if need be on the condition that it still
 * has the version of that reading. When somebody else was faster it reads again, three times at most. Nothing is written where
 * the edit changes nothing. Returns what went wrong, in words, or nothing. Throws the reason of the signal before it sends more.
 */
export async function propose(
  client: AspectClient,
  asked: Proposal,
  { first, firstExtra, narrow = () => asked, provenance, signal, looks }: ProposeOptions = {},
): Promise<string | undefined> {
  const { urn, aspect } = asked;
  let refusal: string | undefined;
  let before: string | undefined;
  let actor: string | undefined;
  let [next, nextExtra] = [first, firstExtra];
  for (let reading = 0; reading < readings; reading += 1) {
    signal?.throwIfAborted();
    const stored = next ?? (await readFor(client, asked, signal));
    next = undefined;
    const proposal = narrow(stored);
    if (!proposal) return undefined;
    if (refusal !== undefined && stored.version === before) {
      // Where the version is not the cause, the same would be refused again.
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
      beside && storedExtra && wholeOf(beside, storedExtra, provenance),
    ].filter((each) => each !== undefined);
    if (!write) return undefined;
    signal?.throwIfAborted();
    const written = await client.write([write, ...more], signal);
    if (written.status === "written") return undefined;
    if (written.status === "forbidden") return `${written.message}; ${neededForAspectsOf(urn)}`;
    refusal = written.message;
    before = stored.version;
    actor = stored.actor;
  }
  return `${aspect} of ${urn} was changed by others during each attempt, last by ${actor ?? "an unknown actor"}: ${refusal}`;
}

/** Whether the server refused a proposal because the aspect has another version (ConditionalWriteValidator.java). */
function isOtherVersion(refusal: string): boolean {
  return /expected version .*actual version/i.test(refusal);
}

/**
 * What is sent for a proposal by a reading of its aspect: a patch where the server supports it, else the entire aspect on the
 * condition of the version that was read; `undefined` where the edit changes nothing.
 */
export function writeOf(
  proposal: Proposal,
  stored: StoredAspect,
  provenance?: Provenance,
): AspectWrite | undefined {
  const { urn, aspect, isForAnyVersion } = proposal;
  const { version } = stored;
  const whole = wholeOf(proposal, stored, provenance);
  const patch =
    provenance && whole && patchOf(proposal, { stored: stored.value, after: whole.value }, provenance.keeps);
  if (patch === undefined) return whole;
  return { urn, aspect, patch, ...(!isForAnyVersion && { version }) };
}

/** The entire aspect on the condition of the version that was read; `undefined` where the edit changes nothing. */
function wholeOf(
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

/** Whether an aspect is stored as the proposal would leave it, whoever wrote it. */
export function isWritten(proposal: Proposal, stored: StoredAspect): boolean {
  const value = applyEdits(proposal, stored.value);
  return value === undefined || isSame(value, stored);
}

function isSame(value: JsonObject, stored: StoredAspect): boolean {
  return stored.value !== undefined && canonicalJson(value) === canonicalJson(stored.value);
}

/** Reads the aspect. A failure of that is one before anything was written. */
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
 * A refusal with the stored links that may be its cause: the entire aspect is written, and newer servers refuse links that are
 * not `https:` (UrlValidator.java), also those that an older one accepted.
 */
function withInsecureLinks(refusal: string, { set }: Proposal, stored: JsonObject | undefined): string {
  if (!/\b(?:urls?|links?|https?)\b/i.test(refusal)) return refusal;
  const links = Object.entries(stored ?? {}).flatMap(([field, value]) =>
    set[field] === undefined && typeof value === "string" && /^http:/i.test(value)
      ? [`${field} ${value}`]
      : [],
  );
  if (links.length === 0) return refusal;
  return `${refusal} (stored before, and written back unchanged: ${links.join(", ")}; newer servers accept only https links)`;
}
