/** Defines how a facet writes its values: by mutations, or by editing aspects. */

import type { ScalarChange } from "../model/change.ts";
import type { Edit, ListEdit, Request } from "../model/operation.ts";
import type { Path } from "../model/place.ts";
import type { Member } from "../model/state.ts";
import type { Urn } from "../model/urn.ts";

/** The location of a set: its entity, and the key path below the facet. */
export interface SetPlace {
  readonly urn: Urn;
  readonly path?: Path;
  /** The second path under which the values of a column are stored, if there is one. */
  readonly alsoStoredAt?: string;
}

/** The properties of a change that are needed to edit an aspect. */
export type EditedScalar = Pick<ScalarChange, "urn" | "path" | "alsoStoredAt" | "after">;

/** A write that adds or removes elements of a set. */
interface ElementWrite<Element extends Member = Member> {
  readonly elements: readonly Element[];
  readonly request: Request;
}

/** How to write a scalar. */
export interface ScalarWrites {
  /** Returns the requests for a change, in the order in which they are sent. */
  requests(change: ScalarChange): readonly Request[];
  /** The GraphQL field (`Type.field`) without which a server cannot remove a value. */
  readonly unsetBy?: string;
  /** For a map, whether its mutations also rewrite other keys. Simultaneous edits to these keys can be lost. */
  readonly rewritesOtherKeys?: true;
  /** How to write the value without mutations, if possible. */
  readonly editing?: Editing & {
    /** Whether a change must be written as an edit, because the mutation would fail or would not store the desired value. */
    isNeededFor?(change: ScalarChange): boolean;
    edits(change: EditedScalar): readonly Edit[];
  };
}

/** How to write a set. Each call receives a nonempty list of elements from a single change. */
export interface SetWrites<Element extends Member = Member> {
  /**
   * Returns the writes that add elements, in the order in which they are sent. A set without `add` is always written as an edit.
   */
  add?(place: SetPlace, elements: readonly Element[]): readonly ElementWrite<Element>[];
  /** Returns the writes that remove elements. They are sent after the additions. */
  remove?(place: SetPlace, elements: readonly Element[]): readonly ElementWrite<Element>[];
  /** How to write the set without mutations, if possible. */
  readonly editing?: Editing & {
    edits(place: SetPlace, add: readonly Element[], remove: readonly Element[]): readonly ListEdit[];
  };
}

/** How to write a value by editing the aspect that stores it, on the condition that the version of the aspect is unchanged. */
interface Editing {
  /** Returns the aspect for a kind; `undefined` if entities of that kind are not written with edits. */
  aspect(kind: string): string | undefined;
  /** Returns the entity that has the aspect, if it is not the changed entity. */
  urnOf?(place: SetPlace): Urn;
  /** Whether newer servers require only the facet's own privilege, and not the privilege to edit the entity. */
  readonly isWithOwnPrivilege?: true;
}
