import type { Change } from "./change.ts";
import type { Json, JsonObject } from "./json.ts";
import type { Member } from "./state.ts";
import type { Urn } from "./urn.ts";

/** A GraphQL argument: its name, its type as the schema spells it, its value. */
interface Argument {
  readonly name: string;
  readonly type: string;
  readonly value: Json;
}

/** One GraphQL mutation field with its arguments; it becomes one alias of a request. */
export interface Mutation {
  readonly type: "mutation";
  readonly field: string;
  readonly args: readonly Argument[];
  /** What to select of what it answers, as GraphQL text; a mutation that answers a value of its own has none. */
  readonly selection?: string;
}

/**
 * An edit of one list in an aspect. `at` is the way to the list: fields, and of a list on the way the fields of the element
 * that is meant, which is made where it is missing and something is added. What equals one of `remove` is taken away, then
 * `add` is added, where nothing equals one of `unless`. A mapping equals another in the fields that are named here; `null`
 * is a field that it has not.
 */
export interface ListEdit {
  readonly at: readonly (string | Readonly<Record<string, string>>)[];
  readonly add: readonly { readonly element: Json; readonly unless?: readonly Json[] }[];
  readonly remove: readonly Json[] | "all";
  /** The field of a new element that says when and by whom it was put there. */
  readonly created?: string;
  /** The field of GraphQL, as `Type.field`, by which a server shows that it keeps attributions of these elements. */
  readonly attribution?: string;
  /** The field beside the list that says when and by whom it was written. */
  readonly stamp?: string;
  /**
   * What goes when the list becomes empty: its field, or the element on the way to it. That element then exists for the list
   * alone: it has the attribution, and a patch writes all of it, by the first of `keys`.
   */
  readonly emptied?: "field" | "element";
  /**
   * The field by which elements of the first list on the way are one, and their list of which each keeps all: a server refuses to
   * write several that are equal in this field, though it may have stored some.
   */
  readonly unites?: readonly [by: string, list: string];
  /** Whether the edit is left out where the server keeps none. */
  readonly isForAttribution?: true;
  /** How a patch finds the elements; without it, and where the server keeps no attributions, the complete aspect is written. */
  readonly keys?: ListKeys;
}

/** An edit of one field in an aspect: its new value, or `null` to take it away. `at` is the way to it, as to a list. */
export interface FieldEdit {
  readonly at: ListEdit["at"];
  readonly value: Json;
  /** The field beside it that names who wrote it. */
  readonly actor?: string;
  /** How a patch is written; without it the complete aspect is written. */
  readonly patch?: {
    /** The field of GraphQL, as `Type.field`, that servers have which take it; others get the whole aspect. */
    readonly since: string;
    /** Whether DataHub has no template for the aspect (entity-registry GenericPatchTemplate.java). */
    readonly isGeneric?: true;
  };
}

export type Edit = ListEdit | FieldEdit;

/** Whether an edit is one of a list. */
export function isListEdit<E extends Edit>(edit: E): edit is Extract<E, ListEdit> {
  return "add" in edit;
}

/**
 * The fields by which a JSON Patch finds elements of a list (entity-registry ArrayMergingTemplate.java). `a␟b` is field `b` of
 * `a`.
 */
export interface ListKeys {
  /** Those that DataHub knows for the aspect: elements that are equal in them become one. */
  readonly template: readonly string[];
  /** Those that keep all elements apart: a patch can name its own for a list that is a field of the aspect itself. */
  readonly own?: readonly string[];
}

/** An aspect that is read, edited and written as a metadata change proposal. `initial` is what a new one has. */
export interface Proposal {
  readonly type: "proposal";
  readonly urn: Urn;
  readonly aspect: string;
  readonly initial: JsonObject;
  /** Fields and their new values; `null` takes a field away. */
  readonly set: Readonly<Record<string, Json>>;
  readonly edits?: readonly Edit[];
  /** Whether others may change the aspect meanwhile: a patch of it is written whichever version it has then. */
  readonly isForAnyVersion?: true;
  /**
   * Another aspect of a new entity that is written by the same request. A right that is scoped to a domain is compared with the
   * domain in the request that creates an entity (DomainWriteAuthorizationUtils.java, pull request #18944).
   */
  readonly beside?: Proposal;
}

/** What is sent for an operation. */
export type Request = Mutation | Proposal;

/** What is sent for a part of a change: of a set, the elements that are added or removed with it. */
export interface Write {
  readonly request: Request;
  readonly adds?: readonly Member[];
  readonly removes?: readonly Member[];
}

/** One write, as part of a graph. */
export interface Operation extends Write {
  readonly id: string;
  /** What the server rewrites: never two in flight for the same one. */
  readonly locks: readonly string[];
  /** The ids of the operations it comes after: it is sent when all of them were applied, and skipped when one was not. */
  readonly after: readonly string[];
  /** The reasons it exists. */
  readonly changes: readonly Change[];
}

/** How assignments are written: with mutations, or with proposals that overwrite no change of others. */
export type Writes = "graphql" | "conditional";

/** The name of a request in a report: its mutation, or the proposed aspect. */
export function nameOfRequest(request: Request): string {
  return request.type === "mutation" ? request.field : `ingestProposal ${request.aspect}`;
}

/** The key of an aspect of an entity. */
export function aspectKey(urn: string, aspect: string): string {
  return `${urn} ${aspect}`;
}
