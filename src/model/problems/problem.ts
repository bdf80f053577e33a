/** A problem as data: its message, its trait, and arguments that the test of the message uses. */

/** An error must be corrected. A warning does not change the exit code. */
export type Severity = "error" | "warning";

/** The severity, and the nouns of kinds: this folder does not know kinds. */
export interface Words {
  readonly severity: Severity;
  readonly nounOf: (kind: string) => string;
  readonly pluralOf: (kind: string) => string;
  readonly nounOfType: (entityType: string) => string;
  readonly pluralOfType: (entityType: string) => string;
}

type NoArgs = Readonly<Record<string, undefined>>;

/** One problem. Its code is its key in the table of its area; the comment on that key is its row in docs/problems.md. */
export interface ProblemDefinition<Args, Trait extends string | undefined = string | undefined> {
  readonly message: string | ((args: Args, words: Words) => string);
  /** Decisions that depend on a code use its trait. */
  readonly trait?: Trait;
  /** The source line is not shown: the problem is one of a complete file, or the line may contain a secret. */
  readonly line?: "none" | "secret";
  /** Arguments for each form of the message. A message without arguments needs none. */
  readonly samples?: readonly NoInfer<Args>[];
}

/** Declares a problem. The types of its arguments are those of the parameter of `message`. */
export function problem<Args = NoArgs, const Trait extends string | undefined = undefined>(
  definition: ProblemDefinition<Args, Trait>,
): ProblemDefinition<Args, Trait> {
  return definition;
}
