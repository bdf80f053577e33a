/** A position in a manifest file. */

/** A line and a column, both from 1, in `file`: relative to the working directory, with `/`. */
export interface Origin {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}
