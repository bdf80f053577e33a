import type { FoundType, NoArgs } from "./arguments.ts";

/** The arguments of problems with files, folders and YAML, by code. */
export interface FileProblems {
  readonly "no-directory": { readonly dir: string };
  readonly "not-a-directory": { readonly dir: string };
  readonly "no-manifests": { readonly dir: string; readonly files: number };
  readonly "no-records": NoArgs;
  readonly unreadable: { readonly reason: string };
  readonly "no-regular-file": NoArgs;
  readonly "link-outside": NoArgs;
  readonly "too-large": { readonly megabytes: number } | { readonly tokens: number; readonly line: number };
  readonly "repeated-folder": { readonly target: string };
  readonly "binary-file": NoArgs;
  readonly "other-encoding": { readonly encoding: string };
  readonly "not-utf8": { readonly byte: string };
  readonly "control-character": { readonly character: string };
  readonly "too-deep": { readonly limit: number };
  readonly "yaml-syntax": { readonly reason: string; readonly detail: string };
  readonly "merge-conflict": NoArgs;
  readonly "duplicate-key": { readonly key: string };
  readonly "unknown-alias": { readonly alias: string; readonly suggestion?: string | undefined };
  readonly "alias-in-itself": { readonly alias: string };
  readonly "too-many-aliases": { readonly limit: number };
  readonly "unknown-tag": { readonly tag: string };
  readonly "bad-tagged-value": { readonly tag: string; readonly text: string };
  readonly "bad-merge": NoArgs;
  readonly "complex-key": NoArgs;
  readonly "empty-key": NoArgs;
  readonly "not-a-manifest": { readonly found: FoundType };
  readonly "not-a-record": { readonly found: FoundType };
  readonly "missing-kind": {
    readonly known: readonly string[];
    readonly near?: string;
    readonly suggestion?: string;
  };
  readonly "unknown-kind": {
    readonly kind: string;
    readonly known: readonly string[];
    readonly suggestion?: string | undefined;
  };
}
