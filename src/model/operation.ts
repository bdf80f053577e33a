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
}

/**
 * One aspect that is read, edited and written again as a metadata change proposal. Fields that the edit does not
 * name stay as they are. `initial` is what the aspect holds first where there is none.
 */
export interface Proposal {
  readonly type: "proposal";
  readonly urn: Urn;
  readonly aspect: string;
  readonly initial: JsonObject;
  /** Fields and their new values; `null` takes a field away. */
  readonly set: Readonly<Record<string, Json>>;
  /** A list in the aspect, and the element to take out of it. */
  readonly drop?: { readonly list: string; readonly element: string };
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

/** The name of a request in a report: its mutation, or the proposed aspect. */
export function nameOfRequest(request: Request): string {
  return request.type === "mutation" ? request.field : `ingestProposal ${request.aspect}`;
}
