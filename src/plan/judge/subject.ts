import { facetNamed } from "../../facets/index.ts";
import type { Person } from "../../facets/people.ts";
import { kindOfType } from "../../kinds/index.ts";
import { shortestOf } from "../../model/identifier.ts";
import { leafAt, type Path } from "../../model/place.ts";
import type { Asset } from "../../model/rule.ts";
import { type Entity, isFields, type Member, type Scalar } from "../../model/state.ts";
import { entityTypeOf, isUrn, type Urn } from "../../model/urn.ts";

/** Whether something holds; it is unknown where what it depends on could not be read. */
export type Truth = boolean | "unknown";

/** An entity that policies judge: as it is, or as it will be. */
export interface Subject {
  /** What it is matched by, with its columns where it has some; without more than its URN and kind where that could not be read. */
  readonly asset: Asset;
  readonly isUnread?: true;
  /** Whether it could not be read because the token may not view it. */
  readonly isRestricted?: true;
  /** What was read. A facet that is absent could not be read, or was not asked for. */
  readonly facets: Entity["facets"];
  /** Whether a document or rule declares something of it. */
  readonly isDeclared: boolean;
}

/** What verdicts need beside the subjects: users and groups by URN, of which those that could not be read are absent. */
export type People = ReadonlyMap<Urn, Person>;

/** The values at a place; `undefined` where they are not known. What ingestion wrote counts where nobody edited it. */
export function valuesAt(
  { facets }: Pick<Subject, "facets">,
  facet: string,
  path?: Path,
): readonly (Member | Scalar)[] | undefined {
  const value = facets.get(facet);
  if (value === undefined) return undefined;
  const leaf = leafAt(value, path);
  if (leaf === undefined) return [];
  if (leaf.shape === "set") return leaf.members;
  const own = leaf.value ?? leaf.fallback ?? null;
  return own === null || own === "" ? [] : [own];
}

/** The texts by which a value of a facet can be named: its id and its URN, itself, or each of its fields. */
export function textsOf(facet: string, value: Member | Scalar): readonly string[] {
  const subject = facetNamed(facet).wording?.subjectOf?.(value) ?? value;
  if (isUrn(subject)) return [shortestOf(subject), subject];
  return isFields(subject) ? Object.values(subject).map(String) : [String(subject)];
}

/** The last key of a place as a manifest may write it: the id where it is the URN of an entity. */
export function plainKey(facet: string, key: string): string {
  const found = facetNamed(facet);
  return found.shape === "map" ? (found.keys.at(-1)?.plainNameOf(key) ?? key) : key;
}

/** The users and groups that are values of a facet of owners. */
export function ownerOf(facet: string, value: Member | Scalar): Urn | undefined {
  const owner = facetNamed(facet).wording?.subjectOf?.(value);
  return isUrn(owner) ? owner : undefined;
}

/** Whether an owner is a user or a group. */
export function ownerKindOf(owner: Urn): "user" | "group" {
  return kindOfType(entityTypeOf(owner))?.isPerson === true ? "user" : "group";
}

/** Whether all hold: not where one does not, unknown where one is. */
export function allOf(truths: Iterable<Truth>): Truth {
  let all: Truth = true;
  for (const truth of truths) {
    if (truth === false) return false;
    if (truth === "unknown") all = "unknown";
  }
  return all;
}

/** Whether one holds. */
export function anyOf(truths: Iterable<Truth>): Truth {
  return not(allOf([...truths].map(not)));
}

/** The opposite. */
export function not(truth: Truth): Truth {
  return truth === "unknown" ? truth : !truth;
}
