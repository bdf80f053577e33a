/** A place in a manifest: `file` relative to the working directory with `/`, `line` and `column` from 1. */
export interface Origin {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}
