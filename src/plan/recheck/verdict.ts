/** Determines whether a planned change can be written as planned, is already in the catalog, is stale, or cannot be checked. */

import { leafIn } from "../../model/place.ts";
import { facetNamed, relationshipBelow } from "../../facets/index.ts";
import { type EditedAspects, writesOf } from "../../facets/writes.ts";
import { isDefinitionKind, kindOf, kindOfUrn } from "../../kinds/index.ts";
import {
  type Change,
  type EntityChange,
  type FacetChange,
  isFacetChange,
  isSetChange,
} from "../../model/change.ts";
import type { WriteMode } from "../../model/operation.ts";
import { type Deletable, entityOf, type Live, type Referring } from "../../model/live.ts";
import type { Difference } from "../../model/report.ts";
import { isSameValue, type Leaf, setOf, without } from "../../model/state.ts";
import { isUrn, type Urn } from "../../model/urn.ts";
import { deletionFingerprint } from "../align/deletion.ts";
import { fingerprintOf } from "../notes/fingerprint.ts";
import { referencesOf } from "../base/values.ts";
import { isMove } from "../base/ancestors.ts";
import { parentIn } from "../base/parents.ts";

/** The entities that a plan creates or moves, and how the plan writes changes. */
export interface PlannedPlaces {
  /** The entities that the plan creates or moves. Each of them is checked separately. */
  readonly moved: ReadonlySet<Urn>;
  /** How assignments are written. `undefined` if they are written with mutations. */
  readonly writes?: WriteMode | undefined;
  /** The aspects, keyed by URN and name, that are edited even if the plan writes with mutations. */
  readonly edited?: EditedAspects | undefined;
}

/** The state of the catalog right before a write. */
export interface CatalogNow extends PlannedPlaces {
  readonly live: Live;
  /** The entities that the current run has created. */
  readonly created: ReadonlySet<Urn>;
}

/** Whether a change can be written as planned, and if not, why not. */
export type Verdict =
  | { readonly status: "as-planned" }
  /** The catalog already contains the result of the change. */
  | { readonly status: "done" }
  | ({ readonly status: "stale"; readonly because: string } & Partial<Difference>)
  /** The entity, a referenced entity, or a parent could not be read. */
  | { readonly status: "unread"; readonly urn: Urn; readonly error: string };

const asPlanned: Verdict = { status: "as-planned" };
const done: Verdict = { status: "done" };

/**
 * Determines whether a change can still be written. A change is stale if its entity is missing, if someone else created its
 * entity, if a value was changed, if an entity above the new place was moved, or if the entity to delete has new content or
 * references.
 */
export function verdictOn(change: Change, now: CatalogNow): Verdict {
  const { live, created } = now;
  const { urn, action } = change;
  const error = live.unreadable.get(urn);
  if (error !== undefined) return { status: "unread", urn, error };
  const entity = entityOf(change, live);
  const isThere = entity !== undefined;
  if (isDeletion(change)) return isThere ? deletionOf(change, live.deletable?.get(urn)) : done;
  if (action === "create" && !created.has(urn)) {
    return isThere ? stale(`${urn} was created after the plan was made`) : placeOf(change, now);
  }
  if (!isThere) return stale(`${urn} ${absenceIn(live, urn)}`);
  if (!isFacetChange(change)) return asPlanned;
  const verdict = valueOf(change, leafIn(entity, change));
  return verdict.status === "as-planned" ? placeOf(change, now) : verdict;
}

/**
 * Returns the entities that the plan creates but that already exist exactly as planned. An earlier apply of the same plan created
 * them.
 */
export function createdBefore(changes: readonly Change[], live: Live): ReadonlySet<Urn> {
  const creations = changes.filter(({ action }) => action === "create");
  const others = creations.filter(
    (change) =>
      isFacetChange(change) && valueOf(change, leafIn(live.state.get(change.urn), change)).status !== "done",
  );
  const different = new Set(others.map(({ urn }) => urn));
  const urns = creations.map(({ urn }) => urn);
  return new Set(urns.filter((urn) => live.state.has(urn) && !different.has(urn)));
}

function isDeletion(change: Change): change is EntityChange {
  return !isFacetChange(change) && change.action === "delete";
}

/**
 * Determines whether a deletion would remove only content and references that the plan recorded. Some recorded references may be
 * missing now.
 */
