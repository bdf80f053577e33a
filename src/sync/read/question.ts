/** Questions about entities: a GraphQL document, or the stored aspects that answer the same. */

import type { Kind } from "../../kinds/kind.ts";
import type { JsonObject } from "../../model/json.ts";
import type { Urn } from "../../model/urn.ts";

/** Answers a question from stored aspects, in place of a document. */
export interface StoredQuestion {
  /** The aspects to request. Entities of columns have no kind. */
  readonly aspectsOf: (kind: Kind | undefined) => readonly string[];
  /** Whether an entity without an answer has no values. Then it need not exist. */
  readonly isComplete?: true | undefined;
  /** Whether stored aspects are requested first in any case, because GraphQL omits some of them. */
  readonly isMoreThanAnswered?: true;
}

/** A document and its variables. */
export interface QuestionRequest {
  readonly document: string;
  readonly variables: JsonObject;
}

/** Entities that a document requests by `entities(urns)`, and possibly by aliases `e0`, `e1`, …. */
export interface Question {
  readonly urns: readonly Urn[];
  /** The request for some of the entities. */
  requestFor(urns: readonly Urn[]): QuestionRequest;
  /** Answers the question from stored aspects, if that is possible. */
  readonly stored?: StoredQuestion;
  /** If the document requests other entities as well, by the alias `beside`: the question without them. */
  readonly alone?: Question;
}

/** The question of a document whose only variable is `urns`. */
export function questionOf(urns: readonly Urn[], document: string, stored?: StoredQuestion): Question {
  return {
    urns,
    requestFor: (some) => ({ document, variables: { urns: some } }),
    ...(stored && { stored }),
  };
}
