import type { Kind } from "../../kinds/kind.ts";
import type { JsonObject } from "../../model/json.ts";
import type { Urn } from "../../model/urn.ts";

/** How entities are known from what is stored of them, in place of what a document selects. */
export interface StoredQuestion {
  /** The aspects that are asked for. Entities of columns are of no kind. */
  readonly aspectsOf: (kind: Kind | undefined) => readonly string[];
  /** What the document would answer of an entity, made of its aspects by name, beside `exists`, `status` and `aspects`. */
  readonly answerOf?: (aspects: JsonObject, kind: Kind | undefined) => JsonObject;
  /** Whether an entity of which nothing is answered has nothing: then it need not exist. */
  readonly isComplete?: true | undefined;
  /** Whether what is stored is asked for first whatever the settings say: GraphQL leaves some of it out. */
  readonly isMoreThanAnswered?: true;
}

/** A document and its variables. */
export interface QuestionRequest {
  readonly document: string;
  readonly variables: JsonObject;
}

/** Entities that a document asks for by `entities(urns)`, and perhaps by aliases `e0`, `e1`, …. */
export interface Question {
  readonly urns: readonly Urn[];
  /** The request for some of them. */
  requestFor(urns: readonly Urn[]): QuestionRequest;
  /** How the same is known of assets from what is stored of them, where it is. */
  readonly stored?: StoredQuestion;
  /** Where the document asks for other entities as well, by the alias `beside`: the question without these. */
  readonly alone?: Question;
}

/** The question of one document, which has no variable but `urns`. */
export function questionOf(urns: readonly Urn[], document: string, stored?: StoredQuestion): Question {
  return {
    urns,
    requestFor: (some) => ({ document, variables: { urns: some } }),
    ...(stored && { stored }),
  };
}
