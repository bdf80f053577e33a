/** Defines the form of a problem: its message, its trait, and sample arguments for the tests of its message. */

/** How severe a problem is. An error must be corrected. A warning does not change the exit code. */
export type Severity = "error" | "warning";

/**
 * The severity of a problem, and functions that return the nouns for kinds and entity types. Messages receive these functions as
 * an argument, because this folder does not depend on the definitions of kinds.
 */
export interface Words {
  readonly severity: Severity;
  readonly nounOf: (kind: string) => string;
  readonly pluralOf: (kind: string) => string;
  readonly nounOfType: (entityType: string) => string;
  readonly pluralOfType: (entityType: string) => string;
}

type NoArgs = Readonly<Record<string, undefined>>;

/**
 * A problem. Its code is its key in the table for its area. The comment above that key equals the problem's row in
 * docs/problems.md.
 */
export interface ProblemDefinition<Args, Trait extends string | undefined = string | undefined> {
  readonly message: string | ((args: Args, words: Words) => string);
  /** Identifies problems that the program must recognize. Decisions depend on traits, never on codes. */
  readonly trait?: Trait;
  /** Why the source line is not shown: the problem concerns the entire file, or the line may contain a secret. */
  readonly line?: "none" | "secret";
  /** Sample arguments for each form of the message; absent for a message without arguments. */
  readonly samples?: readonly NoInfer<Args>[];
}

/** Declares a problem. The types of its arguments are inferred from the parameter of `message`. */
export function problem<Args = NoArgs, const Trait extends string | undefined = undefined>(
  definition: ProblemDefinition<Args, Trait>,
): ProblemDefinition<Args, Trait> {
  return definition;
}
