import type { Kind } from "../kinds/kind.ts";
import type { JsonObject } from "../model/json.ts";
import type { Origin } from "../model/origin.ts";
import type { Problem } from "../model/problem.ts";
import type { DeclaredReference } from "../model/reference.ts";
import type { Entity } from "../model/state.ts";
import type { Urn } from "../model/urn.ts";

/** A list that a definition declares of others, whole: each with its place. */
export interface DeclaredList {
  readonly origin: Origin;
  readonly members: ReadonlyMap<Urn, Origin>;
}

/** A user that is written out where a group lists its members. */
export interface InlineUser {
  readonly urn: Urn;
  readonly value: JsonObject;
  /** Where it begins in its source. */
  readonly start: number;
}

/** What a definition says of others in fields that are only checked so far. */
export interface Definition {
  /** By field: the domain above, the groups of a user, the members of a group. */
  readonly fields: ReadonlyMap<string, DeclaredList>;
  /** Users that a group writes out among its members: they are declared by it. */
  readonly inlineUsers: readonly InlineUser[];
  /** All that it refers to; nothing is written from it yet. */
  readonly mentions: readonly DeclaredReference[];
}

/** What one manifest declares. `references` are those of its facets, which a plan may add. */
export interface Declaration extends Definition {
  readonly entity: Entity;
  readonly references: readonly DeclaredReference[];
  /** Whether it stands among a group's members: then the user may have a manifest of its own, too. */
  readonly inline: boolean;
}

/** Where the reading of manifests puts what it finds. */
export interface Collected {
  readonly problems: Problem[];
  readonly declarations: Declaration[];
  documents: number;
  /** How many manifests and files are so broken that nobody knows what they declare. */
  unreadable: number;
}

/** The fields that make up a URN, of any kind. */
export const identityFields: readonly string[] = [
  "urn",
  "id",
  "platform",
  "name",
  "env",
  "platform_instance",
];

/** Whether a single value can be unset by `none`: an identity and a name cannot. */
export function canBeUnset(kind: Kind, field: string): boolean {
  if (field === "kind" || field === "name") return false;
  return kind.fields[field] === undefined || !identityFields.includes(field);
}
