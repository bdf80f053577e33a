/**
 * Represents entities for policies, reads their values, strings and owners, and implements three-valued logic for unknown values.
 */

import { facetNamed } from "../../facets/index.ts";
import type { Person } from "../../facets/people.ts";
import { kindOfUrn } from "../../kinds/index.ts";
import { idOrUrn } from "../../model/identifier.ts";
import { leafAt, type Path } from "../../model/place.ts";
import type { Asset } from "../../model/rule.ts";
import { type Entity, isFields, type Member, type Scalar } from "../../model/state.ts";
import { isUrn, type Urn } from "../../model/urn.ts";

/** The truth value of a statement. It is unknown if it depends on a value that could not be read. */
export type Truth = boolean | "unknown";

/** An entity against which policies are evaluated, in its state before or after a plan. */
export interface Subject {
  /**
   * The values that conditions match, and the columns if there are any. For an unread entity, only the URN and the kind are set.
   */
  readonly asset: Asset;
  readonly isUnread?: true;
  /** Whether the entity could not be read because the token may not view it. */
  readonly isRestricted?: true;
  /** The facets that were read. A facet that is absent could not be read or was not requested. */
  readonly facets: Entity["facets"];
  /** Whether a document or rule declares a value of the entity. */
  readonly isDeclared: boolean;
}

/** Users and groups, keyed by URN. Unreadable users and groups are absent. */
export type People = ReadonlyMap<Urn, Person>;

/** Returns the values at a place. `undefined` if they are unknown. An ingested value is included if no one has edited it. */
export function valuesAt(
  { facets }: Subject,
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

/** Returns the strings that can refer to a facet's value: its id and its URN, the value itself, or each of its fields. */
export function textsOf(facet: string, value: Member | Scalar): readonly string[] {
  const subject = facetNamed(facet).wording?.subjectOf?.(value) ?? value;
  if (isUrn(subject)) return [idOrUrn(subject), subject];
  return isFields(subject) ? Object.values(subject).map(String) : [String(subject)];
}

/** Returns the last key of a place in the form that a manifest may use: the id, if the key is an entity's URN. */
export function plainKey(facet: string, key: string): string {
  const found = facetNamed(facet);
  return found.shape === "map" ? (found.keys.at(-1)?.plainNameOf(key) ?? key) : key;
}

/** Returns the user or group in a value of an owner facet. */
export function ownerOf(facet: string, value: Member | Scalar): Urn | undefined {
  const owner = facetNamed(facet).wording?.subjectOf?.(value);
  return isUrn(owner) ? owner : undefined;
}

/** Returns whether an owner is a user or a group. */
export function ownerKindOf(owner: Urn): "user" | "group" {
  return kindOfUrn(owner)?.isPerson === true ? "user" : "group";
}

/** Whether all statements are true. The result is false if any statement is false, and otherwise unknown if any is unknown. */
export function allOf(truths: Iterable<Truth>): Truth {
  let all: Truth = true;
  for (const truth of truths) {
    if (truth === false) return false;
    if (truth === "unknown") all = "unknown";
  }
  return all;
}

/** Whether any statement is true. The result is true if any statement is true, and otherwise unknown if any is unknown. */
export function anyOf(truths: Iterable<Truth>): Truth {
  return not(allOf([...truths].map(not)));
}

/** Negates a truth value. An unknown value remains unknown. */
export function not(truth: Truth): Truth {
  return truth === "unknown" ? truth : !truth;
}
