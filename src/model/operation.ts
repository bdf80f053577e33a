/** Defines operations: an apply's writes, their order, and their requests to the server. */

import type { Change } from "./change.ts";
import type { Json, JsonObject } from "./json.ts";
import type { Member } from "./state.ts";
import type { Urn } from "./urn.ts";

/** A GraphQL argument with its type in the schema. */
interface Argument {
  readonly name: string;
  readonly type: string;
  readonly value: Json;
}

/** One GraphQL mutation field with its arguments. It becomes one alias in a request. */
export interface Mutation {
  readonly type: "mutation";
  readonly field: string;
  readonly args: readonly Argument[];
  /** The fields to select from the result, as GraphQL text; absent if the mutation returns a scalar. */
  readonly selection?: string;
}

/**
 * An edit to one list in an aspect. `at` is the path to the list: field names, and for a list on the path, the fields
 * that identify the element. A missing element is created if something is added. First the elements that equal one of
 * `remove` are removed, then `add` is added unless an element equals one of `unless`. An element equals a mapping if it
 * has the fields that the mapping names; `null` is a missing field.
 */
export interface ListEdit {
  readonly at: readonly (string | Readonly<Record<string, string>>)[];
  readonly add: readonly { readonly element: Json; readonly unless?: readonly Json[] }[];
  readonly remove: readonly Json[] | "all";
  /** The new element's field that records the time and the writer. */
  readonly created?: string;
  /** The GraphQL field, as `Type.field`, that shows that a server keeps attributions for these elements. */
  readonly attribution?: string;
  /** The field next to the list that records the time and the writer. */
  readonly stamp?: string;
  /**
   * Which object to remove when the list becomes empty: its field, or the element on the path to it. The element then
   * exists only for the list. It has the attribution, and a patch writes all of it, by the first of `keys`.
   */
  readonly emptied?: "field" | "element";
  /**
   * The field that identifies elements in the path's first list, and their inner list, whose elements are merged: a
   * server refuses to write several elements with the same value in this field, though it may have stored some.
   */
  readonly unites?: readonly [by: string, list: string];
  /** Whether to omit the edit if the server keeps no attributions. */
  readonly isForAttribution?: true;
  /** The keys for a patch; if absent, or if the server keeps no attributions, the complete aspect is written. */
  readonly keys?: ListKeys;
}

/** An edit to one field in an aspect: its new value, or `null` to remove it. `at` is the path to it, as for a list. */
export interface FieldEdit {
  readonly at: ListEdit["at"];
  readonly value: Json;
  /** The name of the sibling field that stores the writer. */
  readonly actor?: string;
  /** How to patch the field; if absent, the complete aspect is written. */
  readonly patch?: {
    /** The GraphQL field, as `Type.field`, on servers that accept the patch; other servers get the complete aspect. */
    readonly since: string;
    /** Whether DataHub has no template for the aspect (entity-registry GenericPatchTemplate.java). */
    readonly isGeneric?: true;
  };
}

export type Edit = ListEdit | FieldEdit;

/** Whether an edit changes a list. */
export function isListEdit<E extends Edit>(edit: E): edit is Extract<E, ListEdit> {
  return "add" in edit;
}

/**
 * The fields that identify list elements in a JSON Patch (entity-registry ArrayMergingTemplate.java). `a␟b` is field `b` of `a`.
 */
export interface ListKeys {
  /** The fields that DataHub knows for the aspect. It merges elements that are equal in them. */
  readonly template: readonly string[];
  /** The fields that keep all elements distinct: a patch can name them for a list that is a field of the aspect itself. */
  readonly own?: readonly string[];
}

/** An aspect of an entity. */
export interface AspectPlace {
  readonly urn: Urn;
  readonly aspect: string;
}

/** An aspect that is read, edited and written as a metadata change proposal. `initial` is a new aspect's content. */
export interface Proposal extends AspectPlace {
  readonly type: "proposal";
  readonly initial: JsonObject;
  /** Fields and their new values; `null` removes a field. */
  readonly set: Readonly<Record<string, Json>>;
  readonly edits?: readonly Edit[];
  /** Whether others may change the aspect in between. If so, a patch is written to any version. */
  readonly isForAnyVersion?: true;
  /**
   * A new entity's other aspect in the same request. If a right is scoped to a domain, the server checks it against the
   * domain in the request that creates the entity (DomainWriteAuthorizationUtils.java, pull request #18944).
   */
  readonly beside?: Proposal;
}

/** An operation's request. */
export type Request = Mutation | Proposal;

/** The request for a change or some of it: for a set, with the elements that it adds or removes. */
export interface Write {
  readonly request: Request;
  readonly adds?: readonly Member[];
  readonly removes?: readonly Member[];
}

/** One write, as a node in the graph of operations. */
export interface Operation extends Write {
  readonly id: string;
  /** The resources that the server rewrites. For each, at most one operation is in flight. */
  readonly locks: readonly string[];
  /** The ids of preceding operations: this one is sent if all of them were applied, and skipped if one was not. */
  readonly after: readonly string[];
  /** The changes that this operation carries out. */
  readonly changes: readonly Change[];
}

/** How to write assignments: with mutations, or with proposals that never overwrite other writers' changes. */
export type WriteMode = "graphql" | "conditional";

/** Returns a request's name in a report: its mutation, or the proposed aspect. */
export function nameOfRequest(request: Request): string {
  return request.type === "mutation" ? request.field : `ingestProposal ${request.aspect}`;
}

/** Returns the key for one aspect of an entity. */
export function aspectKey(urn: string, aspect: string): string {
  return `${urn} ${aspect}`;
}
