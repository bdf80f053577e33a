import type { Measured } from "../report/metrics.ts";

/** Why something that was written is lost. */
export interface Loss {
  readonly reason: string;
  /** Whether its reader is gone: a closed pipe or terminal. This is not an error. */
  readonly isClosed: boolean;
}

/** An output stream of the process. */
export interface Output {
  /** Never throws: what cannot be written is a loss. */
  write(text: string): void;
  /** The first loss, as far as it is known by now. */
  loss(): Loss | undefined;
  /** Waits until all that was written is out, or lost. */
  flush(): Promise<void>;
  readonly isTTY: boolean;
  /** The width of the terminal in characters. */
  readonly columns: number;
  /** The height of the terminal in lines, where it is known. */
  readonly rows?: number | undefined;
}

/** Everything outside the program that the command line uses. Tests pass their own. */
export interface Io {
  /** Takes the result and nothing else. */
  readonly stdout: Output;
  /** Takes progress, notes, questions and problems. */
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Whether the working directory was deleted: then no command can run, and `cwd` is not to be used. */
  readonly isDirectoryMissing?: boolean;
  /** The home directory, or an empty string where there is none. */
  readonly home: string;
  /** Whether a person can answer a question. */
  readonly isInteractive: boolean;
  /** Asks on stderr; throws when interrupted. */
  ask(question: string): Promise<string>;
  /** Shows a text with a shell command as pager, during which Ctrl-C does not end the process. Returns why it could not be started. */
  readonly page?: (command: string, text: Iterable<string>) => Promise<string | undefined>;
  /** Opens a file with the program that the system has for it. Throws where there is none. */
  readonly openFile?: (file: string) => Promise<void>;
  /** Fires at the first Ctrl-C or SIGTERM, and when the terminal is closed. */
  readonly interrupted: AbortSignal;
  now(): Date;
  /** Takes what a run is measured by, as it becomes known. */
  readonly measure?: (facts: Pick<Measured, "plan" | "report" | "run" | "traffic">) => void;
  /** The first wait before a request is sent again, in milliseconds, if it is not the usual one. */
  readonly retryDelay?: number;
}

/** Whether to print color: only on a terminal, and not if `NO_COLOR` is set (no-color.org). */
export function hasColor(output: Output, env: Io["env"]): boolean {
  return output.isTTY && (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb";
}
