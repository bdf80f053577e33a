/** Turns changes into unordered writes, one for each aspect. */

import { facetNamed } from "../../facets/index.ts";
import { type EditedAspects, writesFor, writesOf } from "../../facets/writes.ts";
import { kindOf } from "../../kinds/index.ts";
import { appendTo } from "../../model/append.ts";
import { type Change, isFacetChange } from "../../model/change.ts";
import {
  aspectKey,
  mergedProposal,
  type Proposal,
  type Request,
  type Write,
  type WriteMode,
} from "../../model/operation.ts";
import { compareText, isJsonObject, type JsonObject } from "../../model/json.ts";
import { keyOf, type Urn } from "../../model/urn.ts";
import { referencesOf, textsIn } from "../base/values.ts";
import { cyclesFrom } from "../base/parents.ts";
import { isMove } from "../base/ancestors.ts";
import { creationOf } from "../base/changes.ts";

/** An operation that is not numbered yet, and the operations that precede it. */
export interface Draft extends Write {
  request: Request;
  readonly locks: readonly string[];
  changes: readonly Change[];
  /** The drafts that must precede this draft. `addDependency` adds to this set. */
  after: Set<Draft>;
  /** The entities to which the write adds references. */
  readonly refersTo: Urn[];
  /** Whether this write is part of the entity's creation. */
  readonly isCreation: boolean;
}

/**
 * Turns changes into writes: one write for each aspect, the first writes of a new entity in sequence, and removals after
 * additions.
 */
export function draftsOf(
  changes: readonly Change[],
  writes: WriteMode,
  edited?: EditedAspects,
): readonly Draft[] {
  const drafts: Draft[] = [];
  const byAspect = new Map<string, Draft>();
  const created = new Map<Urn, Draft | undefined>();
  const late = lateReferences(changes);
  const putBack = new Map(changes.flatMap(({ urn, aspects }) => (aspects ? [[urn, aspects] as const] : [])));
  const put = (draft: Draft, aspect?: string): Draft => {
    const known = aspect === undefined ? undefined : byAspect.get(aspect);
    if (known) return mergeInto(known, draft);
    if (aspect !== undefined) byAspect.set(aspect, draft);
    drafts.push(draft);
    return draft;
  };
  for (const change of changes) {
    if (change.action === "create" && !created.has(change.urn)) {
      let last: Draft | undefined;
      for (const request of creationRequests(change, putBack.get(change.urn))) {
        const draft = put(creationDraftOf(request, change), aspectOf(request));
        if (last) addDependency(draft, last);
        else created.set(change.urn, draft);
        last = draft;
      }
    }
    if (placesNew(created.get(change.urn), change)) continue;
    let additions: Set<Draft> | undefined;
    for (const write of isFacetChange(change)
      ? writesFor(change, writesOf(change, { writes, edited }))
      : deletionOf(change)) {
      const request = withInitial(write.request, change);
      const isApart = late.has(change) || (isMove(change) && change.action === "update");
      const ofOther = request.type === "proposal" && request.urn !== change.urn;
      const draft = put(
        draftOf({ ...write, request }, change),
        isApart || ofOther ? undefined : aspectOf(request),
      );
      if (write.adds) (additions ??= new Set()).add(draft);
      if (write.removes) draft.after = additions ??= new Set();
    }
  }
  return drafts;
}

/**
 * Adds a change to a new entity's first write if the change places the entity in its tree. Returns whether the change was added.
 */
function placesNew(first: Draft | undefined, change: Change): boolean {
  if (first?.request.type !== "proposal" || !isFacetChange(change)) return false;
  if (change.action !== "create" || facetNamed(change.facet).isPlacement !== true) return false;
  const [{ request: beside } = {}] = writesFor(change, "conditional");
  if (beside?.type !== "proposal") return false;
  first.request = { ...first.request, beside };
  first.changes = [...first.changes.filter(isFacetChange), change];
  appendTo(first.refersTo, [...referencesOf(change)]);
  return true;
}

