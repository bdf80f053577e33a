import type { NoArgs } from "./arguments.ts";

/** The arguments of what git cannot do for either purpose, by fault. */
interface GitFaults {
  readonly "no-git": NoArgs;
  readonly "no-repository": NoArgs;
  readonly "no-commits": NoArgs;
  readonly missing: { readonly clone?: "shallow" };
  readonly ambiguous: { readonly names: readonly string[] };
  readonly link: { readonly file: string; readonly what: string };
  readonly "no-merge-base": { readonly clone?: "shallow" };
  readonly unreadable: { readonly words: string };
}

/** The arguments of why a base is unknown, by fault. */
interface BaseFaults extends GitFaults {
  readonly "without-catalog": { readonly dir: string };
  readonly "without-environment": { readonly environment: string; readonly commit: string };
  readonly sparse: { readonly file: string; readonly count: number };
  readonly invalid: {
    readonly commit: string;
    readonly count: number;
    readonly first: string;
    readonly file: string;
    readonly line: number;
    readonly column: number;
  };
}

/** Codes are faults with a prefix: `base-missing`. The arguments of a problem also name the ref. */
type Prefixed<Prefix extends string, Faults> = {
  readonly [Name in keyof Faults & string as `${Prefix}-${Name}`]: Faults[Name] extends NoArgs
    ? { readonly ref: string }
    : { readonly ref: string } & Faults[Name];
};

/** The arguments of problems with the last applied commit, by code. */
export type BaseProblems = Prefixed<"base", BaseFaults>;

/** The arguments of problems with `--changed-since`, by code. */
export type ChangedSinceProblems = Prefixed<"changed-since", GitFaults>;
