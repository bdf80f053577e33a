import type { Change } from "./change.ts";
import type { Json } from "./json.ts";
import type { Urn } from "./urn.ts";

/** A GraphQL argument: its name, its type as the schema spells it, its value. */
interface Argument {
  readonly name: string;
  readonly type: string;
  readonly value: Json;
}

/** One GraphQL mutation field with its arguments; it becomes one alias of a request. */
export interface Request {
  readonly field: string;
  readonly args: readonly Argument[];
}

/**
 * One write. `writes` is the entity whose aspects the server rewrites: never two in flight for the same one.
 * `changes` are the reasons it exists.
 */
export interface Operation {
  readonly id: string;
  readonly request: Request;
  readonly writes: Urn;
  readonly changes: readonly Change[];
}