function draftOf(write: Write, change: Change): Draft {
  const refersTo = write.removes ? [] : [...referencesOf(change, write.adds)];
  return {
    ...write,
    locks: locksOf(write, change),
    changes: [change],
    after: nothing,
    refersTo,
    isCreation: false,
  };
}

// Returns the draft that creates an entity. A facet change is added to the draft only if the draft also writes its value.
function creationDraftOf(request: Request, change: Change): Draft {
  const { urn } = change;
  const changes = [isFacetChange(change) ? creationOf(change) : change];
  return { request, locks: [urn], changes, after: nothing, refersTo: [], isCreation: true };
}

// Most drafts have no dependencies, so they share this set to save memory. It must stay empty.
const nothing = new Set<Draft>();

/** Makes a draft depend on a different draft. */
export function addDependency(draft: Draft, other: Draft): void {
  if (draft.after === nothing) draft.after = new Set();
  draft.after.add(other);
}

function mergeInto(first: Draft, { request, changes, refersTo }: Draft): Draft {
  if (first.request.type === "proposal" && request.type === "proposal") {
    first.request = mergedProposal(first.request, request);
    first.changes = [...new Set([...first.changes.filter(isFacetChange), ...changes])];
    appendTo(first.refersTo, refersTo);
  }
  return first;
}

/** Returns a key for the request's aspect. Requests with the same key can be merged. */
function aspectOf(request: Request): string | undefined {
  return request.type === "proposal" ? aspectKey(request.urn, request.aspect) : undefined;
}

/**
 * Returns the requests that create an entity, in sequence. The first requests write required aspects, and the rest write aspects
 * that a rollback restores.
 */
function creationRequests({ kind, urn }: Change, putBack: JsonObject = {}): readonly Proposal[] {
  const required = kindOf(kind).initial(keyOf(urn));
  return Object.keys({ ...required, ...putBack }).map((aspect) => {
    const fields = putBack[aspect];
    const initial = { ...required[aspect], ...(isJsonObject(fields) && fields) };
    return { type: "proposal", urn, aspect, initial, set: {} };
  });
}

function deletionOf({ action, kind, urn }: Change): readonly Write[] {
  const { deletion } = kindOf(kind);
  if (action !== "delete" || !deletion) return [];
  const { mutation: field } = deletion;
  return field === undefined
    ? [{ request: { type: "proposal", urn, aspect: "status", initial: {}, set: { removed: true } } }]
    : [{ request: { type: "mutation", field, args: [{ name: "urn", type: "String!", value: urn }] } }];
}

// Adds an aspect's required content to a write that sets one field, because the entity may not have the aspect yet.
function withInitial(request: Request, { kind, urn }: Change): Request {
  if (request.type !== "proposal" || request.urn !== urn) return request;
  const initial = kindOf(kind).initial(keyOf(urn))[request.aspect];
  return initial ? { ...request, initial } : request;
}

/** Returns the keys of the objects that the server rewrites: the entity, both ends of an edge, and the facet's lock. */
function locksOf({ adds = [], removes = [] }: Write, change: Change): readonly string[] {
  const lock = isFacetChange(change) ? facetNamed(change.facet).lock : undefined;
  return lock === undefined ? [change.urn] : [lock, change.urn, ...[...adds, ...removes].flatMap(textsIn)];
}

/** Returns one change from each reference cycle among new entities. This change is written after the entities are created. */
function lateReferences(changes: readonly Change[]): ReadonlySet<Change> {
  const references = new Map<Urn, { readonly change: Change; readonly to: Urn }>();
  for (const change of changes) {
    if (change.action !== "create" || change.shape !== "scalar") continue;
    for (const to of referencesOf(change)) if (to !== change.urn) references.set(change.urn, { change, to });
  }
  const cycles = cyclesFrom(references.keys(), (urn) => references.get(urn)?.to);
  return new Set(
    cycles.flatMap((cycle) => references.get(cycle.toSorted(compareText)[0] as Urn)?.change ?? []),
  );
}
