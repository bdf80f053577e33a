/** Defines positions in files. */

/** A position in a file. `line` and `column` are counted from 1. `file` is a path with `/`, relative to the working directory. */
export interface Origin {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}