function deletionOf(
  { kind, fingerprint, references, assignments }: EntityChange,
  found: Deletable | undefined,
): Verdict {
  if (!found || !references)
    return stale("the plan does not record the state of the entity; make a new plan");
  const isCounted = assignments !== undefined;
  const seen = deletionFingerprint(
    isCounted ? found : { ...found, referring: belowOnly(found.referring, kind) },
  );
  const known = new Set(references);
  if (seen.fingerprint !== fingerprint || seen.own.some((each) => !known.has(each))) {
    return stale("it was changed after the plan was made");
  }
  const more = [...seen.incoming].filter(([each]) => !known.has(each));
  const [[, first] = []] = more;
  if (more.length > 0) {
    const others = more.length === 1 ? "" : ` and ${more.length - 1} more`;
    return stale(
      `${first ?? "an unidentified entity"}${others} began to refer to it after the plan was made`,
    );
  }
  if (isCounted && found.assignments === undefined)
    return stale("many more entities began to refer to it after the plan was made");
  return asPlanned;
}

function belowOnly(referring: readonly Referring[], kind: string): readonly Referring[] {
  const below = relationshipBelow(kindOf(kind));
  return referring.filter(({ type }) => type === below);
}

function stale(because: string, difference?: Difference): Verdict {
  return { status: "stale", because, ...difference };
}

function absenceIn(live: Live, urn: Urn): string {
  return live.missing.get(urn) === "soft-deleted"
    ? "was soft-deleted after the plan was made"
    : "is no longer in the catalog";
}

function valueOf(change: FacetChange, live: Leaf | undefined): Verdict {
  if (!isSetChange(change)) {
    const found = live?.shape === "scalar" ? live.value : null;
    if (isSameValue(found, change.after)) return done;
    if (fingerprintOf(live, change) === change.fingerprint) return asPlanned;
    return stale("its value was changed after the plan was made", { expected: change.before, found });
  }
  if (live?.shape !== "set") return stale("its column is no longer in the schema");
  const { add, remove } = change;
  // When the plan was created, the set contained every element of `remove` and no element of `add`. Reversing the change in the
  // live set restores that set, unless other writers changed it.
  const seen = setOf([...without(live.members, add), ...remove]);
  if (fingerprintOf(seen, change) !== change.fingerprint) {
    return stale("its values were changed after the plan was made");
  }
  const isDone =
    without(add, live.members).length === 0 && without(remove, live.members).length === remove.length;
  return isDone ? done : asPlanned;
}

/** Checks the references and the new parent of a definition, because the server checks neither in a proposal. */
function placeOf(change: Change, now: CatalogNow): Verdict {
  const way = dependenciesOf(change, writesOf(change, now));
  for (const [index, urn] of way.entries()) {
    if (now.moved.has(urn)) continue;
    const error = now.live.unreadable.get(urn);
    if (error !== undefined) return { status: "unread", urn, error };
    if (!now.live.state.has(urn)) return stale(`${urn} ${absenceIn(now.live, urn)}`);
    if (isMoved(change) && !isBelow(urn, way[index + 1], now.live, way)) {
      return stale(`${urn} was moved after the plan was made`);
    }
  }
  return asPlanned;
}

/**
 * Whether an entity still has the parent that the plan recorded. The last entity in the path must still be at the top level, or
 * its parent must be in the path.
 */
function isBelow(urn: Urn, above: Urn | undefined, live: Live, way: readonly Urn[]): boolean {
  const parent = parentIn(live.state, urn)?.value;
  if (above !== undefined) return parent === above;
  return !isUrn(parent) || way.includes(parent);
}

function isMoved(change: Change): boolean {
  return isMove(change) && change.action === "update";
}

/**
 * Returns the other entities that the verdict on a change depends on: the entities that a proposal refers to, and the ancestors
 * of a new parent. For mutations, the server checks the references.
 */
export function dependenciesOf(change: Change, writes: WriteMode | undefined): readonly Urn[] {
  return [...referencesIn(change, writes), ...(isMoved(change) ? (change.above ?? []) : [])];
}

function referencesIn(change: Change, writes: WriteMode | undefined): readonly Urn[] {
  if (!isFacetChange(change)) return [];
  const { set, [change.shape]: way } = facetNamed(change.facet);
  const isConditional = writes === "conditional" && way?.editing?.aspect(change.kind) !== undefined;
  const isEdited = isConditional || (change.shape === "set" && set?.add === undefined);
  if (!isEdited && (change.shape !== "scalar" || !isDefinitionKind(change.kind))) return [];
  // References to types without a kind, such as ownership types, are not read.
  return referencesOf(change).filter((urn) => kindOfUrn(urn) !== undefined);
}
