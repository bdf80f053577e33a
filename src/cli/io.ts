/**
 * Defines the interface between the command line and its process (streams, environment, terminal, clock), and decides about colors.
 */

import type { Measured } from "../report/metrics.ts";

/** Why an output is lost. */
export interface Loss {
  readonly reason: string;
  /** Whether the reader closed the pipe or terminal. This is not an error. */
  readonly isClosed: boolean;
}

/** An output stream of the process. */
export interface Output {
  /** Writes a text. Never throws: a failed write counts as a loss. */
  write(text: string): void;
  /** Returns the first loss known so far. */
  loss(): Loss | undefined;
  /** Waits until all text is written or lost. */
  flush(): Promise<void>;
  readonly isTTY: boolean;
  /** The terminal's width in characters. */
  readonly columns: number;
  /** The terminal's height in lines, if it is known. */
  readonly rows?: number | undefined;
}

/** Everything outside the program that the command line uses. Tests replace it. */
export interface Io {
  /** Receives only the result. */
  readonly stdout: Output;
  /** Receives progress, notes, questions and problems. */
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Whether the working directory was deleted. Then no command can run, and `cwd` must not be used. */
  readonly isDirectoryMissing?: boolean;
  /** The home directory, or an empty string if there is none. */
  readonly home: string;
  /** Whether a person can answer a question. */
  readonly isInteractive: boolean;
  /** Asks a question on stderr. Throws if it is interrupted. */
  ask(question: string): Promise<string>;
  /** Shows a text in a pager (a shell command). Ctrl-C then does not end the process. Returns why the pager could not start. */
  readonly page?: (command: string, text: Iterable<string>) => Promise<string | undefined>;
  /** Opens a file with the system's default program. Throws if there is none. */
  readonly openFile?: (file: string) => Promise<void>;
  /** Aborts at the first Ctrl-C or SIGTERM, and when the terminal is closed. */
  readonly interrupted: AbortSignal;
  now(): Date;
  /** Receives a run's measurements as they become known. */
  readonly measure?: (facts: Pick<Measured, "plan" | "report" | "run" | "traffic">) => void;
  /** The first wait before a request is repeated, in milliseconds, if it differs from the default. */
  readonly retryDelay?: number;
}

/** Whether to print color: only on a terminal, and not if `NO_COLOR` is set (no-color.org). */
export function hasColor(output: Output, env: Io["env"]): boolean {
  return output.isTTY && (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb";
}
