/** A stream of the process that text goes to. */
export interface Output {
  write(text: string): void;
  readonly isTTY: boolean;
  /** The width of the terminal in characters. */
  readonly columns: number;
}

/** All that the command line touches of the outside, so that a test can run it in process. */
export interface Io {
  /** Carries only the result. */
  readonly stdout: Output;
  /** Carries progress, notes, questions, problems. */
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly home: string;
  /** Whether somebody can answer a question. */
  readonly isInteractive: boolean;
  /** Asks on stderr; throws when interrupted. */
  ask(question: string): Promise<string>;
  /** Fires at the first Ctrl-C or SIGTERM. */
  readonly interrupted: AbortSignal;
  now(): Date;
}

/** Whether a stream gets color: a terminal does, unless `NO_COLOR` is set (no-color.org). */
export function hasColor(output: Output, env: Io["env"]): boolean {
  return output.isTTY && (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb";
}
