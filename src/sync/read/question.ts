/** Defines queries for entities: a GraphQL document, or stored aspects with the same data. */

import type { Kind } from "../../kinds/kind.ts";
import type { JsonObject } from "../../model/json.ts";
import type { Urn } from "../../model/urn.ts";

/** Stored aspects that can be read instead of querying GraphQL. */
export interface StoredQuestion {
  /** Returns the aspects to request. Column entities have no kind. */
  readonly aspectsOf: (kind: Kind | undefined) => readonly string[];
  /** Whether an entity without stored aspects counts as an entity without values, even if it does not exist. */
  readonly isComplete?: true | undefined;
  /** Whether GraphQL omits some of the stored values. If so, the stored aspects are always requested first. */
  readonly isMoreThanAnswered?: true;
}

/** A document and its variables. */
export interface QuestionRequest {
  readonly document: string;
  readonly variables: JsonObject;
}

/** A query for entities. Its document requests them with `entities(urns)`, and possibly with the aliases `e0`, `e1`, …. */
export interface Question {
  readonly urns: readonly Urn[];
  /** Returns the request for some of the entities. */
  requestFor(urns: readonly Urn[]): QuestionRequest;
  /** The stored aspects with the same data, if there are any. */
  readonly stored?: StoredQuestion;
  /** The query without additional entities, if the document requests any with the alias `beside`. */
  readonly alone?: Question;
}

/** Creates a query from a document whose only variable is `urns`. */
export function questionOf(urns: readonly Urn[], document: string, stored?: StoredQuestion): Question {
  return {
    urns,
    requestFor: (some) => ({ document, variables: { urns: some } }),
    ...(stored && { stored }),
  };
}
