/** Defines questions about entities: a GraphQL document, or the stored aspects that answer the same. */

import type { Kind } from "../../kinds/kind.ts";
import type { JsonObject } from "../../model/json.ts";
import type { Urn } from "../../model/urn.ts";

/** Answers a question from stored aspects instead of a GraphQL document. */
export interface StoredQuestion {
  /** Returns the aspects to request. Column entities have no kind. */
  readonly aspectsOf: (kind: Kind | undefined) => readonly string[];
  /** Whether an entity without an answer has no values. If so, it need not exist. */
  readonly isComplete?: true | undefined;
  /** Whether to always request stored aspects first, because GraphQL omits some of them. */
  readonly isMoreThanAnswered?: true;
}

/** A document and its variables. */
export interface QuestionRequest {
  readonly document: string;
  readonly variables: JsonObject;
}

/** A question about entities that a document requests by `entities(urns)`, and possibly by aliases `e0`, `e1`, …. */
export interface Question {
  readonly urns: readonly Urn[];
  /** Returns the request for some of the entities. */
  requestFor(urns: readonly Urn[]): QuestionRequest;
  /** Answers the question from stored aspects, if that is possible. */
  readonly stored?: StoredQuestion;
  /** The question without additional entities, if the document requests any by the alias `beside`. */
  readonly alone?: Question;
}

/** Creates a question from a document whose only variable is `urns`. */
export function questionOf(urns: readonly Urn[], document: string, stored?: StoredQuestion): Question {
  return {
    urns,
    requestFor: (some) => ({ document, variables: { urns: some } }),
    ...(stored && { stored }),
  };
}
