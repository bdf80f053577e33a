/** Defines the public exit codes and their order of precedence. */

/** Exit codes, keyed by meaning. */
export const exitCodes = {
  done: 0,
  error: 1,
  changes: 2,
  invalid: 3,
  violated: 4,
  blocked: 5,
  conflict: 6,
  failed: 7,
  usage: 64,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

const precedence: readonly ExitCode[] = [130, 64, 3, 1, 7, 6, 5, 4, 2, 0];

/** Returns the exit code with the highest precedence. `false` represents a code whose condition is not met. */
export function highestPrecedence(codes: readonly (ExitCode | false)[]): ExitCode {
  return precedence.find((code) => codes.includes(code)) ?? exitCodes.done;
}
