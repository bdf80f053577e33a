/** Defines operations: the writes of an apply, their order, and their requests to the server. */

import type { Change } from "./change.ts";
import type { Json, JsonObject } from "./json.ts";
import type { Member } from "./state.ts";
import type { Urn } from "./urn.ts";

/** A GraphQL argument, with its type in the schema. */
interface Argument {
  readonly name: string;
  readonly type: string;
  readonly value: Json;
}

/** A GraphQL mutation with its arguments. In a request, each mutation has an alias. */
export interface Mutation {
  readonly type: "mutation";
  readonly field: string;
  readonly args: readonly Argument[];
  /** The fields to select from the result, as a GraphQL selection; absent if the mutation returns a scalar. */
  readonly selection?: string;
}

/**
 * An edit to a list in an aspect. `at` is the path to the list. It consists of field names and, for each list on the path, the
 * fields that identify an element. If the edit adds something, missing elements on the path are created. The edit first removes
 * the elements that match a pattern in `remove`. It then adds each entry in `add`, unless an existing element matches a pattern
 * in the entry's `unless`. An element matches a pattern if it has all fields of the pattern; `null` matches a missing field.
 */
export interface ListEdit {
  readonly at: readonly (string | Readonly<Record<string, string>>)[];
  readonly add: readonly { readonly element: Json; readonly unless?: readonly Json[] }[];
  readonly remove: readonly Json[] | "all";
  /** The field of a new element that stores the time and the writer. */
  readonly created?: string;
  /** The GraphQL field (`Type.field`) whose presence shows that the server stores attributions for these elements. */
  readonly attribution?: string;
  /** The sibling field of the list that stores the time and the writer. */
  readonly stamp?: string;
  /**
   * The part to remove when the list becomes empty: the field that contains the list, or the element on the path that contains
   * it. Such an element exists only for the list, and stores its attribution. A patch writes the entire element, and identifies
   * it by the first of `keys`.
   */
  readonly emptied?: "field" | "element";
  /**
   * The field that identifies elements in the first list on the path, and the inner list to merge. A server refuses to write
   * several elements with the same value in this field, although it may already store such elements.
   */
  readonly unites?: readonly [by: string, list: string];
  /** Whether to skip the edit if the server does not store attributions. */
  readonly isForAttribution?: true;
  /** The keys for a patch. Without keys, or if the server does not store attributions, the complete aspect is written. */
  readonly keys?: ListKeys;
}

/**
 * An edit to a field in an aspect: its new value, or `null` to remove the field. `at` is the path to the field, as in a list
 * edit.
 */
export interface FieldEdit {
  readonly at: ListEdit["at"];
  readonly value: Json;
  /** The sibling field that stores the writer. */
  readonly actor?: string;
  /** How to patch the field. If absent, the complete aspect is written. */
  readonly patch?: {
    /**
     * The GraphQL field (`Type.field`) that only servers with support for the patch have. For other servers, the complete aspect
     * is written.
     */
    readonly since: string;
    /** Whether DataHub lacks a template for the aspect (entity-registry GenericPatchTemplate.java). */
    readonly isGeneric?: true;
  };
}

export type Edit = ListEdit | FieldEdit;

/** Whether an edit changes a list. */
export function isListEdit<E extends Edit>(edit: E): edit is Extract<E, ListEdit> {
  return "add" in edit;
}

/**
 * The fields that identify list elements in a JSON Patch (entity-registry ArrayMergingTemplate.java). `a␟b` is the field `b` in
 * `a`.
 */
export interface ListKeys {
  /** The identifying fields in DataHub's template for the aspect. DataHub merges elements that are equal in these fields. */
  readonly template: readonly string[];
  /** The fields that make every element unique. A patch can specify them only if the list is a top-level field of the aspect. */
  readonly own?: readonly string[];
}

/** An aspect of an entity. */
export interface AspectPlace {
  readonly urn: Urn;
  readonly aspect: string;
}

/** An aspect that is read, edited, and written as a metadata change proposal. `initial` is the content of a new aspect. */
export interface Proposal extends AspectPlace {
  readonly type: "proposal";
  readonly initial: JsonObject;
  /** Fields with their new values; `null` removes a field. */
  readonly set: Readonly<Record<string, Json>>;
  readonly edits?: readonly Edit[];
  /**
   * Whether other writers are allowed to change the aspect between the read and the write. If so, the patch is written regardless
   * of the aspect's version.
   */
  readonly isForAnyVersion?: true;
  /**
   * A second aspect of a new entity, in the same request. The server checks a privilege that is scoped to a domain against the
   * domain in the request that creates the entity (DomainWriteAuthorizationUtils.java, pull request #18944).
   */
  readonly beside?: Proposal;
}

/** The request that an operation sends. */
export type Request = Mutation | Proposal;

/** The request for all or part of a change. For a change to a set, also lists the elements that the request adds or removes. */
export interface Write {
  readonly request: Request;
  readonly adds?: readonly Member[];
  readonly removes?: readonly Member[];
}

/** A write, as a node in the graph of operations. */
export interface Operation extends Write {
  readonly id: string;
  /** The resources that the server rewrites for this operation. At most one operation per resource is in flight. */
  readonly locks: readonly string[];
  /**
   * The ids of the operations that must come first. This operation is sent only if all of them were applied, and skipped
   * otherwise.
   */
  readonly after: readonly string[];
  readonly changes: readonly Change[];
}

/** How to write assignments: with mutations, or with conditional proposals, which never overwrite changes by other writers. */
export type WriteMode = "graphql" | "conditional";

/** Returns the name of a request in reports: the mutation, or the proposed aspect. */
export function nameOfRequest(request: Request): string {
  return request.type === "mutation" ? request.field : `ingestProposal ${request.aspect}`;
}

/** Returns a string that identifies an aspect of an entity. */
export function aspectKey(urn: string, aspect: string): string {
  return `${urn} ${aspect}`;
}

/** Merges two proposals for the same aspect. The first proposal's edits precede those of the second. */
export function mergedProposal({ isForAnyVersion, ...first }: Proposal, second: Proposal): Proposal {
  const edits = [...(first.edits ?? []), ...(second.edits ?? [])];
  return {
    ...first,
    ...(isForAnyVersion && second.isForAnyVersion && { isForAnyVersion }),
    initial: { ...second.initial, ...first.initial },
    set: { ...first.set, ...second.set },
    ...(edits.length > 0 && { edits }),
  };
}
