/** Operations: the writes of an apply, their order, and their requests to the server. */

import type { Change } from "./change.ts";
import type { Json, JsonObject } from "./json.ts";
import type { Member } from "./state.ts";
import type { Urn } from "./urn.ts";

/** A GraphQL argument with its type as in the schema. */
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
  /** The selection from the result, as GraphQL text; absent if the mutation returns a scalar. */
  readonly selection?: string;
}

/**
 * An edit of one list in an aspect. `at` is the path to the list: names of fields, and for a list on the path the fields of the
 * element that is meant. A missing element is created if something is added. First the elements that equal one of `remove` are
 * removed, then `add` is added unless an element equals one of `unless`. An element equals a mapping if it has the fields that the
 * mapping names; `null` is a missing field.
 */
export interface ListEdit {
  readonly at: readonly (string | Readonly<Record<string, string>>)[];
  readonly add: readonly { readonly element: Json; readonly unless?: readonly Json[] }[];
  readonly remove: readonly Json[] | "all";
  /** The field of a new element that records the time and the writer. */
  readonly created?: string;
  /** The GraphQL field, as `Type.field`, that shows that a server keeps attributions of these elements. */
  readonly attribution?: string;
  /** The field next to the list that records the time and the writer. */
  readonly stamp?: string;
  /**
   * The part to remove when the list becomes empty: its field, or the element on the path to it. The element then exists only for
   * the list. It has the attribution, and a patch writes all of it, by the first of `keys`.
   */
  readonly emptied?: "field" | "element";
  /**
   * The field that identifies elements of the first list on the path, and their inner list, whose elements are merged: a server
   * refuses to write several elements that are equal in this field, though it may have stored some.
   */
  readonly unites?: readonly [by: string, list: string];
  /** Whether the edit is left out if the server keeps no attributions. */
  readonly isForAttribution?: true;
  /** The keys for a patch; if absent, or if the server keeps no attributions, the complete aspect is written. */
  readonly keys?: ListKeys;
}

/** An edit of one field in an aspect: its new value, or `null` to remove it. `at` is the path to it, as for a list. */
export interface FieldEdit {
  readonly at: ListEdit["at"];
  readonly value: Json;
  /** The name of the sibling field that stores the writer. */
  readonly actor?: string;
  /** The form of a patch; if absent, the complete aspect is written. */
  readonly patch?: {
    /** The GraphQL field, as `Type.field`, of servers that accept the patch; other servers get the complete aspect. */
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
  /** The fields that DataHub knows for the aspect: it merges elements that are equal in them. */
  readonly template: readonly string[];
  /** The fields that keep all elements distinct: a patch can name them for a list that is a field of the aspect itself. */
  readonly own?: readonly string[];
}

/** An aspect of an entity. */
export interface AspectPlace {
  readonly urn: Urn;
  readonly aspect: string;
}

/** An aspect that is read, edited and written as a metadata change proposal. `initial` is the content of a new aspect. */
export interface Proposal extends AspectPlace {
  readonly type: "proposal";
  readonly initial: JsonObject;
  /** Fields and their new values; `null` removes a field. */
  readonly set: Readonly<Record<string, Json>>;
  readonly edits?: readonly Edit[];
  /** Whether others may change the aspect in between: a patch is then written to any version. */
  readonly isForAnyVersion?: true;
  /**
   * Another aspect of a new entity in the same request. The server compares a right that is scoped to a domain with the domain in
   * the request that creates the entity (DomainWriteAuthorizationUtils.java, pull request #18944).
   */
  readonly beside?: Proposal;
}

/** The request of an operation. */
export type Request = Mutation | Proposal;

/** The request for a part of a change: for a set, with the elements that it adds or removes. */
export interface Write {
  readonly request: Request;
  readonly adds?: readonly Member[];
  readonly removes?: readonly Member[];
}

/** One write, as a node in the graph of operations. */
export interface Operation extends Write {
  readonly id: string;
  /** The resources that the server rewrites: at most one operation in flight for each. */
  readonly locks: readonly string[];
  /** The ids of the operations that come first: the operation is sent if all of them were applied, and skipped if one was not. */
  readonly after: readonly string[];
  /** The changes that this operation carries out. */
  readonly changes: readonly Change[];
}

/** The way to write assignments: with mutations, or with proposals that never overwrite changes of others. */
export type WriteMode = "graphql" | "conditional";

/** The name of a request in a report: its mutation, or the proposed aspect. */
export function nameOfRequest(request: Request): string {
  return request.type === "mutation" ? request.field : `ingestProposal ${request.aspect}`;
}

/** The key of one aspect of an entity. */
export function aspectKey(urn: string, aspect: string): string {
  return `${urn} ${aspect}`;
}
