/** Computes a deletion's fingerprint, which lets an apply detect content or references added after the plan was created. */

import { hash } from "node:crypto";
import { edgeSetOf, facetNamed, relationshipBelow } from "../../facets/index.ts";
import { isAuditStamp } from "../../facets/stored-elements.ts";
import { kindOf } from "../../kinds/index.ts";
import { appendTo } from "../../model/append.ts";
import {
  isFacetChange,
  isSetChange,
  type Change,
  type DeletionReferences,
  type EntityChange,
  type FacetChange,
} from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import { canonicalJson, compareText, isJsonList, isJsonObject, type Json } from "../../model/json.ts";
import type { Deletable } from "../../model/live.ts";
import { isUrn, type Urn } from "../../model/urn.ts";
import { textsIn } from "../base/values.ts";
import { sha256 } from "../base/hash.ts";

/**
 * A deletion's fingerprint. It covers the deleted entity's content, its references to other entities and the references to it.
 */
export interface DeletionFingerprint {
  /** A hash of the entity's aspects, excluding their references. */
  readonly fingerprint: string;
  /** Short hashes of the references in the entity's aspects. */
  readonly own: readonly string[];
  /** Short hashes of the references to the entity, each mapped to the referring entity's URN, if it is known. */
  readonly incoming: ReadonlyMap<string, Urn | undefined>;
}

/** Computes the fingerprint of a deletion. */
export function deletionFingerprint({ aspects, referring }: Deletable): DeletionFingerprint {
  const own = new Set<string>();
  const rest = withoutReferences(aspects, own);
  const incoming = new Map<string, Urn | undefined>();
  const unnamed = new Map<string, number>();
  for (const { type, urn } of referring) {
    if (urn === undefined) unnamed.set(type, (unnamed.get(type) ?? 0) + 1);
    incoming.set(referenceHash(type, urn ?? `${unnamed.get(type)}`), urn);
  }
  return {
    fingerprint: sha256(rest ?? null),
    own: [...own].map((text) => shortHash(`has ${text}`)),
    incoming,
  };
}

/** Returns the additional fields of a deletion's change, or an empty object if the entity's content was not read. */
export function deletionFields(
  found: Deletable | undefined,
  kind: string,
): DeletionReferences & { readonly fingerprint?: string } {
  if (!found) return {};
  const { fingerprint, own, incoming } = deletionFingerprint(found);
  const { assignments } = found;
  const references = sorted([...own, ...incoming.keys()]);
  if (assignments === undefined) return { fingerprint, references };
  const below = relationshipBelow(kindOf(kind));
  const stale = new Set(found.stale);
  const assigned = found.referring.flatMap((edge) =>
    edge.type === below || stale.has(edge) ? [] : (edge.urn ?? []),
  );
  const assignedTo = [...new Set(assigned)].toSorted(compareText);
  return { fingerprint, references, assignments, ...(assignedTo.length > 0 && { assignedTo }) };
}

/** Adds to each deletion the references that the plan itself removes, because the index may still contain them. */
export function withOwnRemovals(
  deletions: readonly EntityChange[],
  updates: readonly FacetChange[],
): readonly EntityChange[] {
  if (deletions.length === 0) return deletions;
  const removed = groupBy([...updates, ...deletions].flatMap(referencesRemovedBy), ({ to }) => to);
  return deletions.map((deletion) => {
    const more = removed.get(deletion.urn);
    if (!deletion.references || !more) return deletion;
    const hashes = more.map(({ type, from }) => referenceHash(type, from));
    return { ...deletion, references: sorted([...deletion.references, ...hashes]) };
  });
}

/** A reference to an entity, identified by its relationship in DataHub's graph. */
interface Reference {
  readonly type: string;
  readonly from: string;
  readonly to: string;
}

/** Returns the references that a change removes. */
export function referencesRemovedBy(change: Change): readonly Reference[] {
  const { urn } = change;
  if (isFacetChange(change)) {
    const values = (isSetChange(change) ? change.remove : [change.before]).flatMap(textsIn);
    const stored = edgeSetOf(change.facet)?.storedByMembers;
    if (stored)
      return stored.relationships.flatMap((type) => values.map((from) => ({ type, from, to: urn })));
    const type = facetNamed(change.facet).relationship;
    return type === undefined ? [] : values.map((to) => ({ type, from: urn, to }));
  }
  const type = change.action === "delete" ? relationshipBelow(kindOf(change.kind)) : undefined;
  return type === undefined ? [] : (change.above ?? []).map((to) => ({ type, from: urn, to }));
}

/** Returns the short hash of a reference, in the form that a deletion stores. */
export function referenceHash(type: string, from: string): string {
  return shortHash(`${type} ${from}`);
}

// Returns a 48-bit hash, which is long enough to avoid collisions among ten thousand references.
function shortHash(text: string): string {
  return hash("sha256", text, "hex").slice(0, 12);
}

function sorted(hashes: readonly string[]): readonly string[] {
  return [...new Set(hashes)].toSorted(compareText);
}

/**
 * Copies a value without audit stamps and references, and collects the references. A list element that contains an entity's URN
 * counts as one reference.
 */
function withoutReferences(value: Json | undefined, references: Set<string>): Json | undefined {
  if (value === null) return undefined;
  if (isUrn(value)) {
    references.add(value);
    return undefined;
  }
  if (isJsonList(value)) {
    const rest: Json[] = [];
    for (const element of value) {
      if (namesEntity(element)) references.add(canonicalJson(element));
      else appendTo(rest, [withoutReferences(element, references) ?? null]);
    }
    return rest.length === 0 ? undefined : rest;
  }
  if (!isJsonObject(value)) return value;
  if (isAuditStamp(value)) return undefined;
  const entries = Object.entries(value).flatMap(([key, part]) => {
    const rest = withoutReferences(part, references);
    return rest === undefined ? [] : [[key, rest] as const];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function namesEntity(value: Json | undefined): boolean {
  if (typeof value !== "object" || value === null) return isUrn(value);
  return Object.values(value).some(namesEntity);
}
