/** A position in a manifest file. */

/** A line and a column, both counted from 1, in `file`, a path with `/`, relative to the working directory. */
export interface Origin {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}
