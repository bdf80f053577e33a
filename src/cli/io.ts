/**
 * Defines the interface between the command line and its process (streams, environment, terminal, clock), and decides whether to
 * print in color.
 */

import type { Measured } from "../report/metrics.ts";

/** Describes why output could not be written. */
export interface Loss {
  readonly reason: string;
  /** Whether the output was lost because its reader closed the pipe or terminal, which is not an error. */
  readonly isClosed: boolean;
}

/** An output stream of the process. */
export interface Output {
  /** Writes text. Never throws: a failed write is recorded as a loss. */
  write(text: string): void;
  /** Returns the first loss recorded so far, if any. */
  loss(): Loss | undefined;
  /** Waits until all text is written or lost. */
  flush(): Promise<void>;
  readonly isTTY: boolean;
  /** The terminal's width in characters. */
  readonly columns: number;
  /** The terminal's height in lines, if it is known. */
  readonly rows?: number | undefined;
}

/** Measurements of a command. */
export type Facts = Pick<Measured, "plan" | "report" | "run" | "traffic">;

/** The process resources that the command line uses. Tests replace them. */
export interface Io {
  /** Receives the command's result and nothing else. */
  readonly stdout: Output;
  /** Receives progress, notes, questions and problems. */
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Whether the working directory was deleted. If so, no command can run, and `cwd` must not be used. */
  readonly isDirectoryMissing?: boolean;
  /** The home directory, or an empty string if there is none. */
  readonly home: string;
  /** Whether a user can answer questions. */
  readonly isInteractive: boolean;
  /** Asks a question on stderr and returns the answer. Throws if interrupted. */
  ask(question: string): Promise<string>;
  /**
   * Shows text in a pager. `command` is the shell command that starts the pager. While the pager runs, Ctrl-C does not end the
   * process. Returns an error message if the pager could not start.
   */
  readonly page?: (command: string, text: Iterable<string>) => Promise<string | undefined>;
  /** Opens a file with the system's default program. Throws if there is no such program. */
  readonly openFile?: (file: string) => Promise<void>;
  /** Aborts at the first Ctrl-C or SIGTERM, and when the terminal is closed. */
  readonly interrupted: AbortSignal;
  now(): Date;
  /** Receives measurements while a command runs. */
  readonly measure?: (facts: Facts) => void;
  /** The delay before the first retry of a request, in milliseconds. Overrides the default. */
  readonly retryDelay?: number;
}

/** Whether to print in color: only on a terminal, unless `NO_COLOR` (no-color.org) is set or `TERM` is `dumb`. */
export function hasColor(output: Output, env: Io["env"]): boolean {
  return output.isTTY && (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb";
}
