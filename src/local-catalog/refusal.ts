/** Why something is refused: the statuses that DataHub's two REST interfaces answer with differ by it. */
type RefusalReason = "malformed" | "invalid" | "precondition" | "absent";

/**
 * The catalog refuses what it is asked; nothing is written. Carries what makes it a BAD_REQUEST over GraphQL as
 * well (DataHubDataFetcherExceptionHandler.java).
 */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly extensions = { code: 400, type: "BAD_REQUEST", classification: "DataFetchingException" };
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** The request itself is wrong: bad JSON, no URN, an unknown entity type or aspect. */
export function malformed(message: string): Refusal {
  return new Refusal("malformed", message);
}

/** The request is well formed, and what it would store is not (DataHub's ValidationException). */
export function invalid(message: string): Refusal {
  return new Refusal("invalid", message);
}

/** A condition that the request sets does not hold. */
export function preconditionFailed(message: string): Refusal {
  return new Refusal("precondition", message);
}

/** What is asked for is not there. */
export function absent(message: string): Refusal {
  return new Refusal("absent", message);
}
