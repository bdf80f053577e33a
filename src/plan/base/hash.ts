/** Computes SHA-256 digests: the digest of a plan, and the seals of stored documents. */

import { createHash, hash, type Hash } from "node:crypto";
import { withNamedKeys } from "../../facets/places.ts";
import { type EntityChange, type FacetChange, isFacetChange } from "../../model/change.ts";
import { canonicalPieces, inKeyOrder, type JsonObject } from "../../model/json.ts";
import type { SealedPlan } from "../../model/plan.ts";

/** Computes the SHA-256 digest of a value's canonical JSON, in hexadecimal. */
export function sha256(value: unknown): string {
  let last = "";
  let digest: Hash | undefined;
  canonicalPieces(value, (piece) => {
    if (last !== "") digest = (digest ?? createHash("sha256")).update(last);
    last = piece;
  });
  // For most values, the JSON is a single piece. A single call to `hash` is faster in this case.
  return digest?.update(last).digest("hex") ?? hash("sha256", last, "hex");
}

/**
 * Adds a seal, the SHA-256 digest of the document's canonical JSON. The seal detects edits and accidental changes. It is not a
 * signature.
 */
export function sealed<Document extends object>(document: Document): Document & { readonly seal: string } {
  return { ...document, seal: `sha256:${sha256(document)}` };
}

/** Whether a document is unchanged since it was sealed. */
export function isSealValid({ seal, ...document }: JsonObject): boolean {
  return sealed(document).seal === seal;
}

/**
 * Computes the digest of a plan. Plans that make the same changes have the same digest, no matter which files contain the
 * declarations. The digest detects edits and accidental changes. It is not a signature.
 */
export function digestOf({
  formatVersion,
  target,
  limits,
  changes,
  findings,
  policies = [],
}: SealedPlan): string {
  const whatChanges = changes.map((each) => {
    const change = isFacetChange(each) ? each : withoutContent(each);
    const { source, rules: _rules, class: _class, reverts: _reverts, ...rest } = change;
    return inKeyOrder(withNamedKeys(withoutPlaces(rest)));
  });
  const found = findings.map((finding) => ({ ...finding, changes: finding.changes.map(withNamedKeys) }));
  // The explanatory fields of a verdict are left out, because they do not affect the changes that a plan makes.
  const verdicts = policies.map(
    ({
      source: _,
      description: _text,
      codeOwners: _owners,
      unknownEntities: _unknown,
      introduced,
      ...policy
    }) => ({
      ...policy,
      introduced: introduced.map(({ source: _source, found: _found, ...violation }) => violation),
    }),
  );
  return `sha256:${sha256({
    formatVersion,
    target,
    limits,
    changes: whatChanges,
    findings: found,
    ...(verdicts.length > 0 && { policies: verdicts }),
  })}`;
}

function withoutPlaces<Some extends object>(
  change: Some & { readonly removed?: FacetChange["removed"] },
): Some {
  if (!change.removed?.some(({ lastApplied }) => lastApplied)) return change;
  return { ...change, removed: change.removed.map(({ lastApplied: _, ...removed }) => removed) };
}

// Drops a deleted entity's content. Keeps a created entity's aspects, because an apply writes them.
function withoutContent({ values: _, aspects, ...change }: EntityChange): EntityChange {
  return change.action === "create" && aspects ? { ...change, aspects } : change;
}
